import { sentence } from '../../base/text/words.ts';
import type { HostError } from '../errors/hostError.ts';

/** A failed request as a model reads it: in sentences, what failed and what to do about it. */
export function failureForModel({ code, message }: HostError): string {
  const advice = adviceOn(code);
  return advice === undefined ? sentence(message) : `${sentence(message)} ${advice}`;
}

/** What a model can do that the message does not say; the message itself names a missing sign-in (`errorFor`). */
function adviceOn(code: HostError['code']): string | undefined {
  switch (code) {
    case 'denied':
      return 'Do not try it again unless the user asks for it.';
    case 'lost':
    case 'timedOut':
      return 'Find out whether the server has handled the request before you try again.';
    case 'invalidArguments':
      return 'Correct the arguments, then try again.';
    default:
      return undefined;
  }
}
