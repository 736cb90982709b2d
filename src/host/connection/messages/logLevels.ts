import type { LoggingLevel } from '@modelcontextprotocol/client';
import { DisposableStore } from '../../../base/lifetime/disposable.ts';
import type { Event } from '../../../base/lifetime/event.ts';
import type { LevelledLogger, LogLevel } from '../../../base/logging/logger.ts';
import type { ServerId } from '../../config/serverDefinition.ts';

/** The protocol's levels (server/utilities/logging, from RFC 5424), lowest first, with those of the editor. */
const editorLevels: Readonly<Record<LoggingLevel, LogLevel>> = {
  debug: 'debug',
  info: 'info',
  notice: 'info',
  warning: 'warn',
  error: 'error',
  critical: 'error',
  alert: 'error',
  emergency: 'error',
};
export const messageLevels = Object.keys(editorLevels) as readonly LoggingLevel[];

/** The lowest level at which a server's messages are wanted. */
export type WantedLevel = LoggingLevel | 'off';

/** The wanted level of one server. */
export interface LevelSource {
  readonly level: WantedLevel;
  /** The lowest level that its log shows. */
  readonly shown: WantedLevel;
  readonly onDidChange: Event<void>;
}

/** The levels that you have chosen for single servers. */
export interface LevelChoices {
  /** Undefined if you have chosen none. */
  of(id: ServerId): WantedLevel | undefined;
  readonly onDidChange: Event<void>;
}

/** The level chosen for one server, or otherwise the one that its log shows. */
export function levelSource(
  id: ServerId,
  log: Pick<LevelledLogger, 'level' | 'onDidChangeLevel'>,
  choices: LevelChoices | undefined,
): LevelSource {
  return {
    get level() {
      return choices?.of(id) ?? wantedBy(log.level);
    },
    get shown() {
      return wantedBy(log.level);
    },
    onDidChange: (listener) => {
      const store = new DisposableStore();
      store.add(log.onDidChangeLevel(listener));
      if (choices) {
        store.add(choices.onDidChange(listener));
      }
      return store;
    },
  };
}

export function isLevel(level: unknown): level is LoggingLevel {
  return typeof level === 'string' && Object.hasOwn(editorLevels, level);
}

export function isWanted(level: LoggingLevel, wanted: WantedLevel): boolean {
  return wanted !== 'off' && messageLevels.indexOf(level) >= messageLevels.indexOf(wanted);
}

/** A level of the protocol as one of the editor's. */
export function logLevelOf(level: LoggingLevel): LogLevel {
  return editorLevels[level];
}

/** The lowest level that a log with this level shows. */
function wantedBy(level: LogLevel | 'off'): WantedLevel {
  return level === 'trace' ? 'debug' : level === 'warn' ? 'warning' : level;
}
