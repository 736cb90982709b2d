import type { Client } from '@modelcontextprotocol/client';
import { Coalesced } from '../../../base/time/coalesced.ts';
import type { Disposable } from '../../../base/lifetime/disposable.ts';
import type { Logger } from '../../../base/logging/logger.ts';
import { messageOf } from '../../errors/hostError.ts';
import type { LevelSource, WantedLevel } from './logLevels.ts';

/**
 * Sends the wanted level to a legacy server, now and after each change (up to 2025-11-25, server/utilities/logging:
 * only to a server that has declared `logging`).
 */
export function followLevel(
  client: Pick<Client, 'getServerCapabilities' | 'getProtocolEra' | 'setLoggingLevel'>,
  source: LevelSource,
  logger: Logger,
  timeoutMs: number,
): Disposable {
  if (client.getProtocolEra() !== 'legacy' || !client.getServerCapabilities()?.logging) {
    return { dispose: () => {} };
  }
  let sent: WantedLevel | undefined;
  let isOver = false;
  const sending = new Coalesced<'level'>(async () => {
    const { level } = source;
    if (level === sent || isOver) {
      return;
    }
    sent = level;
    try {
      // The protocol has no level for "off".
      await client.setLoggingLevel(level === 'off' ? 'emergency' : level, { timeout: timeoutMs });
    } catch (error) {
      if (!isOver) {
        logger.log('debug', `The server rejected the log level ${level}: ${messageOf(error)}`);
      }
    }
  });
  const send = (): void => void sending.run('level');
  const subscription = source.onDidChange(send);
  send();
  return {
    dispose: () => {
      isOver = true;
      subscription.dispose();
    },
  };
}
