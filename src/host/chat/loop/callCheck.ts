import { visibleText } from '../../../base/text/visibleText.ts';
import { canonicalJson } from '../../../base/values/canonicalJson.ts';
import type { AskedCall } from './modelAnswer.ts';
import { toolNamed, type OfferedCall, type OfferedTool } from './toolOffer.ts';

/** Calls of one answer that are made; the others get an error. */
const MAX_CALLS = 16;

/** How often the same call is made in one answer: a model may wait for something, but not for ever. */
const MAX_SAME = 3;

/** Characters of arguments as JSON. */
const MAX_INPUT = 200_000;

/** Names that an error lists. */
const NAMED = 40;

/** Why a call is not made: it is wrong, or was made often enough. */
interface Flaw {
  readonly kind: 'wrong' | 'repeated';
  /** For the model. */
  readonly text: string;
}

/** Where a call goes, or why it goes nowhere. */
type CheckedCall =
  | { readonly target: OfferedCall; readonly flaw?: undefined }
  | { readonly target?: undefined; readonly flaw: Flaw };

/** Checks the calls that a model asks for while it answers one request. */
export class CallCheck {
  readonly #made = new Map<string, number>();

  /** `index` counts the calls of one answer. */
  check({ name, input }: AskedCall, index: number, offered: readonly OfferedTool[]): CheckedCall {
    const tool = toolNamed(offered, name);
    if (!tool) {
      return wrong(unknownTool(name, offered));
    }
    if (!input) {
      return wrong('The arguments are not a JSON object. Nothing was called.');
    }
    const written = writtenInput(input);
    if (isHuge(written)) {
      return wrong('The arguments are too long. Nothing was called.');
    }
    if (index >= MAX_CALLS) {
      return wrong(
        `Only the first ${MAX_CALLS} calls of one answer are made. Ask for the others again if you need them.`,
      );
    }
    const key = `${tool.name} ${written}`;
    const made = (this.#made.get(key) ?? 0) + 1;
    this.#made.set(key, made);
    if (made > MAX_SAME) {
      const text = `You have made this call ${MAX_SAME} times. It was not made again: answer with the results that you have.`;
      return { flaw: { kind: 'repeated', text } };
    }
    return { target: tool.target };
  }
}

/** The call as it is kept: what was too long to be sent to a server is not sent to the model again either. */
export function withoutHuge<Call extends AskedCall>(call: Call): Call {
  return call.input && isHuge(writtenInput(call.input)) ? { ...call, input: {} } : call;
}

function unknownTool(name: string, offered: readonly OfferedTool[]): string {
  const names = offered.slice(0, NAMED).map((tool) => tool.name);
  return names.length === 0
    ? 'No tools.'
    : `There is no tool '${visibleText(name.slice(0, 200))}'. The tools: ${names.join(', ')}.`;
}

/** Undefined if it is nested too deep. */
function writtenInput(input: object): string | undefined {
  try {
    return canonicalJson(input);
  } catch {
    return undefined;
  }
}

function isHuge(written: string | undefined): boolean {
  return written === undefined || written.length > MAX_INPUT;
}

function wrong(text: string): CheckedCall {
  return { flaw: { kind: 'wrong', text } };
}
