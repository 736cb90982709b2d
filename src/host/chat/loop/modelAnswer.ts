import { isRecord } from '../../../base/values/record.ts';
import { unlessAborted } from '../../../base/lifetime/cancellation.ts';
import { ModelError, type ModelPart } from '../../sampling/request/languageModels.ts';

/** Characters of an answer that are read; a model that goes on for ever is stopped. */
const MAX_TEXT = 400_000;

/** Calls in one answer that are read; what a model asks for beyond them is dropped. */
const MAX_CALLS = 128;

/** Characters of an id that a provider gives to a call. */
const MAX_ID = 200;

/** A call that a model asks for. Its id is unique in the conversation. */
export interface AskedCall {
  readonly id: string;
  readonly name: string;
  /** Undefined if what the model has sent is no JSON object. */
  readonly input: Readonly<Record<string, unknown>> | undefined;
}

/** What a model has answered in one round. */
export interface ModelAnswer {
  readonly text: string;
  readonly calls: readonly AskedCall[];
}

/**
 * Reads an answer up to its end, and passes its text on as it arrives. `taken` has the ids of earlier calls, and gets
 * those of these calls.
 *
 * @throws ModelError when the answer is too long; CancellationError, and what the model throws.
 */
export async function readAnswer(
  parts: AsyncIterable<ModelPart>,
  taken: Set<string>,
  say: (text: string) => void,
  signal: AbortSignal,
): Promise<ModelAnswer> {
  let text = '';
  const calls: AskedCall[] = [];
  const iterator = parts[Symbol.asyncIterator]();
  try {
    for (;;) {
      // A model may ignore that you have cancelled.
      const { done, value: part } = await unlessAborted(iterator.next(), signal);
      if (done === true) {
        return { text, calls };
      }
      if (part.kind === 'toolUse') {
        if (calls.length < MAX_CALLS) {
          calls.push(askedCall(part, taken));
        }
      } else if (part.text !== '') {
        text += part.text;
        say(part.text);
      }
      if (text.length > MAX_TEXT) {
        throw new ModelError('failed', 'The answer of the language model is too long.');
      }
    }
  } finally {
    // Not awaited: a provider that doesn't end the answer doesn't end this either.
    void Promise.resolve(iterator.return?.()).catch(() => {});
  }
}

/** An id as the provider gave it, if no earlier call has it. */
export function uniqueId(id: unknown, taken: Set<string>): string {
  const given = typeof id === 'string' && id.length <= MAX_ID ? id : '';
  let unique = given;
  for (let number = taken.size + 1; unique === '' || taken.has(unique); number += 1) {
    unique = `${given === '' ? 'call' : given}_${number}`;
  }
  taken.add(unique);
  return unique;
}

function askedCall(
  part: { readonly id: unknown; readonly name: unknown; readonly input: unknown },
  taken: Set<string>,
) {
  const { id, name, input } = part;
  return {
    id: uniqueId(id, taken),
    name: typeof name === 'string' ? name.trim() : '',
    input: inputOf(input),
  };
}

/** Models also send their input as JSON, or leave it out. */
function inputOf(input: unknown): Readonly<Record<string, unknown>> | undefined {
  if (input === undefined || input === null || input === '') {
    return {};
  }
  if (typeof input !== 'string') {
    return isRecord(input) ? input : undefined;
  }
  try {
    const parsed: unknown = JSON.parse(input);
    return isRecord(parsed) ? parsed : undefined;
  } catch {
    return undefined;
  }
}
