import type {
  JSONRPCMessage,
  LoggingMessageNotification,
  TransportSendOptions,
} from '@modelcontextprotocol/client';
import { setTimeout as delay } from 'node:timers/promises';
import type { Disposable } from '../../../base/lifetime/disposable.ts';
import type { Logger } from '../../../base/logging/logger.ts';
import { isRecord } from '../../../base/values/record.ts';
import { lightBounds, logBounds, turnBounds } from '../../json/bounds.ts';
import { receivedBytes } from '../../json/receivedBytes.ts';
import { excessOf } from '../../json/weight.ts';
import type { ListRules } from '../../results/soundList.ts';
import { soundEnvelope } from '../../results/soundEnvelope.ts';
import { isSoundMethod, SoundResults } from '../../results/soundMessages.ts';
import type { ProtocolEra } from '../../state/connectionState.ts';
import type { LevelSource } from './logLevels.ts';
import { withExtensions } from './sentMeta.ts';
import { withLevel } from './followLevel.ts';
import { boundedMessage } from './boundedMessage.ts';
import { UnansweredRequests } from './unansweredRequests.ts';
import { ServerMessages } from './serverMessages.ts';

/** Milliseconds in which others go on while one server sends many notifications. */
const PAUSE_MS = 1;

interface TrafficContext {
  readonly logger: Logger;
  /** Values that must not be logged. */
  readonly secrets: Iterable<string>;
  readonly level: LevelSource;
  /** Undefined until it is negotiated. */
  readonly era: () => ProtocolEra | undefined;
  /** True if a message is progress of a call that has become a task, and is handled. */
  readonly takesProgress: (message: JSONRPCMessage) => boolean;
  /** The rules for results, when one comes. */
  readonly rules: () => ListRules;
}

/** Passes on all messages of one connection: completes, checks, limits and logs them. */
export class Traffic implements Disposable {
  /** Called for every message of the server. */
  onMessage: (() => void) | undefined;
  readonly #context: TrafficContext;
  readonly #unanswered = new UnansweredRequests();
  readonly #messages: ServerMessages;
  readonly #results: SoundResults;
  readonly #pause: () => Promise<void>;
  #notifications = 0;

  /** `pause` resolves after other servers have had their turn. */
  constructor(context: TrafficContext, pause: () => Promise<void> = () => delay(PAUSE_MS)) {
    this.#context = context;
    this.#pause = pause;
    const { logger, secrets, level, rules } = context;
    this.#messages = new ServerMessages(logger, secrets, () => level.level);
    this.#results = new SoundResults(rules, (text) => logger.log('warn', text));
  }

  /** Whether the server handles none of our requests, except pings. */
  get isIdle(): boolean {
    return this.#unanswered.isIdle;
  }

  /** The message to send instead. */
  sent(message: JSONRPCMessage, options: TransportSendOptions | undefined): JSONRPCMessage {
    const { era, level } = this.#context;
    const whole = era() === 'modern' ? withExtensions(withLevel(message, level.level)) : message;
    this.#trace('→', whole);
    this.#unanswered.sent(whole, options?.requestSignal);
    return whole;
  }

  unsent(message: JSONRPCMessage): void {
    this.#unanswered.unsent(message);
  }

  /**
   * The message to receive instead; undefined for one that is ignored. A server that sends one notification after the other
   * waits again and again, so that calls of other servers take hardly longer.
   */
  received(message: JSONRPCMessage): JSONRPCMessage | undefined | Promise<JSONRPCMessage | undefined> {
    this.#trace('←', message);
    this.onMessage?.();
    if (isRecord(message) && 'method' in message && !('id' in message)) {
      this.#notifications += 1;
      if (this.#notifications % turnBounds.notifications === 0) {
        return this.#pause().then(() => this.#passedOn(message));
      }
    }
    return this.#passedOn(message);
  }

  #passedOn(message: JSONRPCMessage): JSONRPCMessage | undefined | Promise<JSONRPCMessage> {
    if (this.#context.takesProgress(message) || !this.#messages.admits(message)) {
      return undefined;
    }
    const method = this.#unanswered.methodAnsweredBy(message);
    if (!this.#unanswered.accepts(message)) {
      this.#messages.stray(message);
      return undefined;
    }
    const era = method === 'initialize' ? 'legacy' : this.#context.era();
    const isInSteps = method !== undefined && isSoundMethod(method);
    const bounded = boundedMessage(method, message, (text) =>
      this.#messages.complain(new Error(text), 'warn'),
    );
    const within = bounded && soundEnvelope(bounded, era, isInSteps);
    return method === undefined || within === undefined
      ? within
      : this.#results.sound(method, within, receivedBytes(message));
  }

  log(message: LoggingMessageNotification['params']): void {
    this.#messages.log(message);
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

/** IDs of tasks are secrets, whichever server has made them. */
function withoutTaskIds(name: string, value: unknown): unknown {
  return name === 'taskId' || name === 'taskIds' ? '•••' : value;
}

/** A message for the log; of a large one, its outline. */
function tracedText(message: unknown): string {
  if (excessOf(message, lightBounds) === undefined) {
    return JSON.stringify(message, withoutTaskIds);
  }
  const { jsonrpc, id, method, result, error, params } = isRecord(message) ? message : {};
  const large = Object.entries({ result, error, params }).find(([, value]) => value !== undefined);
  const names = isRecord(large?.[1]) ? Object.keys(large[1]).slice(0, 20) : [];
  const text = JSON.stringify({ jsonrpc, id, method, ...(large && { [large[0]]: names }) });
  return `${text.slice(0, logBounds.messageCharacters)} (too large to show)`;
}
