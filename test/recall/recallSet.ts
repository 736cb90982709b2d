import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { requests, type RecallRequest } from './requests.ts';

/** A tool of a real server, as the server lists it. */
export interface RecallTool {
  /** `server/tool`. */
  readonly id: string;
  readonly server: string;
  readonly serverTitle: string;
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly inputSchema: unknown;
  readonly annotations?: { readonly title?: string };
}

/** What a fixture holds: `source` is the package that was asked for its tools. */
interface RecallServer {
  readonly source: string;
  readonly label: string;
  readonly title: string;
  readonly tools: readonly Omit<RecallTool, 'id' | 'server' | 'serverTitle'>[];
}

const folder = join(import.meta.dirname, '../fixtures/recall/servers');
const sealedFile = join(import.meta.dirname, 'sealed.json');

/** The tools of all servers. */
export function recallTools(): readonly RecallTool[] {
  return readdirSync(folder).flatMap((file) => {
    const { label, title, tools } = JSON.parse(readFileSync(join(folder, file), 'utf8')) as RecallServer;
    return tools.map((tool) => ({
      ...tool,
      id: `${label}/${tool.name}`,
      server: label,
      serverTitle: title,
    }));
  });
}

/** The requests to tune by, or the sealed ones; undefined if these are not there. */
export function recallRequests(set: 'tuning' | 'sealed'): readonly RecallRequest[] | undefined {
  if (set === 'tuning') {
    return requests;
  }
  return existsSync(sealedFile)
    ? (JSON.parse(readFileSync(sealedFile, 'utf8')) as readonly RecallRequest[])
    : undefined;
}

/** The words of a name, a title or a request, in lower case. */
function plainWords(text: string): readonly string[] {
  return (
    text
      .replaceAll(/(\p{Ll}|\d)(\p{Lu})/gu, '$1 $2')
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? []
  );
}

/** Whether a text has no word of the names and titles of the right tools. */
export function sharesNoWord(text: string, right: readonly RecallTool[]): boolean {
  const words = new Set(plainWords(text));
  return right
    .flatMap(({ name, title = '', annotations }) =>
      plainWords(`${name} ${title} ${annotations?.title ?? ''}`),
    )
    .every((word) => !words.has(word));
}
