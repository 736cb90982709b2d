import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parseSync, Visitor } from 'oxc-parser';

/**
 * The rooms of `src/host`, from the ground up. A folder is a room; it imports rooms that stand before it in this list,
 * and `src/base`. Type imports count: who wants to read a file has to read those, too.
 */
export const rooms: readonly string[] = [
  'errors',
  'addresses',
  'json',
  'sdk',
  'processes',
  'config',
  'connection/state',
  'folders',
  'schemas',
  'forms',
  'config/edit',
  'config/import',
  'config/form',
  'results',
  'ledger',
  'tools',
  'tools/search',
  'decisions',
  'questions',
  'roots',
  'launch',
  'launch/warnings',
  'launch/question',
  'transport/http',
  'transport',
  'auth/network',
  'auth/accounts',
  'auth/editorAccounts',
  'auth/redirect',
  'auth/tokens',
  'auth',
  'connection/failures',
  'connection/requests',
  'connection/messages',
  'connection/lists',
  'connection/subscriptions',
  'connection/tasks',
  'connection',
  'limits',
  'sampling/request',
  'sampling/review',
  'sampling',
  'elicitation',
  'servers',
  'keptTasks',
  'completion',
  'resources',
  'gate/pins',
  'gate',
  'gateway',
  'chat',
  'chat/loop',
  'documents',
  'sample',
  'review',
  'requestForms',
];

const host = path.resolve(import.meta.dirname, '../../src/host');

/** What is wrong with the order of rooms, a line for each fault. */
export function roomFaults(root: string, order: readonly string[]): readonly string[] {
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => path.join(root, file));
  const roomOf = (file: string): string => path.relative(root, path.dirname(file)).replaceAll(path.sep, '/');
  const used = new Set(files.map(roomOf));
  return [
    ...[...used]
      .filter((room) => !order.includes(room))
      .map((room) => `'${room}' is not in the list of rooms`),
    ...order.filter((room) => !used.has(room)).map((room) => `'${room}' is in the list, but has no files`),
    ...files.flatMap((file) =>
      importsOf(file).flatMap((target) => {
        const name = `${path.relative(root, file)} imports ${path.relative(root, target)}`;
        if (!existsSync(target)) {
          return [`${name}, which does not exist`];
        }
        const isUpwards = order.indexOf(roomOf(target)) > order.indexOf(roomOf(file));
        return isUpwards && target.startsWith(root + path.sep) ? [`${name}, which stands above it`] : [];
      }),
    ),
  ];
}

/** The files that a file imports by a relative path, types included. */
function importsOf(file: string): readonly string[] {
  const { program, errors } = parseSync(file, readFileSync(file, 'utf8'));
  if (errors.length > 0) {
    throw new Error(`${file} could not be parsed: ${errors[0]?.message}`);
  }
  const found: string[] = [];
  const add = (source: { readonly type: string; readonly value?: unknown } | null): void => {
    if (typeof source?.value === 'string' && source.value.startsWith('.')) {
      found.push(path.resolve(path.dirname(file), source.value));
    }
  };
  new Visitor({
    ImportDeclaration: ({ source }) => add(source),
    ExportNamedDeclaration: ({ source }) => add(source),
    ExportAllDeclaration: ({ source }) => add(source),
    ImportExpression: ({ source }) => add(source),
    TSImportType: ({ source }) => add(source),
  }).visit(program);
  return found;
}

if (import.meta.main) {
  const faults = roomFaults(host, rooms);
  for (const fault of faults) {
    process.stderr.write(`src/host: ${fault}\n`);
  }
  process.exitCode = faults.length > 0 ? 1 : 0;
}
