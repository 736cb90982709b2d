import { withSecretsAsInputs, secretsIn } from '../../../src/host/config/edit/secrets.ts';
import { splitCommandLine } from '../../../src/host/config/edit/splitCommandLine.ts';
import { suggestName } from '../../../src/host/config/edit/suggestName.ts';
import type { ImportDialect } from '../../../src/host/config/import/importLocations.ts';
import { mapVariables } from '../../../src/host/config/import/mapVariables.ts';
import { readImport } from '../../../src/host/config/import/readImport.ts';
import { understand } from '../../../src/host/config/import/understand.ts';
import { definitionBounds, IMPORTED_BYTES, pastedText } from '../../../src/host/json/bounds.ts';
import type { ImportedServer } from '../../../src/host/config/import/mapServer.ts';
import type { Subject, Subjects } from './subject.ts';

const { textCharacters } = definitionBounds;
const { others: characters } = pastedText;
const dialects: readonly ImportDialect[] = ['vscode', 'cursor', 'copilotCli', 'claudeDesktop', 'claudeCode'];

/** What happens to each server that was read, before its page is shown. */
function draft(servers: readonly ImportedServer[]): void {
  for (const { draft: one } of servers) {
    if (one) {
      suggestName(one.launch, new Set());
      withSecretsAsInputs(one, secretsIn(one.launch));
    }
  }
}

function understood(text: string): void {
  const found = understand(text, 'linux');
  if ('readings' in found) {
    found.readings.forEach(({ servers }) => draft(servers));
  }
}

/** A text that is pasted into the box of a new server. */
function pasted(around: (text: string) => string): Subject {
  return { most: characters - around('').length, take: (text) => understood(around(text)) };
}

function imported(server: (text: string) => unknown): Subject {
  return {
    most: textCharacters,
    take: (text) => {
      const file = JSON.stringify({ mcpServers: { server: server(text) }, inputs: [] });
      for (const dialect of dialects) {
        draft(readImport(file, dialect).servers);
      }
    },
  };
}

const list = (entries: readonly string[]): string => JSON.stringify(entries).slice(1, -1);

/** What you paste, and what files of other programs have. */
export const pastedSubjects: Subjects = {
  'any text': pasted((text) => text),
  'a command line': pasted((text) => `npx ${text}`),
  'a quoted argument': pasted((text) => `npx "${text}"`),
  'a command that adds a server': pasted((text) => `claude mcp add a -- ${text}`),
  'options of a command that adds a server': pasted((text) => `claude mcp add a -e ${text}`),
  'an address': pasted((text) => `https://h/${text}`),
  'a name of a package': pasted((text) => `@a/${text}`),
  'a fence': pasted((text) => `\`\`\`json\n${text}`),
  JSON: pasted((text) => `{"a":${text}`),
  'a text in JSON': pasted((text) => `{"a":{"command":${JSON.stringify(text).slice(0, -1)}`),
  'a command line on Windows': {
    most: characters,
    take: (text) => splitCommandLine(text, 'win32'),
  },
  'arguments on a command line': {
    isList: true,
    most: characters / 10,
    take: (_, pieces) => understood(`npx ${pieces.map((piece) => JSON.stringify(piece)).join(' ')}`),
  },
  'secrets in arguments': {
    isList: true,
    most: definitionBounds.serverValues / 2,
    take: (_, pieces) =>
      understood(
        `{"command":"a","args":[${list(pieces.map((piece, at) => `--token-${at}=k${at}-${piece}`))}]}`,
      ),
  },
  'a file of another program': {
    // Up to the bound it takes eight times as long.
    most: IMPORTED_BYTES / 8,
    take: (text) => readImport(text, 'claudeCode'),
  },
  'a command in a file': imported((command) => ({ command })),
  'an argument in a file': imported((arg) => ({ command: 'npx', args: ['-y', arg] })),
  'a variable in a file': imported((value) => ({ command: 'npx', env: { A: value } })),
  'an address in a file': imported((text) => ({ url: `https://h/?${text}` })),
  'a header in a file': imported((value) => ({ url: 'https://h/', headers: { A: value } })),
  'a field that nobody knows': imported((value) => ({ command: 'a', [value]: value })),
  'a sign-in in a file': imported((value) => ({
    url: 'https://h/',
    oauth: { clientId: value, scope: value, clientSecret: value },
  })),
  'variables of other programs': {
    most: textCharacters,
    take: (text) => dialects.forEach((dialect) => mapVariables(text, dialect, [])),
  },
};
