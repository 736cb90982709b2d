import type { JSONRPCMessage, JSONRPCRequest, Transport } from '@modelcontextprotocol/client';
import { HostError } from '../../errors/hostError.ts';
import type { HttpLife } from './httpLife.ts';

/** A transport that knows why it ended, if this side didn't end it. */
export interface GuardedTransport extends Transport {
  readonly loss: HostError | undefined;
}

/** The key in `_meta` that requests carry from 2026-07-28 on. */
const protocolVersionKey = 'io.modelcontextprotocol/protocolVersion';

/**
 * Lets a transport fail requests whose response its `fetch` knows to be lost: `send` of a request resolves only when the
 * response has arrived, and rejects when it no longer can; then the SDK rejects the request with the same error. The
 * transport stays the same object, because the SDK probes its shape.
 */
export function guardTransport<T extends Transport>(transport: T, life: HttpLife): T & GuardedTransport {
  const send = transport.send.bind(transport);
  const start = transport.start.bind(transport);
  transport.send = async (message, options) => {
    if (!isRequest(message)) {
      return life.sending(send(message, options));
    }
    const answer = life.answerTo(message.id);
    try {
      await Promise.all([life.sending(send(message, options)), answer]);
    } catch (error) {
      if (error instanceof HostError && error.code === 'lost' && !life.loss && mayBeCancelled(message)) {
        tellOfLoss(transport, message);
      }
      throw error;
    } finally {
      life.settled(message.id);
    }
  };
  transport.start = async () => {
    try {
      await start();
    } catch (error) {
      throw life.loss ?? error;
    }
  };
  life.onMessage = (message) => transport.onmessage?.(message);
  life.onError = (error) => transport.onerror?.(error);
  life.onEnd = () => void transport.close();
  return Object.defineProperty(transport, 'loss', { get: () => life.loss }) as T & GuardedTransport;
}

function isRequest(message: JSONRPCMessage): message is JSONRPCRequest {
  return 'method' in message && 'id' in message;
}

/**
 * A lost connection cancels a request at a modern server (2026-07-28), but not at a legacy one (2025-03-26,
 * basic/transports), which would go on without anybody waiting.
 */
function mayBeCancelled({ method, params }: JSONRPCRequest): boolean {
  return method !== 'initialize' && params?._meta?.[protocolVersionKey] === undefined;
}

function tellOfLoss(transport: Transport, { id }: JSONRPCRequest): void {
  transport
    .send({
      jsonrpc: '2.0',
      method: 'notifications/cancelled',
      params: { requestId: id, reason: 'The connection broke before the response.' },
    })
    // `onerror` of the transport has the reason.
    .catch(() => {});
}
