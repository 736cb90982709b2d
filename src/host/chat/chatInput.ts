import { isRecord } from '../../base/values/record.ts';

/** What a model asks of the tool that finds tools. */
export interface FindInput {
  readonly query: string;
  /** A server's name, to search only its tools. */
  readonly server: string | undefined;
}

/** A call that a model asks for, as far as it can be read. */
export interface CallInput {
  readonly server: string | undefined;
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
}

export interface ReadInput {
  readonly server: string;
  readonly uri: string;
}

/** An input, or a sentence for the model about what is wrong with it. */
type Read<T> =
  | { readonly kind: 'input'; readonly input: T }
  | { readonly kind: 'flaw'; readonly flaw: string };

/** Reads `{ query, server? }`. */
export function findInput(value: unknown): Read<FindInput> {
  const query = textIn(value, 'query');
  return query === undefined
    ? flaw('Give "query": the task in a few English words, with synonyms.')
    : input({ query, server: textIn(value, 'server') });
}

/** Reads `{ server, tool, arguments? }`. Models also send the arguments as JSON, or leave them out. */
export function callInput(value: unknown): Read<CallInput> {
  const tool = textIn(value, 'tool');
  if (tool === undefined) {
    return flaw(
      'Give "tool": the name of a tool that mcpHost_findTools has found, and "server": its server.',
    );
  }
  const given = isRecord(value) ? value['arguments'] : undefined;
  const args = typeof given === 'string' ? parsed(given) : (given ?? {});
  return isRecord(args)
    ? input({ server: textIn(value, 'server'), tool, args })
    : flaw('"arguments" must be a JSON object that fits the input schema of the tool.');
}

/** Reads `{ server, uri }`. */
export function readInput(value: unknown): Read<ReadInput> {
  const [server, uri] = [textIn(value, 'server'), textIn(value, 'uri')];
  return server === undefined || uri === undefined
    ? flaw('Give "server": the name of a server, and "uri": the URI of one of its resources.')
    : input({ server, uri });
}

function textIn(value: unknown, name: string): string | undefined {
  const text = isRecord(value) ? value[name] : undefined;
  return typeof text === 'string' && text.trim() !== '' ? text : undefined;
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

function input<T>(value: T): Read<T> {
  return { kind: 'input', input: value };
}

function flaw(text: string): Read<never> {
  return { kind: 'flaw', flaw: text };
}
