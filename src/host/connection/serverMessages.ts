import type { JSONRPCMessage, LoggingMessageNotification } from '@modelcontextprotocol/client';
import type { Disposable } from '../../base/disposable.ts';
import type { Logger } from '../../base/logger.ts';
import { Ration, type RationLimits } from '../../base/ration.ts';
import { redacted } from '../../base/redacting.ts';
import { visibleProse, visibleText } from '../../base/visibleText.ts';
import { logBounds } from '../errors/bounds.ts';
import { messageOf } from '../errors/hostError.ts';
import { isWanted, logLevelOf, type WantedLevel } from './lists/messageLevel.ts';

/** What a server sends beyond these is counted. */
const limits: RationLimits = { most: logBounds.messagesPerSecond, stretchMs: 1_000 };
/** Characters of one message that are written down. */
const MAX_CHARACTERS = logBounds.messageCharacters;
const MAX_NAME = 100;
const MAX_COMPLAINT = 500;

export interface MessagesContext {
  readonly logger: Logger;
  /** Values that are written nowhere. */
  readonly secrets: Iterable<string>;
  /** From which level on the server's messages are wanted now. */
  readonly wanted: () => WantedLevel;
}

/**
 * What one server has to say in its log (server/utilities/logging: rate-limited, without secrets), and what there
 * is to say of messages that mean nothing. No text of the server's can pass for a line of ours.
 */
export class ServerMessages implements Disposable {
  readonly #context: MessagesContext;
  readonly #said: Ration;
  readonly #stray: Ration;
  readonly #complaints: Ration;

  constructor(context: MessagesContext) {
    this.#context = context;
    const { logger } = context;
    this.#said = new Ration(limits, (count) =>
      logger.log('warn', `${count} messages of this server were left out: it sends too many.`),
    );
    this.#stray = new Ration(limits, (count) =>
      logger.log('debug', `${count} more messages of this server belong to no request.`),
    );
    this.#complaints = new Ration(limits, (count) =>
      logger.log('warn', `${count} more messages of this server could not be used.`),
    );
  }

  /** `notifications/message`. */
  said({ level, logger: source, data }: LoggingMessageNotification['params']): void {
    if (!isWanted(level, this.#context.wanted()) || !this.#said.take()) {
      return;
    }
    const from = source === undefined ? 'server' : `server: ${visibleText(this.#cut(source, MAX_NAME))}`;
    const text = this.#cut(typeof data === 'string' ? data : (JSON.stringify(data) ?? ''), MAX_CHARACTERS);
    // A further line that is set in is the server's, whatever it says.
    const lines = visibleProse(text.replaceAll(/\r\n?/g, '\n')).text.replaceAll('\n', '\n    ');
    this.#context.logger.log(logLevelOf(level), `[${from}] ${lines}`);
  }

  /** An answer or progress that came too late, twice, or for what was never asked. */
  stray(message: JSONRPCMessage): void {
    if (this.#stray.take()) {
      const isProgress = 'method' in message;
      const { progressToken } = (isProgress ? (message.params ?? {}) : {}) as {
        readonly progressToken?: unknown;
      };
      const what = isProgress ? 'Progress' : 'error' in message ? 'An error' : 'An answer';
      const id = JSON.stringify(isProgress ? progressToken : message.id) ?? 'nothing';
      const text = `${what} for ${id}, which is no open request`;
      const said = 'error' in message ? `: ${message.error.message} (${message.error.code})` : '';
      this.#context.logger.log('debug', visibleText(this.#cut(`${text}${said}`, MAX_COMPLAINT)));
    }
  }

  /** What the SDK could make nothing of; on the way to a connection it is one of several tries, which say more. */
  complain(error: Error, level: 'debug' | 'warn'): void {
    if (this.#complaints.take()) {
      this.#context.logger.log(level, visibleText(this.#cut(messageOf(error), MAX_COMPLAINT)));
    }
  }

  dispose(): void {
    this.#said.dispose();
    this.#stray.dispose();
    this.#complaints.dispose();
  }

  /** Without secrets first: half of one would not be known for what it is. */
  #cut(text: string, most: number): string {
    const rest = redacted(text, this.#context.secrets);
    return rest.length > most ? `${rest.slice(0, most)}… (${rest.length - most} more characters)` : rest;
  }
}
