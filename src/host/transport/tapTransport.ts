import type {
  JSONRPCMessage,
  MessageExtraInfo,
  Transport,
  TransportSendOptions,
} from '@modelcontextprotocol/client';
import { isRecord } from '../../base/values/record.ts';

/** Gets every message of a transport, in the order in which they are sent or received. */
export interface TransportTap {
  /** Returns the message to send instead. */
  sent(message: JSONRPCMessage, options: TransportSendOptions | undefined): JSONRPCMessage;
  /** Called when a message did not reach the server, or can't get a response. */
  failed(message: JSONRPCMessage): void;
  /**
   * Gets whatever the server sent, and returns the message to pass on instead, or undefined to drop it. If it returns a
   * promise, so does the transport's handler, and the messages after it wait.
   */
  received(message: JSONRPCMessage): JSONRPCMessage | undefined | Promise<JSONRPCMessage | undefined>;
}

/** Passes a transport's messages through a tap. The transport stays the same object, because the SDK probes its shape. */
export function tapTransport(transport: Transport, tap: TransportTap): void {
  const send = transport.send.bind(transport);
  transport.send = (message, options) =>
    send(tap.sent(message, options), options).catch((error: unknown) => {
      tap.failed(message);
      throw error;
    });
  let receive: ((received: JSONRPCMessage, extra?: MessageExtraInfo) => unknown) | undefined;
  Object.defineProperty(transport, 'onmessage', {
    configurable: true,
    get: () => receive,
    set: (handler: Transport['onmessage']) => {
      const handOn = (message: JSONRPCMessage, extra?: MessageExtraInfo): void => {
        if (isAnswer(message)) {
          // The SDK handles a response at once, but a notification one microtask later: progress that came right
          // before the response would belong to a request that it no longer knows.
          queueMicrotask(() => handler?.(message, extra));
        } else {
          handler?.(message, extra);
        }
      };
      receive =
        handler &&
        ((received, extra) => {
          const message = tap.received(received);
          if (message instanceof Promise) {
            return message.then((one) => one && handOn(one, extra));
          }
          return message && handOn(message, extra);
        });
    },
  });
}

/** Servers also send what isn't a message. */
function isAnswer(message: unknown): boolean {
  return isRecord(message) && !('method' in message);
}
