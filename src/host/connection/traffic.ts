import type {
  JSONRPCMessage,
  LoggingMessageNotification,
  TransportSendOptions,
} from '@modelcontextprotocol/client';
import type { Disposable } from '../../base/disposable.ts';
import type { Logger } from '../../base/logger.ts';
import type { ProtocolEra } from './connectionState.ts';
import { withLevel, type LevelSource } from './logLevelSync.ts';
import { OpenRequests } from './openRequests.ts';
import { ServerMessages } from './serverMessages.ts';

export interface TrafficContext {
  readonly logger: Logger;
  /** Values that are written nowhere. */
  readonly secrets: Iterable<string>;
  readonly level: LevelSource;
  /** Undefined until it is negotiated. */
  readonly era: () => ProtocolEra | undefined;
}

/** All messages of one connection: what is added to them, what goes no further, and what the log has of them. */
export class Traffic implements Disposable {
  /** Told of every message of the server's. */
  onHeard: (() => void) | undefined;
  readonly #context: TrafficContext;
  readonly #open = new OpenRequests();
  readonly #messages: ServerMessages;

  constructor(context: TrafficContext) {
    this.#context = context;
    const { logger, secrets, level } = context;
    this.#messages = new ServerMessages({ logger, secrets, wanted: () => level.level });
  }

  /** Whether the server works on no request of ours but a ping. */
  get isIdle(): boolean {
    return this.#open.isIdle;
  }

  /** Gives what is sent in its place. */
  sent(message: JSONRPCMessage, options: TransportSendOptions | undefined): JSONRPCMessage {
    const { era, level } = this.#context;
    const whole = era() === 'modern' ? withLevel(message, level.level) : message;
    this.#trace('→', whole);
    this.#open.sent(whole, options?.requestSignal);
    return whole;
  }

  unsent(message: JSONRPCMessage): void {
    this.#open.unsent(message);
  }

  /** False for what is for no request of ours. */
  received(message: JSONRPCMessage): boolean {
    this.#trace('←', message);
    this.onHeard?.();
    const isTaken = this.#open.takes(message);
    if (!isTaken) {
      this.#messages.stray(message);
    }
    return isTaken;
  }

  said(message: LoggingMessageNotification['params']): void {
    this.#messages.said(message);
  }

  complain(error: Error): void {
    this.#messages.complain(error);
  }

  dispose(): void {
    this.#messages.dispose();
  }

  #trace(direction: '→' | '←', message: JSONRPCMessage): void {
    const { logger } = this.#context;
    if (logger.isTracing) {
      logger.log('trace', `${direction} ${JSON.stringify(message)}`);
    }
  }
}
