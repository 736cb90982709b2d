import type {
  JSONRPCMessage,
  LoggingMessageNotification,
  TransportSendOptions,
} from '@modelcontextprotocol/client';
import type { Disposable } from '../../base/disposable.ts';
import type { Logger } from '../../base/logger.ts';
import type { ListRules } from '../results/soundList.ts';
import { soundEnvelope } from '../results/soundEnvelope.ts';
import { isSoundMethod, SoundResults } from '../results/soundResults.ts';
import type { ProtocolEra } from './state/connectionState.ts';
import { withLevel, type LevelSource } from './lists/logLevelSync.ts';
import { boundedMessage } from './requests/boundedMessage.ts';
import { OpenRequests } from './requests/openRequests.ts';
import { ServerMessages } from './serverMessages.ts';
import { tracedText } from './tracedText.ts';

export interface TrafficContext {
  readonly logger: Logger;
  /** Values that are written nowhere. */
  readonly secrets: Iterable<string>;
  readonly level: LevelSource;
  /** Undefined until it is negotiated. */
  readonly era: () => ProtocolEra | undefined;
  /** By what results are judged, at the moment at which one comes. */
  readonly rules: () => ListRules;
}

/** All messages of one connection: what is added to them, what goes no further, and what the log has of them. */
export class Traffic implements Disposable {
  /** Told of every message of the server's. */
  onHeard: (() => void) | undefined;
  readonly #context: TrafficContext;
  readonly #open = new OpenRequests();
  readonly #messages: ServerMessages;
  readonly #results: SoundResults;

  constructor(context: TrafficContext) {
    this.#context = context;
    const { logger, secrets, level, rules } = context;
    this.#messages = new ServerMessages({ logger, secrets, wanted: () => level.level });
    this.#results = new SoundResults(rules, (text) => logger.log('warn', text));
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

  /** Gives what is received in its place; undefined for what is for no request of ours, or more than is taken. */
  received(message: JSONRPCMessage): JSONRPCMessage | undefined | Promise<JSONRPCMessage> {
    this.#trace('←', message);
    this.onHeard?.();
    const method = this.#open.methodAnsweredBy(message);
    if (!this.#open.takes(message)) {
      this.#messages.stray(message);
      return undefined;
    }
    const era = method === 'initialize' ? 'legacy' : this.#context.era();
    const isInSteps = method !== undefined && isSoundMethod(method);
    const bounded = boundedMessage(method, message, (text) =>
      this.#messages.complain(new Error(text), 'warn'),
    );
    const within = bounded && soundEnvelope(bounded, era, isInSteps);
    return method === undefined || within === undefined ? within : this.#results.sound(method, within);
  }

  said(message: LoggingMessageNotification['params']): void {
    this.#messages.said(message);
  }

  complain(error: Error, level: 'debug' | 'warn'): void {
    this.#messages.complain(error, level);
  }

  dispose(): void {
    this.#messages.dispose();
  }

  #trace(direction: '→' | '←', message: JSONRPCMessage): void {
    const { logger } = this.#context;
    if (logger.isTracing) {
      logger.log('trace', `${direction} ${tracedText(message)}`);
    }
  }
}
