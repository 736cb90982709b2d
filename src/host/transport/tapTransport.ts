import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client';

/** Sees every message of a transport, in the order in which it is sent or received. */
export interface TransportTap {
  sent(message: JSONRPCMessage): void;
  /** Gives the message that is received in its place. */
  received(message: JSONRPCMessage): JSONRPCMessage;
  /** Sees why a message could not be sent, and gives what the sender is told. */
  failed(error: unknown): unknown;
}

/** Lets a tap see a transport's messages; the transport stays the same object, as the SDK probes its shape. */
export function tapTransport(transport: Transport, tap: TransportTap): void {
  const send = transport.send.bind(transport);
  transport.send = (message, options) => {
    tap.sent(message);
    return send(message, options).catch((error: unknown) => {
      throw tap.failed(error);
    });
  };
  let receive: Transport['onmessage'];
  Object.defineProperty(transport, 'onmessage', {
    configurable: true,
    get: () => receive,
    set: (handler: Transport['onmessage']) => {
      receive =
        handler &&
        ((received, extra) => {
          const message = tap.received(received) as typeof received;
          if (isAnswer(message)) {
            // The SDK takes an answer at once, but a notification one turn later: the progress that came right
            // before the answer would be for a request that it no longer knows.
            queueMicrotask(() => handler(message, extra));
          } else {
            handler(message, extra);
          }
        });
    },
  });
}

/** Servers send what is no message, too. */
function isAnswer(message: unknown): boolean {
  return typeof message === 'object' && message !== null && !('method' in message);
}
