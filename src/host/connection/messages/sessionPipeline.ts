import type { JSONRPCMessage, RequestId, TransportSendOptions } from '@modelcontextprotocol/client';
import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from '../../../base/logging/logger.ts';
import { isRecord } from '../../../base/values/record.ts';
import { lightBounds, logBounds, turnBounds } from '../../json/bounds.ts';
import { withoutTaskIds } from '../../json/taskIds.ts';
import { excessOf } from '../../json/weight.ts';
import { SoundMessages } from '../../results/soundMessages.ts';
import type { SpecSchemas } from '../../results/faults.ts';
import type { ProtocolEra } from '../../state/connectionState.ts';
import type { SessionTraffic } from '../../traffic/sessionTraffic.ts';
import type { MessagePipeline } from '../../transport/messageTransport.ts';
import type { LevelSource } from './logLevels.ts';
import { withMeta } from './sentMeta.ts';
import type { ServerMessages } from './serverMessages.ts';
import { UnansweredRequests } from './unansweredRequests.ts';

/** Milliseconds in which others go on while one server sends many notifications. */
const PAUSE_MS = 1;

/** Sees every message of a session, before anything else is done with it. */
export interface MessageWatcher {
  sent?(message: JSONRPCMessage): void;
  received?(message: JSONRPCMessage): void;
}

interface PipelineContext {
  readonly logger: Logger;
  /** Gets what the server sends to be logged, and what can't be used. */
  readonly messages: ServerMessages;
  readonly level: LevelSource;
  readonly schemas: SpecSchemas;
  readonly traffic: SessionTraffic;
  /** Whether requests are sent with HTTP headers. */
  readonly isHttp: boolean;
  /** Undefined until it is negotiated. */
  readonly era: () => ProtocolEra | undefined;
  /** True if a message is progress of a call that has become a task, and is handled. */
  readonly takesProgress: (message: JSONRPCMessage) => boolean;
}

/** The way of all messages of one session, between its transport and the SDK's client. */
export class SessionPipeline implements MessagePipeline {
  readonly #context: PipelineContext;
  readonly #watchers: MessageWatcher[] = [];
  readonly #unanswered = new UnansweredRequests();
  readonly #sound: SoundMessages;
  readonly #pause: () => Promise<void>;
  #notifications = 0;

  /** `pause` resolves after other servers have had their turn. */
  constructor(context: PipelineContext, pause: () => Promise<void> = () => delay(PAUSE_MS)) {
    this.#context = context;
    this.#pause = pause;
    const { logger, messages } = context;
    this.#sound = new SoundMessages({
      ...context,
      complain: (text) => messages.complain(new Error(text), 'warn'),
      warn: (text) => logger.log('warn', text),
    });
  }

  /** Whether the server handles none of our requests, except pings. */
  get isIdle(): boolean {
    return this.#unanswered.isIdle;
  }

  watch(watcher: MessageWatcher): void {
    this.#watchers.push(watcher);
  }

  sent(message: JSONRPCMessage, options?: TransportSendOptions): JSONRPCMessage {
    const { era, level, traffic } = this.#context;
    this.#watchers.forEach((watcher) => watcher.sent?.(message));
    const whole = era() === 'modern' ? withMeta(message, level.level) : message;
    this.#trace('→', whole);
    traffic.sent(whole, options?.requestSignal);
    this.#unanswered.sent(whole, options?.requestSignal);
    return whole;
  }

  failed(message: JSONRPCMessage, error: unknown): void {
    this.#context.traffic.failed(message, error);
    this.#unanswered.unsent(message);
  }

  /**
   * As `MessagePipeline` says. A server that sends one notification after the other waits again and again, so that calls of
   * other servers take hardly longer.
   */
  received(
    message: JSONRPCMessage,
    within?: RequestId,
  ): JSONRPCMessage | undefined | Promise<JSONRPCMessage | undefined> {
    this.#watchers.forEach((watcher) => watcher.received?.(message));
    this.#trace('←', message);
    this.#context.traffic.received(message, within);
    if ('method' in message && !('id' in message)) {
      this.#notifications += 1;
      if (this.#notifications % turnBounds.notifications === 0) {
        return this.#pause().then(() => this.#passedOn(message));
      }
    }
    return this.#passedOn(message);
  }

  #passedOn(message: JSONRPCMessage): JSONRPCMessage | undefined | Promise<JSONRPCMessage> {
    const { messages, takesProgress } = this.#context;
    if (takesProgress(message) || !messages.admits(message)) {
      return undefined;
    }
    const method = this.#unanswered.takes(message);
    if (method === false) {
      messages.stray(message);
      return undefined;
    }
    return this.#sound.sound(message, method);
  }

  #trace(direction: '→' | '←', message: JSONRPCMessage): void {
    const { logger } = this.#context;
    if (logger.isTracing) {
      logger.log('trace', `${direction} ${tracedText(message)}`);
    }
  }
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
