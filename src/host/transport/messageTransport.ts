import type {
  JSONRPCMessage,
  RequestId,
  Transport,
  TransportSendOptions,
} from '@modelcontextprotocol/client';
import { isRecord } from '../../base/values/record.ts';

/** Gets every message of a transport, in the order in which they are sent or received. */
export interface MessagePipeline {
  /** Returns the message to send instead. */
  sent(message: JSONRPCMessage, options: TransportSendOptions | undefined): JSONRPCMessage;
  /** Called when a message did not reach the server, or can't get a response. */
  failed(message: JSONRPCMessage, error: unknown): void;
  /**
   * Gets whatever the server sent, and returns the message for the client instead, or undefined to drop it. If it returns
   * a promise, the messages after it wait. `within` is the ID of the request on whose stream it came.
   */
  received(
    message: JSONRPCMessage,
    within?: RequestId,
  ): JSONRPCMessage | undefined | Promise<JSONRPCMessage | undefined>;
}

/** A transport whose messages go through a pipeline, on their way to and from the client. */
export abstract class MessageTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  pipeline: MessagePipeline | undefined;
  /** As the specification has it. */
  abstract readonly name: string;

  /** The session at the server, if it has one. */
  get sessionId(): string | undefined {
    return undefined;
  }

  abstract start(): Promise<void>;
  abstract close(): Promise<void>;
  protected abstract transmit(message: JSONRPCMessage, options?: TransportSendOptions): Promise<void>;

  async send(message: JSONRPCMessage, options?: TransportSendOptions): Promise<void> {
    const sent = this.pipeline?.sent(message, options) ?? message;
    try {
      await this.transmit(sent, options);
    } catch (error) {
      this.pipeline?.failed(sent, error);
      throw error;
    }
  }

  /** Call with each message of the server; the next one waits for the promise, if there is one. */
  protected deliver(received: JSONRPCMessage, within?: RequestId): void | Promise<void> {
    const message = this.pipeline ? this.pipeline.received(received, within) : received;
    return message instanceof Promise ? message.then((one) => this.#handOn(one)) : this.#handOn(message);
  }

  #handOn(message: JSONRPCMessage | undefined): void {
    if (isRecord(message) && !('method' in message)) {
      // The SDK handles a response at once, but a notification one microtask later: progress that came right before the
      // response would belong to a request that it no longer knows.
      queueMicrotask(() => this.onmessage?.(message));
    } else if (message !== undefined) {
      this.onmessage?.(message);
    }
  }
}
