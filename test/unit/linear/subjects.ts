import { failureWord } from '../../../src/host/connection/failures/failureWord.ts';
import { HostError } from '../../../src/host/errors/hostError.ts';
import { logBounds } from '../../../src/host/json/bounds.ts';

/** Something that is done with a text of others. */
export interface Subject {
  /** The most characters that the text has there. */
  readonly most: number;
  /** @param pieces what the text is made of, for those who take lists. */
  readonly take: (text: string, pieces: readonly string[]) => unknown;
}

/** Everything that looks at a text of others, by where the text comes from. */
export const subjects: Readonly<Record<string, Readonly<Record<string, Subject>>>> = {
  'a failure': {
    'the word for the output of a server that exits': {
      most: logBounds.lineCharacters,
      take: (text) => failureWord(new HostError('exited', text)),
    },
  },
};
