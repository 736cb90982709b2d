import assert from 'node:assert/strict';
import { isLoaderVariable } from '../../../../../src/host/launch/loaderVariables.ts';
import type { Launch } from '../../../../../src/host/launch/fingerprint.ts';
import { changedValues, launchChanges } from '../../../../../src/host/launch/question/launchChanges.ts';
import { snapshotOf } from '../../../../../src/host/launch/question/launchSnapshot.ts';
import type {
  HttpServerDefinition,
  StdioServerDefinition,
} from '../../../../../src/host/config/serverDefinition.ts';
import type { ResolvedLaunch } from '../../../../../src/host/launch/resolvedLaunch.ts';
import { httpServer, stdioServer } from '../../../support/definitions.ts';
import { launchOf, testKey } from '../../../support/launches.ts';

const stdio = stdioServer(['-y', 'server', '--quiet'], {
  command: 'npx',
  env: { TOKEN: 'secret', LEVEL: '3' },
  envFile: '.env',
  inputs: [{ type: 'promptString', id: 'token', password: true }],
});
const http = httpServer('https://me:secret@example.org/mcp?key=secret', {
  headers: { Authorization: 'secret' },
});
const process: Launch = {
  definition: stdio,
  workingDirectory: '/projects',
  envFile: { KEY: 'secret', NODE_OPTIONS: 'secret' },
};
const address: Launch = { definition: http, workingDirectory: '/projects', envFile: undefined };

const resolved = ({ definition, ...more }: Launch): ResolvedLaunch => launchOf(definition, more);

function changesBetween(before: Launch, now: Launch): string[] {
  const snapshot = snapshotOf(resolved(before), testKey);
  const later = snapshotOf(resolved(now), testKey, snapshot.salt);
  return launchChanges(snapshot, later, changedValues(snapshot, later, isLoaderVariable));
}

