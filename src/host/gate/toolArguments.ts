import type { Tool } from '@modelcontextprotocol/client';
import { isRecord } from '../../base/record.ts';
import { HostError, messageOf } from '../errors/hostError.ts';
import { prepareStrictCheck, type PreparedCheck } from '../schemas/checkArguments.ts';

/** Problems that are told at once. */
const MAX_PROBLEMS = 5;
const MAX_PROBLEM_LENGTH = 300;

/** Checks the arguments of calls; a schema is prepared once, for as long as the server lists the same tool. */
export class ToolArguments {
  readonly #prepared = new WeakMap<Tool, Promise<PreparedCheck>>();

  /**
   * Checks arguments against the tool's `inputSchema` (server/tools). Where the schema cannot be used, the
   * person may call all the same, and nobody else.
   *
   * @throws HostError `invalidArguments`, with sentences that say what to mend.
   */
  async check(tool: Tool, args: Readonly<Record<string, unknown>>, isPerson: boolean): Promise<void> {
    let prepared = this.#prepared.get(tool);
    if (!prepared) {
      prepared = prepareStrictCheck(tool.inputSchema);
      this.#prepared.set(tool, prepared);
    }
    const found = problemsOf(await prepared, args);
    if (found.kind === 'unusable') {
      if (!isPerson) {
        throw new HostError(
          'invalidArguments',
          `This tool cannot be called, because its arguments cannot be checked: ${found.reason}.`,
        );
      }
    } else if (found.problems.length > 0) {
      throw new HostError('invalidArguments', sentences(found.problems));
    }
  }
}

type Found =
  | { readonly kind: 'checked'; readonly problems: readonly string[] }
  | { readonly kind: 'unusable'; readonly reason: string };

function problemsOf(prepared: PreparedCheck, args: Readonly<Record<string, unknown>>): Found {
  if (prepared.kind === 'unusable') {
    return prepared;
  }
  try {
    return { kind: 'checked', problems: prepared.check(args).map(({ message }) => message) };
  } catch (error) {
    return { kind: 'unusable', reason: messageOf(error) };
  }
}

function sentences(problems: readonly string[]): string {
  const told = problems.slice(0, MAX_PROBLEMS).map((problem) => problem.slice(0, MAX_PROBLEM_LENGTH));
  const more = problems.length - told.length;
  return [...told, ...(more > 0 ? [`There are ${more} more problems.`] : [])].join(' ');
}

/** Arguments that cannot change any more, or why there are none. */
export type FixedArguments =
  | { readonly kind: 'fixed'; readonly args: Readonly<Record<string, unknown>> }
  | { readonly kind: 'flawed'; readonly error: HostError };

/**
 * The arguments as the server will get them: what is shown, checked and sent is one and the same. Those of a
 * prompt are texts (server/prompts).
 */
export function fixedArguments(args: unknown, isPrompt: boolean): FixedArguments {
  let fixed: unknown;
  try {
    fixed = JSON.parse(JSON.stringify(args));
  } catch (error) {
    return flawed(`The arguments are not JSON: ${messageOf(error)}.`);
  }
  if (!isRecord(fixed)) {
    return flawed('The arguments must be a JSON object.');
  }
  return isPrompt && !Object.values(fixed).every((value) => typeof value === 'string')
    ? flawed('The arguments of a prompt must be texts.')
    : { kind: 'fixed', args: fixed };
}

function flawed(message: string): FixedArguments {
  return { kind: 'flawed', error: new HostError('invalidArguments', message) };
}
