import type {
  JSONRPCMessage,
  MessageExtraInfo,
  Transport,
  TransportSendOptions,
} from '@modelcontextprotocol/client';

/** Sees every message of a transport, in the order in which it is sent or received. */
export interface TransportTap {
  /** Gives what is sent in its place. */
  sent(message: JSONRPCMessage, options: TransportSendOptions | undefined): JSONRPCMessage;
  /** Hears that a message did not reach the server, or that no answer to it can come. */
  failed(message: JSONRPCMessage): void;
  /**
   * Takes whatever the peer has written, and gives what goes on in its place; undefined for what goes no further. What
   * takes its time holds up the messages after it: the handler of the transport gives a promise then, to wait for.
   */
  received(message: JSONRPCMessage): JSONRPCMessage | undefined | Promise<JSONRPCMessage>;
}

/** Lets a tap see a transport's messages; the transport stays the same object, as the SDK probes its shape. */
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
          // The SDK takes an answer at once, but a notification one turn later: the progress that came right
          // before the answer would be for a request that it no longer knows.
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
            return message.then((one) => handOn(one, extra));
          }
          return message && handOn(message, extra);
        });
    },
  });
}

/** Servers send what is no message, too. */
function isAnswer(message: unknown): boolean {
  return typeof message === 'object' && message !== null && !('method' in message);
}