suite('What has changed since a launch was allowed', () => {
  const ofProcess = (more: Partial<StdioServerDefinition>): Launch => ({
    ...process,
    definition: { ...stdio, ...more },
  });
  const ofAddress = (more: Partial<HttpServerDefinition>): Launch => ({
    ...address,
    definition: { ...http, ...more },
  });
  const cases: [string, Launch, Launch, string[]][] = [
    ['nothing', process, process, []],
    ['nothing that counts', process, { ...process, envFile: { KEY: 'other', NODE_OPTIONS: 'secret' } }, []],
    ['the command', process, ofProcess({ command: 'a "b"' }), [`The command was "npx", now it is 'a "b"'.`]],
    [
      'an argument',
      process,
      ofProcess({ args: ['-y', 'evil\u202E', '--quiet'] }),
      [String.raw`Argument 2 was "server", now it is 'evil\u{202E}'.`],
    ],
    [
      'an argument in the middle',
      process,
      ofProcess({ args: ['-y', '-v', 'server', '--quiet'] }),
      ['Argument 2 is new: "-v".'],
    ],
    [
      'an argument less',
      process,
      ofProcess({ args: ['server', '--quiet'] }),
      ['Argument 1 is gone: it was "-y".'],
    ],
    [
      'all arguments',
      process,
      ofProcess({ args: ['a', 'b'] }),
      [
        'Argument 1 was "-y", now it is "a".',
        'Argument 2 was "server", now it is "b".',
        'Argument 3 is gone: it was "--quiet".',
      ],
    ],
    [
      'the same argument twice',
      process,
      ofProcess({ args: ['-y', '-y', 'server', '--quiet'] }),
      ['Argument 2 is new: "-y".'],
    ],
    [
      'the working directory',
      process,
      { ...process, workingDirectory: '/tmp' },
      ['The working directory was "/projects", now it is "/tmp".'],
    ],
    [
      'a path of Windows',
      process,
      { ...process, workingDirectory: String.raw`C:\Users\new user` },
      [String.raw`The working directory was "/projects", now it is "C:\Users\new user".`],
    ],
    [
      'variables',
      process,
      ofProcess({ env: { TOKEN: 'other', NEW: '1' } }),
      [
        'The environment variable LEVEL is gone.',
        'New environment variable: NEW.',
        'The value of the environment variable TOKEN has changed.',
      ],
    ],
    [
      'the envFile',
      process,
      ofProcess({ envFile: 'x.env' }),
      ['The file of environment variables was ".env", now it is "x.env".'],
    ],
    [
      'the content of the envFile',
      process,
      { ...process, envFile: { NODE_OPTIONS: 'other', PATH: 'x' } },
      [
        'The environment variable in ".env" KEY is gone.',
        'New environment variable in ".env": PATH.',
        'The value of NODE_OPTIONS in ".env" has changed: it decides which code programs load.',
      ],
    ],
    [
      'an input',
      process,
      ofProcess({ inputs: [{ type: 'promptString', id: 'token', password: false }] }),
      ['The declaration of the input token has changed.'],
    ],
    [
      'the address',
      address,
      ofAddress({ url: 'https://evil.example/mcp' }),
      ['The address was "https://…@example.org/mcp?key=…", now it is "https://evil.example/mcp".'],
    ],
    [
      'a key in the address',
      address,
      ofAddress({ url: 'https://me:secret@example.org/mcp?key=other' }),
      ['The credentials or values in the address have changed.'],
    ],
    [
      'a new sign-in',
      address,
      ofAddress({ oauth: { clientId: 'a\u202E', clientSecret: '${input:secret}', assumePkce: true } }),
      [
        String.raw`For the sign-in, the client ID is new: 'a\u{202E}'.`,
        'For the sign-in, the client secret is new: "${input:secret}".',
        'For the sign-in, the use of PKCE is new: "even if the issuer doesn\'t say that it supports it".',
      ],
    ],
    [
      'a sign-in',
      ofAddress({ oauth: { clientId: 'a', issuer: 'https://a.example', scopes: ['read'] } }),
      ofAddress({ oauth: { clientId: 'a', issuer: 'https://b.example', grantType: 'client_credentials' } }),
      [
        'For the sign-in, the list of scopes is gone: it was "read".',
        'For the sign-in, the issuer was "https://a.example", now it is "https://b.example".',
        'For the sign-in, the grant type is new: "client_credentials (the client signs in, without your account)".',
      ],
    ],
    [
      'headers',
      address,
      ofAddress({ headers: { Authorization: 'other', 'X-New': '' } }),
      ['The value of the header Authorization has changed.', 'New header: X-New.'],
    ],
    [
      'a reference in a header',
      ofAddress({ headers: { Authorization: 'Bearer ${env:READ_ONLY}', 'X-Old': 'a' } }),
      ofAddress({ headers: { Authorization: 'Bearer ${env:GITHUB_TOKEN}', 'X-New': '${env:HOME}' } }),
      [
        'The value of the header Authorization was "•••${env:READ_ONLY}", now it is "•••${env:GITHUB_TOKEN}".',
        'New header: X-New, with the value "${env:HOME}".',
        'The header X-Old is gone.',
      ],
    ],
    [
      'a reference instead of a text',
      process,
      ofProcess({ env: { TOKEN: 'secret', LEVEL: '${env:LEVEL}' } }),
      ['The value of the environment variable LEVEL was "•••", now it is "${env:LEVEL}".'],
    ],
    [
      'a text beside a reference',
      ofProcess({ env: { TOKEN: 'secret${env:A}' } }),
      ofProcess({ env: { TOKEN: 'other${env:A}' } }),
      ['The value of the environment variable TOKEN has changed.'],
    ],
    [
      'a reference in the address',
      ofAddress({ url: 'https://${env:ME}:secret@example.org/mcp?key=${env:A}&b=secret' }),
      ofAddress({ url: 'https://${env:ME}:secret@example.org/mcp?key=${env:B}&b=secret' }),
      [
        'The address was "https://${env:ME}…@example.org/mcp?key=${env:A}&b=…", ' +
          'now it is "https://${env:ME}…@example.org/mcp?key=${env:B}&b=…".',
      ],
    ],
    [
      'a process instead of an address',
      address,
      process,
      [
        'It was reached at an address, now it is a process.',
        'The command is new: "npx".',
        'The address is gone: it was "https://…@example.org/mcp?key=…".',
      ],
    ],
  ];
  for (const [what, before, now, expected] of cases) {
    test(`is described: ${what}`, () => {
      assert.deepEqual(changesBetween(before, now), expected);
    });
  }

  test('is described without keeping a value, and no two snapshots have the same hashes', () => {
    for (const launch of [process, address]) {
      const [one, other] = [
        JSON.stringify(snapshotOf(resolved(launch), testKey)),
        JSON.stringify(snapshotOf(resolved(launch), testKey)),
      ];
      assert.doesNotMatch(one, /secret/);
      assert.notEqual(one, other);
    }
  });

  test('has hashes of the values in an envFile that only this installation can make', () => {
    const { salt, envFileValues } = snapshotOf(resolved(process), testKey);
    const elsewhere = snapshotOf(resolved(process), { hash: (text) => testKey.hash(`other ${text}`) }, salt);
    for (const name of Object.keys(process.envFile ?? {})) {
      assert.notEqual(elsewhere.envFileValues?.[name], envFileValues?.[name], name);
    }
  });
});
