import { isRecord } from '../../base/record.ts';
import type { Logger } from '../../base/logger.ts';
import { messageOf } from '../errors/hostError.ts';
import { prepareSchema } from './schemaCheck.ts';

/** What is wrong with the arguments: `message` is a sentence that names the argument. */
interface ArgumentProblem {
  /** The argument, when the problem lies in one that is given or listed. */
  readonly argument: string | undefined;
  /** Where in the argument it lies: names of properties, and places in lists. */
  readonly path: readonly string[];
  readonly message: string;
}

export type ArgumentCheck = (args: Readonly<Record<string, unknown>>) => readonly ArgumentProblem[];

/** A schema that arguments can be checked against, or why it cannot be used: a clause. */
export type PreparedCheck =
  | {
      readonly kind: 'ready';
      /** @throws an Error that says why the arguments cannot be checked; it will be so the next time, too. */
      readonly check: ArgumentCheck;
    }
  | { readonly kind: 'unusable'; readonly reason: string };

/**
 * Prepares the check of a tool's arguments against its `inputSchema` (server/tools). A schema that cannot
 * be compiled, or takes too long, blocks no call: that is the server's to judge, and it stands in the log.
 */
export async function prepareCheck(
  inputSchema: unknown,
  tool: string,
  logger: Logger,
): Promise<ArgumentCheck> {
  const giveUp = (reason: string): void =>
    logger.log('warn', `The arguments of '${tool}' are not checked: ${reason}`);
  const prepared = await prepareStrictCheck(inputSchema);
  if (prepared.kind === 'unusable') {
    giveUp(prepared.reason);
    return () => [];
  }
  let isGivenUp = false;
  return (args) => {
    if (isGivenUp) {
      return [];
    }
    try {
      return prepared.check(args);
    } catch (error) {
      isGivenUp = true;
      giveUp(messageOf(error));
      return [];
    }
  };
}

/** As `prepareCheck`, for requests that are not let through unchecked. */
export async function prepareStrictCheck(inputSchema: unknown): Promise<PreparedCheck> {
  const prepared = await prepareSchema(inputSchema);
  if (prepared.kind === 'unusable') {
    return prepared;
  }
  const names = isRecord(inputSchema) && isRecord(inputSchema['properties']) ? inputSchema['properties'] : {};
  const check: ArgumentCheck = (args) => {
    const problems = prepared.check(args);
    return problems === undefined ? [] : problemsIn(problems, [...Object.keys(names), ...Object.keys(args)]);
  };
  return { kind: 'ready', check };
}

/**
 * Takes the validator's one line apart: `data must have …, data/count must be >= 1`. Where a name cannot be
 * made out, the problem stands for the whole.
 */
function problemsIn(errorMessage: string, names: readonly string[]): readonly ArgumentProblem[] {
  return errorMessage
    .split(/, (?=data(?:\/| must ))/)
    .map((part) => problemIn(part.replace(/^data/, ''), names));
}

function problemIn(text: string, names: readonly string[]): ArgumentProblem {
  const missing = /^ must have required property '(.*)'$/s.exec(text)?.[1];
  if (missing !== undefined) {
    return { argument: missing, path: [], message: `The argument '${missing}' is missing.` };
  }
  const [argument] = names
    .filter((name) => {
      const prefix = `/${pointerPart(name)}`;
      return text.startsWith(`${prefix}/`) || text.startsWith(`${prefix} `);
    })
    .sort((a, b) => b.length - a.length);
  if (argument === undefined) {
    const message = text.trim();
    return {
      argument: undefined,
      path: [],
      message: message.includes('must NOT have additional properties')
        ? 'There is an argument that the tool does not take.'
        : `The arguments ${inWords(message)}.`,
    };
  }
  const rest = text.slice(pointerPart(argument).length + 1);
  const place = /^\/\S*/.exec(rest)?.[0] ?? '';
  const where = place === '' ? '' : ` at ${place}`;
  return {
    argument,
    path: place.split('/').slice(1).map(nameIn),
    message: `The argument '${argument}'${where} ${inWords(rest.slice(place.length).trim())}.`,
  };
}

function inWords(message: string): string {
  return message
    .replace('must be >= ', 'must be at least ')
    .replace('must be <= ', 'must be at most ')
    .replace('must be > ', 'must be more than ')
    .replace('must be < ', 'must be less than ')
    .replace('must NOT', 'must not');
}

/** The name that a part of a JSON pointer (RFC 6901) stands for. */
function nameIn(part: string): string {
  return part.replaceAll('~1', '/').replaceAll('~0', '~');
}

function pointerPart(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1');
}
