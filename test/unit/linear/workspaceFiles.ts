import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { definitionBounds } from '../../../src/host/json/bounds.ts';
import { HostError } from '../../../src/host/errors/hostError.ts';
import { readEnvFile } from '../../../src/host/launch/envFile.ts';
import { shownVariables } from '../../../src/host/launch/launchVariables.ts';
import { launchChanges } from '../../../src/host/launch/question/launchChanges.ts';
import { snapshotOf } from '../../../src/host/launch/question/launchSnapshot.ts';
import { besideWarnings, codeBeside } from '../../../src/host/launch/warnings/codeBeside.ts';
import { launchWarnings } from '../../../src/host/launch/warnings/launchWarnings.ts';
import { stdioServer } from '../support/definitions.ts';
import { launchOf, testKey } from '../support/launches.ts';
import type { Subject, Subjects } from './subject.ts';

const folder = path.resolve('/projects/api');

/** A file with this text wherever a command looks. */
function beside(line: string, around = (text: string): string => text): Subject {
  const [command = '', ...args] = line.split(' ');
  const launch = { ...launchOf(stdioServer(args, { command, cwd: folder })), workspace: [folder] };
  return {
    most: definitionBounds.settingsBytes,
    take: (text) =>
      besideWarnings(
        codeBeside(launch, (_, { maxBytes }) => {
          const all = around(text);
          return all.length > maxBytes
            ? { kind: 'unreadable', mark: '' }
            : { kind: 'read', sha256: '', bytes: all.length, text: all };
        }),
      ),
  };
}

function readFrom(text: string): void {
  const directory = mkdtempSync(path.join(tmpdir(), 'mcp-host-linear-'));
  try {
    writeFileSync(path.join(directory, '.env'), text);
    readEnvFile({ path: '.env', base: directory, scope: 'folder' });
  } catch (error) {
    if (!(error instanceof HostError)) {
      throw error;
    }
  } finally {
    rmSync(directory, { recursive: true });
  }
}

/** Reads nothing, and says everything that a question does about what is in an `envFile`. */
function asked(envFile: Readonly<Record<string, string>>): void {
  const [before, launch] = [{}, envFile].map((variables) =>
    launchOf(stdioServer([], { envFile: '.env' }), { envFile: variables }),
  );
  if (before && launch) {
    launchWarnings(launch, [folder]);
    shownVariables(launch);
    launchChanges(snapshotOf(before, testKey), snapshotOf(launch, testKey));
  }
}

/** What a repository has in files that a launch follows. */
export const fileSubjects: Subjects = {
  ...Object.fromEntries(
    ['npx server', 'pnpm dlx server', 'bunx server', 'uv run x.py'].map((line) => [
      `a file beside ${line}`,
      beside(line),
    ]),
  ),
  'a package.json beside npx server': beside('npx server', (text) =>
    JSON.stringify({ bin: { server: text } }),
  ),
  'an envFile': { most: definitionBounds.envFileBytes, take: readFrom },
  'a value in an envFile': {
    most: definitionBounds.envFileBytes - 10,
    take: (text) => [readFrom(`KEY='${text}'`), asked({ KEY: text })],
  },
  'the name of a variable in an envFile': {
    most: definitionBounds.envFileBytes - 10,
    take: (name) => asked({ [name]: 'a' }),
  },
  'variables of an envFile': {
    isList: true,
    most: definitionBounds.envFileLines,
    take: (_, pieces) => asked(Object.fromEntries(pieces.map((one, index) => [`${one}${index}`, one]))),
  },
};
