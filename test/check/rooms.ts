import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parseSync, Visitor } from 'oxc-parser';

/** Rooms that belong together. */
interface Group {
  readonly name: string;
  readonly rooms: readonly string[];
}

/**
 * The rooms of a layer, from the ground up. A folder is a room; it imports rooms that stand before it in this list, and
 * the layers below. Type imports count: who wants to read a file has to read those, too. The rooms of a folder stand
 * together, so that no two folders import each other.
 */
export const layers: Readonly<Record<'host' | 'editor', readonly Group[]>> = {
  host: [
    {
      name: 'Ground',
      rooms: ['errors', 'addresses', 'state', 'json', 'sdk', 'folders', 'processes'],
    },
    {
      name: 'Definitions',
      rooms: ['config', 'config/edit', 'config/import', 'config/form'],
    },
    {
      name: 'Schemas, results and tools',
      rooms: ['schemas', 'forms', 'results', 'ledger', 'tools', 'tools/search'],
    },
    {
      name: 'Decisions and launches',
      rooms: ['decisions', 'questions', 'roots', 'launch', 'launch/warnings', 'launch/question'],
    },
    {
      name: 'Transports and sign-in',
      rooms: [
        'traffic',
        'transport',
        'transport/http',
        'auth/network',
        'auth/accounts',
        'auth/editorAccounts',
        'auth/redirect',
        'auth/tokens',
        'auth',
      ],
    },
    {
      name: 'One connection',
      rooms: [
        'connection/failures',
        'connection/requests',
        'connection/messages',
        'connection/lists',
        'connection/subscriptions',
        'connection/tasks',
        'connection',
      ],
    },
    {
      name: 'What servers ask for',
      rooms: ['limits', 'sampling/request', 'sampling/review', 'sampling', 'elicitation'],
    },
    {
      name: 'All servers, for chat and for you',
      rooms: [
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
        'checkUp',
        'added',
        'review',
        'requestForms',
      ],
    },
  ],
  editor: [
    {
      name: 'What all parts use',
      rooms: [
        'messages',
        'lifetime',
        'nodes',
        'commands',
        'browser',
        'documents',
        'workspace',
        'quickInput',
        'inputs',
        'review',
        'requestForms',
      ],
    },
    {
      name: 'Parts',
      rooms: [
        'api',
        'gate',
        'servers',
        'checkUp',
        'sampling',
        'modelAccess',
        'resources',
        'resources/live',
        'traffic',
        'chat',
        'chat/participant',
        'tools',
        'definitions',
        'diagnostics',
        'roots',
        'prompts',
        'views',
        'views/servers',
        'views/activity',
        'views/resources',
        'signIn',
        'decisions',
        'activation',
      ],
    },
  ],
};

export function roomsOf(groups: readonly Group[]): readonly string[] {
  return groups.flatMap(({ rooms }) => rooms);
}

const src = path.resolve(import.meta.dirname, '../../src');

/** What is wrong with the rooms of a layer and their order, a line for each fault. */
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
    ...order.filter(isApart).map((room) => `'${room}' stands apart from the other rooms of its folder`),
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

/** Whether rooms of another folder stand between a room and the one of its own folder before it. */
function isApart(room: string, index: number, order: readonly string[]): boolean {
  const folderOf = (name: string): string => name.split('/', 1)[0] ?? '';
  const last = order.slice(0, index).findLastIndex((other) => folderOf(other) === folderOf(room));
  return last !== -1 && last !== index - 1;
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
  const faults = Object.entries(layers).flatMap(([layer, groups]) =>
    roomFaults(path.join(src, layer), roomsOf(groups)).map((fault) => `src/${layer}: ${fault}`),
  );
  faults.forEach((fault) => process.stderr.write(`${fault}\n`));
  process.exitCode = faults.length > 0 ? 1 : 0;
}
