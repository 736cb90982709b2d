import type { Tool } from '@modelcontextprotocol/client';
import { isRecord, type UnknownRecord } from '../../base/values/record.ts';
import type { Logger } from '../../base/logging/logger.ts';
import { HostError, messageOf } from '../errors/hostError.ts';
import type { PreparedSchema, ServerSchemas } from './schemaCheck.ts';

/** How many problems are reported at once. */
const MAX_PROBLEMS = 5;
const MAX_PROBLEM_LENGTH = 300;

/** A problem of the arguments: `message` is a sentence that names the argument. */
export interface ArgumentProblem {
  /** The argument, when the problem is in one that is given or listed. */
  readonly argument: string | undefined;
  /** Where in the argument it is: names of properties, and indexes in lists. */
  readonly path: readonly string[];
  readonly message: string;
}

type UsableSchema = Extract<PreparedSchema, { readonly kind: 'ready' }>;

/**
 * Prepares the check of what you send (server/tools). A schema that can't be compiled, or takes too long, blocks no call of
 * yours: the server checks the arguments itself, and the log says so.
 */
export async function prepareLenient(
  schemas: ServerSchemas,
  { name, inputSchema }: Pick<Tool, 'name' | 'inputSchema'>,
  logger: Logger,
): Promise<UsableSchema> {
  let prepared = await schemas.prepare(inputSchema);
  const giveUp = (reason: string): undefined => {
    prepared = { kind: 'unusable', reason };
    logger.log('warn', `The arguments of '${name}' are not checked: ${reason}`);
  };
  if (prepared.kind === 'unusable') {
    giveUp(prepared.reason);
  }
  return {
    kind: 'ready',
    check: async (value) => {
      try {
        return prepared.kind === 'ready' ? await prepared.check(value) : undefined;
      } catch (error) {
        return giveUp(messageOf(error));
      }
    },
  };
}

/**
 * The problems of arguments, each with its place.
 *
 * @throws as `check`.
 */
export async function argumentProblems(
  { check }: UsableSchema,
  inputSchema: unknown,
  args: UnknownRecord,
): Promise<readonly ArgumentProblem[]> {
  const names = isRecord(inputSchema) && isRecord(inputSchema['properties']) ? inputSchema['properties'] : {};
  const line = await check(args);
  return line === undefined ? [] : problemsIn(line, [...Object.keys(names), ...Object.keys(args)]);
}

/**
 * Checks arguments against the tool's `inputSchema` (server/tools). Where the schema can't be used, you may call all the
 * same, and nobody else.
 *
 * @throws HostError `invalidArguments`, with sentences that say what to fix.
 */
export async function checkArguments(
  schemas: ServerSchemas,
  { inputSchema }: Tool,
  args: UnknownRecord,
  isPerson: boolean,
): Promise<void> {
  const { problems, reason } = await problemsOf(await schemas.prepare(inputSchema), inputSchema, args);
  if (reason !== undefined && !isPerson) {
    throw new HostError(
      'invalidArguments',
      `This tool cannot be called, because its arguments cannot be checked: ${reason}.`,
    );
  }
  if (problems.length > 0) {
    throw new HostError('invalidArguments', sentences(problems));
  }
}

/** The problems of arguments, or the reason why they can't be checked. */
async function problemsOf(
  prepared: PreparedSchema,
  inputSchema: unknown,
  args: UnknownRecord,
): Promise<{ readonly problems: readonly ArgumentProblem[]; readonly reason?: string }> {
  if (prepared.kind === 'unusable') {
    return { problems: [], reason: prepared.reason };
  }
  try {
    return { problems: await argumentProblems(prepared, inputSchema, args) };
  } catch (error) {
    return { problems: [], reason: messageOf(error) };
  }
}

function sentences(problems: readonly ArgumentProblem[]): string {
  const shown = problems.slice(0, MAX_PROBLEMS).map(({ message }) => message.slice(0, MAX_PROBLEM_LENGTH));
  const more = problems.length - shown.length;
  return [...shown, ...(more > 0 ? [`There are ${more} more problems.`] : [])].join(' ');
}

/**
 * Splits the validator's one line: `data must have …, data/count must be >= 1`. Where a name can't be
 * identified, the problem is one of the whole.
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

/** JSON Schema's types as people say them. */
const typeWords: Readonly<Record<string, string>> = {
  array: 'an array',
  boolean: 'true or false',
  integer: 'a whole number',
  number: 'a number',
  object: 'an object',
  string: 'a string',
};

function inWords(message: string): string {
  return message
    .replace('must be >= ', 'must be at least ')
    .replace('must be <= ', 'must be at most ')
    .replace('must be > ', 'must be more than ')
    .replace('must be < ', 'must be less than ')
    .replace('must be multiple of', 'must be a multiple of')
    .replace(/must NOT have (fewer|more) than (\d+) (\w+)/, (_, how: string, count: string, noun: string) => {
      const words = count === '1' ? noun.replace(/ies$/, 'y').replace(/s$/, '') : noun;
      return `must have at ${how === 'fewer' ? 'least' : 'most'} ${count} ${words}`;
    })
    .replace('must NOT', 'must not')
    .replace(/(?<= must be |^must be )[a-z]+(?:,[a-z]+)*$/, (types) =>
      types
        .split(',')
        .map((type) => typeWords[type] ?? type)
        .join(' or '),
    );
}

/** The name that a part of a JSON pointer (RFC 6901) means. */
function nameIn(part: string): string {
  return part.replaceAll('~1', '/').replaceAll('~0', '~');
}

function pointerPart(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1');
}
