import { DisposableStore } from '../../../base/disposable.ts';
import type { Event } from '../../../base/event.ts';
import type { LevelledLogger } from '../../../base/logger.ts';
import type { ServerId } from '../../config/serverDefinition.ts';
import type { LevelSource } from './logLevelSync.ts';
import { wantedBy, type WantedLevel } from './messageLevel.ts';

/** From which level on the person wants the messages of single servers. */
export interface LevelChoices {
  /** Undefined where they have said nothing. */
  of(id: ServerId): WantedLevel | undefined;
  readonly onDidChange: Event<void>;
}

/** What the person has said of one server, and otherwise what its log shows. */
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
