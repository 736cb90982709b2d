import { HostError } from '../../errors/hostError.ts';
import { sameWords } from './sameWords.ts';

/** A start that ended so many times the same way will end so again: it is not followed by another try. */
const ENOUGH = 3;

/** Counts how often in a row a start has ended by the same exit, with the same words. */
export class RepeatedExits {
  #words = '';
  #times = 0;

  /** The server has started. */
  reset(): void {
    this.#times = 0;
  }

  /** Takes the failure of one more try; gives the failure that sums them up when they are enough. */
  add(failure: HostError): HostError | undefined {
    const words = sameWords(failure);
    this.#times = failure.code === 'exited' ? (words === this.#words ? this.#times + 1 : 1) : 0;
    this.#words = words;
    return this.#times < ENOUGH ? undefined : summedUp(failure);
  }
}

function summedUp(failure: HostError): HostError {
  const { code, message, detail } = failure;
  const [how = message] = /^it (?:exited with code \w+|was ended by \w+)/.exec(message) ?? [];
  const notAgain = 'It is not started again automatically.';
  return new HostError(code, `${how} three times in a row${message.slice(how.length)}`, {
    cause: failure,
    detail: detail === undefined ? notAgain : `${notAgain}\n${detail}`,
  });
}
