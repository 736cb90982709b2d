import { HostError } from '../../errors/hostError.ts';

/** A start that ended the same way this often would end so again. */
const MAX_REPEATS = 3;

/** Counts how often in a row a start has ended with the same exit and the same message. */
export class RepeatedExits {
  #last = '';
  #times = 0;

  /** Call when the server is running. */
  reset(): void {
    this.#times = 0;
  }

  /** Counts a failure; returns the one that sums them up when there is no point in another try. */
  add(failure: HostError): HostError | undefined {
    const text = stableText(failure);
    this.#times = failure.code === 'exited' ? (text === this.#last ? this.#times + 1 : 1) : 0;
    this.#last = text;
    return this.#times < MAX_REPEATS ? undefined : summedUp(failure);
  }
}

/** A failure's text without what changes from one time to the next: times, ports, ids of processes and requests. */
export function stableText({ code, message }: HostError): string {
  const [how = ''] = /^it exited with code \w+/.exec(message) ?? [];
  return `${code} ${how}${message.slice(how.length).replaceAll(/\b[\da-f]{8,}\b|\d+/gi, '#')}`;
}

function summedUp(failure: HostError): HostError {
  const { code, message, detail } = failure;
  const [how = message] = /^it (?:exited with code \w+|was ended by \w+)/.exec(message) ?? [];
  const noRestart = 'It does not restart automatically.';
  return new HostError(code, `${how} three times in a row${message.slice(how.length)}`, {
    cause: failure,
    detail: detail === undefined ? noRestart : `${noRestart}\n${detail}`,
  });
}
