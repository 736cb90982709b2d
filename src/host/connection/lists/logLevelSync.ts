import type { Client, JSONRPCMessage } from '@modelcontextprotocol/client';
import { Coalesced } from '../../../base/coalesced.ts';
import type { Disposable } from '../../../base/disposable.ts';
import type { Event } from '../../../base/event.ts';
import type { Logger } from '../../../base/logger.ts';
import { messageOf } from '../../errors/hostError.ts';
import { LOG_LEVEL_KEY, type WantedLevel } from './messageLevel.ts';

/** From which level on one server's messages are wanted. */
export interface LevelSource {
  readonly level: WantedLevel;
  /** From which level on its log shows them. */
  readonly shown: WantedLevel;
  readonly onDidChange: Event<void>;
}

/** What of the SDK's client is needed to tell a legacy server. */
export type LevelClient = Pick<Client, 'getServerCapabilities' | 'getProtocolEra' | 'setLoggingLevel'>;

/**
 * Tells a legacy server from which level on its messages are wanted, at once and after each change (up to
 * 2025-11-25, server/utilities/logging: only a server that has declared `logging`).
 */
export function followLevel(
  client: LevelClient,
  source: LevelSource,
  logger: Logger,
  timeoutMs: number,
): Disposable {
  if (client.getProtocolEra() !== 'legacy' || !client.getServerCapabilities()?.logging) {
    return { dispose: () => {} };
  }
  let told: WantedLevel | undefined;
  let isOver = false;
  const telling = new Coalesced<'level'>(async () => {
    const { level } = source;
    if (level === told || isOver) {
      return;
    }
    told = level;
    try {
      // The least that can be asked for: there is no "none".
      await client.setLoggingLevel(level === 'off' ? 'emergency' : level, { timeout: timeoutMs });
    } catch (error) {
      if (!isOver) {
        logger.log('debug', `The server did not take the log level ${level}: ${messageOf(error)}`);
      }
    }
  });
  const tell = (): void => void telling.run('level');
  const subscription = source.onDidChange(tell);
  tell();
  return {
    dispose: () => {
      isOver = true;
      subscription.dispose();
    },
  };
}

/** A request to a modern server, with the level (2026-07-28, server/utilities/logging: without one there are no messages). */
export function withLevel(message: JSONRPCMessage, level: WantedLevel): JSONRPCMessage {
  if (level === 'off' || !('method' in message) || !('id' in message)) {
    return message;
  }
  const { params } = message;
  return { ...message, params: { ...params, _meta: { ...params?._meta, [LOG_LEVEL_KEY]: level } } };
}
