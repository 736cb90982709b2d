/** What a MIME type says of a document: how its file name ends, and the editor's id of its language. */
interface MimeNames {
  readonly ending: string;
  readonly language?: string;
}

const text = (ending: string, language: string): MimeNames => ({ ending, language });
const binary = (ending: string): MimeNames => ({ ending });

const known: ReadonlyMap<string, MimeNames> = new Map<string, MimeNames>([
  ['application/gzip', binary('gz')],
  ['application/javascript', text('js', 'javascript')],
  ['application/json', text('json', 'json')],
  ['application/jsonl', text('jsonl', 'jsonl')],
  ['application/pdf', binary('pdf')],
  ['application/sql', text('sql', 'sql')],
  ['application/toml', text('toml', 'toml')],
  ['application/typescript', text('ts', 'typescript')],
  ['application/x-httpd-php', text('php', 'php')],
  ['application/x-ndjson', text('jsonl', 'jsonl')],
  ['application/x-sh', text('sh', 'shellscript')],
  ['application/x-tar', binary('tar')],
  ['application/x-yaml', text('yaml', 'yaml')],
  ['application/xhtml+xml', text('html', 'html')],
  ['application/xml', text('xml', 'xml')],
  ['application/yaml', text('yaml', 'yaml')],
  ['application/zip', binary('zip')],
  ['audio/mp3', binary('mp3')],
  ['audio/mpeg', binary('mp3')],
  ['audio/ogg', binary('ogg')],
  ['audio/wav', binary('wav')],
  ['audio/x-wav', binary('wav')],
  ['image/avif', binary('avif')],
  ['image/bmp', binary('bmp')],
  ['image/gif', binary('gif')],
  ['image/jpeg', binary('jpg')],
  ['image/jpg', binary('jpg')],
  ['image/png', binary('png')],
  ['image/svg+xml', text('svg', 'xml')],
  ['image/vnd.microsoft.icon', binary('ico')],
  ['image/webp', binary('webp')],
  ['image/x-icon', binary('ico')],
  ['text/css', text('css', 'css')],
  ['text/csv', text('csv', 'csv')],
  ['text/html', text('html', 'html')],
  ['text/javascript', text('js', 'javascript')],
  ['text/markdown', text('md', 'markdown')],
  ['text/plain', text('txt', 'plaintext')],
  ['text/typescript', text('ts', 'typescript')],
  ['text/x-c', text('c', 'c')],
  ['text/x-c++', text('cpp', 'cpp')],
  ['text/x-c++src', text('cpp', 'cpp')],
  ['text/x-csharp', text('cs', 'csharp')],
  ['text/x-csrc', text('c', 'c')],
  ['text/x-diff', text('diff', 'diff')],
  ['text/x-go', text('go', 'go')],
  ['text/x-java', text('java', 'java')],
  ['text/x-java-source', text('java', 'java')],
  ['text/x-log', text('log', 'log')],
  ['text/x-markdown', text('md', 'markdown')],
  ['text/x-php', text('php', 'php')],
  ['text/x-python', text('py', 'python')],
  ['text/x-ruby', text('rb', 'ruby')],
  ['text/x-rust', text('rs', 'rust')],
  ['text/x-rustsrc', text('rs', 'rust')],
  ['text/x-script.python', text('py', 'python')],
  ['text/x-sh', text('sh', 'shellscript')],
  ['text/x-shellscript', text('sh', 'shellscript')],
  ['text/x-sql', text('sql', 'sql')],
  ['text/x-toml', text('toml', 'toml')],
  ['text/x-typescript', text('ts', 'typescript')],
  ['text/x-yaml', text('yaml', 'yaml')],
  ['text/xml', text('xml', 'xml')],
  ['text/yaml', text('yaml', 'yaml')],
  ['video/mp4', binary('mp4')],
  ['video/webm', binary('webm')],
]);

/** The structured syntaxes of RFC 6838, 4.2.8. */
const suffixes: ReadonlyMap<string, MimeNames> = new Map([
  ['json', text('json', 'json')],
  ['xml', text('xml', 'xml')],
  ['yaml', text('yaml', 'yaml')],
]);

/** How the name of a file of this type ends, without the dot; undefined for a type that is not known. */
export function endingFor(mimeType: string | undefined): string | undefined {
  return namesFor(mimeType)?.ending;
}

/** The editor's id of the language of a text of this type. */
export function languageFor(mimeType: string | undefined): string | undefined {
  return namesFor(mimeType)?.language;
}

/** True for a type of which the editor has a viewer, or of which nothing could be read as text. */
export function isBinaryType(mimeType: string | undefined): boolean {
  const names = namesFor(mimeType);
  return names !== undefined && names.language === undefined;
}

/** True for a file name that the editor opens in a viewer for bytes. */
export function isBinaryName(name: string): boolean {
  const [, ending] = /\.([A-Za-z0-9]+)$/.exec(name) ?? [];
  return ending !== undefined && binaryEndings.has(ending.toLowerCase());
}

const typedEndings = [...known.values()]
  .filter(({ language }) => language === undefined)
  .map(({ ending }) => ending);
const otherEndings = ['jpe', 'jpeg', 'tif', 'tiff', 'oga', 'aac', 'flac', 'm4a', 'mov', 'ogv', 'tgz', 'wasm'];
const binaryEndings: ReadonlySet<string> = new Set([...typedEndings, ...otherEndings]);

function namesFor(mimeType: string | undefined): MimeNames | undefined {
  const essence = (mimeType?.split(';')[0] ?? '').trim().toLowerCase();
  return known.get(essence) ?? suffixes.get(/\+([a-z]+)$/.exec(essence)?.[1] ?? '');
}
