import type { LoggingLevel } from '@modelcontextprotocol/client';
import type { LogLevel } from '../../../base/logger.ts';

/** The levels of a server's messages (server/utilities/logging, which takes them from RFC 5424), least first. */
export const messageLevels: readonly LoggingLevel[] = [
  'debug',
  'info',
  'notice',
  'warning',
  'error',
  'critical',
  'alert',
  'emergency',
];

/** From which level on a server's messages are wanted. */
export type WantedLevel = LoggingLevel | 'off';

/** The key that carries it with each request (2026-07-28, server/utilities/logging). */
export const LOG_LEVEL_KEY = 'io.modelcontextprotocol/logLevel';

/** Whether a message of this level is wanted. */
export function isWanted(level: LoggingLevel, wanted: WantedLevel): boolean {
  return wanted !== 'off' && messageLevels.indexOf(level) >= messageLevels.indexOf(wanted);
}

/** One of the server's eight levels as one of the editor's. */
export function logLevelOf(level: LoggingLevel): LogLevel {
  switch (level) {
    case 'debug':
      return 'debug';
    case 'info':
    case 'notice':
      return 'info';
    case 'warning':
      return 'warn';
    case 'error':
    case 'critical':
    case 'alert':
    case 'emergency':
      return 'error';
  }
}

/** What a log that keeps lines from one level on would show of a server. */
export function wantedBy(level: LogLevel | 'off'): WantedLevel {
  switch (level) {
    case 'trace':
    case 'debug':
      return 'debug';
    case 'info':
      return 'info';
    case 'warn':
      return 'warning';
    case 'error':
      return 'error';
    case 'off':
      return 'off';
  }
}
