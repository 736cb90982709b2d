import type { JSONRPCMessage, LoggingMessageNotification } from '@modelcontextprotocol/client';
import type { Disposable } from '../../../base/lifetime/disposable.ts';
import type { Logger } from '../../../base/logging/logger.ts';
import { Ration, type RationLimits } from '../../../base/time/ration.ts';
import { redacted } from '../../../base/logging/redacting.ts';
import { visibleProse, visibleText } from '../../../base/text/visibleText.ts';
import { logBounds } from '../../json/bounds.ts';
import { messageOf } from '../../errors/hostError.ts';
import { isLevel, isWanted, logLevelOf, type WantedLevel } from './logLevels.ts';

/** Messages beyond this rate are only counted. */
const limits: RationLimits = { most: logBounds.messagesPerSecond, stretchMs: 1_000 };
/** Characters of one message in the log. */
const MAX_CHARACTERS = logBounds.messageCharacters;
const MAX_NAME = 100;
const MAX_COMPLAINT = 500;

/**
 * Writes to the log what one server sends to be logged (server/utilities/logging: rate-limited, without secrets), and
 * which of its messages were not used. No text of a server can look like a line of ours.
 */
export class ServerMessages implements Disposable {
  readonly #logger: Logger;
  readonly #secrets: Iterable<string>;
  readonly #wanted: () => WantedLevel;
  readonly #logged: Ration;
  readonly #stray: Ration;
  readonly #complaints: Ration;

  /** `secrets` must not be logged; `wanted` is the lowest level that is logged now. */
  constructor(logger: Logger, secrets: Iterable<string>, wanted: () => WantedLevel) {
    this.#logger = logger;
    this.#secrets = secrets;
    this.#wanted = wanted;
    this.#logged = new Ration(limits, (count) =>
      logger.log('warn', `Left out ${count} messages of this server, which sends too many.`),
    );
    this.#stray = new Ration(limits, (count) =>
      logger.log('debug', `${count} more messages of this server belong to no open request.`),
    );
    this.#complaints = new Ration(limits, (count) =>
      logger.log('warn', `${count} more messages of this server could not be used.`),
    );
  }

  /**
   * Whether to pass on a message: false for one to be logged (`notifications/message`) that is not wanted, or is one too many.
   * Those are most of a flood, and checking each of them would keep other servers waiting.
   */
  admits(message: JSONRPCMessage): boolean {
    if (!('method' in message) || message.method !== 'notifications/message') {
      return true;
    }
    const level = message.params?.['level'];
    return !isLevel(level) || (isWanted(level, this.#wanted()) && this.#logged.take());
  }

  /** Writes a `notifications/message` that was admitted. */
  log({ level, logger: source, data }: LoggingMessageNotification['params']): void {
    const from = source === undefined ? 'server' : `server: ${visibleText(this.#cut(source, MAX_NAME))}`;
    const text = this.#cut(typeof data === 'string' ? data : (JSON.stringify(data) ?? ''), MAX_CHARACTERS);
    // Indented, further lines cannot look like ours.
    const lines = visibleProse(text.replaceAll(/\r\n?/g, '\n')).text.replaceAll('\n', '\n    ');
    this.#logger.log(logLevelOf(level), `[${from}] ${lines}`);
  }

  /** Call for an answer or progress that is late, repeated or for no request. */
  stray(message: JSONRPCMessage): void {
    if (this.#stray.take()) {
      const isProgress = 'method' in message;
      const { progressToken } = (isProgress ? (message.params ?? {}) : {}) as {
        readonly progressToken?: unknown;
      };
      const what = isProgress ? 'Progress' : 'error' in message ? 'An error' : 'An answer';
      const id = JSON.stringify(isProgress ? progressToken : message.id) ?? 'nothing';
      const text = `${what} for ${id}, which is not an open request`;
      const said = 'error' in message ? `: ${message.error.message} (${message.error.code})` : '';
      this.#logger.log('debug', visibleText(this.#cut(`${text}${said}`, MAX_COMPLAINT)));
    }
  }

  /** Call for what the SDK could not use. Before a connection is made, `debug` is enough: other lines say more. */
  complain(error: Error, level: 'debug' | 'warn'): void {
    if (this.#complaints.take()) {
      this.#logger.log(level, visibleText(this.#cut(messageOf(error), MAX_COMPLAINT)));
    }
  }

  dispose(): void {
    this.#logged.dispose();
    this.#stray.dispose();
    this.#complaints.dispose();
  }

  /** Removes secrets before it cuts: half of one would not be recognized. */
  #cut(text: string, most: number): string {
    const rest = redacted(text, this.#secrets);
    return rest.length > most ? `${rest.slice(0, most)}… (${rest.length - most} more characters)` : rest;
  }
}
