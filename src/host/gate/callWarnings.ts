import type { ToolAnnotations } from '@modelcontextprotocol/client';
import { isRecord } from '../../base/values/record.ts';
import { visibleProse, visibleText } from '../../base/text/visibleText.ts';
import { outsidePaths } from './outsidePaths.ts';
import { secretIn } from '../../base/text/secretShapes.ts';

/** What is known of a request that you are asked about. */
export interface CallFacts {
  /** As the server will get them. */
  readonly args?: Readonly<Record<string, unknown>> | undefined;
  /** The address of the resource to read. */
  readonly uri?: string | undefined;
  /** The tool came after the server was allowed. */
  readonly isNew?: boolean | undefined;
  readonly annotations?: ToolAnnotations | undefined;
  /** The paths of the workspace's folders. */
  readonly folders: readonly string[];
  /** The path of your home directory. */
  readonly home: string;
}

/** Sentences for the question; `claims` are the server's own, and unchecked. */
interface CallWarnings {
  readonly warnings: readonly string[];
  readonly claims: readonly string[];
}

/** A text of a request, with its name. */
interface NamedText {
  readonly what: string;
  /** The name that stands before the text, as `password` before its value. */
  readonly key: string;
  readonly text: string;
}

/**
 * What in a request deserves a second look. These patterns are often harmless: nothing is
 * forbidden, and no value that looks like a secret is repeated.
 */
export function callWarnings(facts: CallFacts): CallWarnings {
  const { args = {}, uri, isNew = false, annotations = {} } = facts;
  const texts = [
    ...(uri === undefined ? [] : [{ what: 'The address', key: '', text: uri }]),
    ...Object.entries(args).flatMap(([name, value]) => textsOf(value, name, name)),
  ];
  return {
    warnings: [
      ...(isNew ? ['This tool is new since the server was allowed.'] : []),
      ...texts.flatMap(secretWarnings),
      ...texts.flatMap((text) => pathWarnings(text, facts)),
      ...unseenWarnings(texts, args),
    ],
    claims: claimsOf(annotations),
  };
}

/** The strings in a value, each with its place, such as `options.files[0]`. */
function textsOf(value: unknown, path: string, key: string): readonly NamedText[] {
  if (typeof value === 'string') {
    return [{ what: `The argument '${visibleText(path)}'`, key, text: value }];
  }
  if (Array.isArray(value)) {
    return value.flatMap((one, index) => textsOf(one, `${path}[${index}]`, key));
  }
  return isRecord(value)
    ? Object.entries(value).flatMap(([name, one]) => textsOf(one, `${path}.${name}`, name))
    : [];
}

function secretWarnings({ what, key, text }: NamedText): readonly string[] {
  const shape = secretIn(text, key);
  return shape === undefined ? [] : [`${what} has what looks like ${shape}.`];
}

function pathWarnings({ what, text }: NamedText, { folders, home }: CallFacts): readonly string[] {
  const paths = outsidePaths(text, folders, home);
  const named = paths.map(visibleText).join(', ');
  const outside = folders.length > 0 ? "outside the workspace's folders" : 'while no folder is open';
  return paths.length === 0
    ? []
    : [`${what} names ${paths.length === 1 ? 'a path' : 'paths'} ${outside}: ${named}`];
}

function unseenWarnings(texts: readonly NamedText[], args: unknown): readonly string[] {
  return [
    ...texts
      .filter(({ text }) => hasUnseen(text))
      .map(({ what }) => `${what} has invisible characters, which are written out here.`),
    ...(namesIn(args).some(hasUnseen)
      ? ['The name of an argument has invisible characters, which are written out here.']
      : []),
  ];
}

function hasUnseen(text: string): boolean {
  return visibleProse(text.replaceAll('\r\n', '\n')).writtenOut > 0;
}

function namesIn(value: unknown): readonly string[] {
  if (Array.isArray(value)) {
    return value.flatMap(namesIn);
  }
  return isRecord(value) ? Object.entries(value).flatMap(([name, one]) => [name, ...namesIn(one)]) : [];
}

function claimsOf(annotations: ToolAnnotations): readonly string[] {
  const { readOnlyHint, destructiveHint, idempotentHint, openWorldHint } = annotations;
  const changes = readOnlyHint !== true;
  return [
    ...(readOnlyHint === true ? ['It only reads.'] : []),
    ...(readOnlyHint === false ? ['It may change things.'] : []),
    // The next hints have a meaning only for tools that change things (server/tools).
    ...(changes && destructiveHint === true ? ['It may destroy or overwrite.'] : []),
    ...(changes && destructiveHint === false ? ['It only adds, and destroys nothing.'] : []),
    ...(changes && idempotentHint === true ? ['Run again, it changes nothing more.'] : []),
    ...(openWorldHint === true ? ['It may reach other systems, such as the web.'] : []),
    ...(openWorldHint === false ? ['It reaches no other systems.'] : []),
  ];
}
