import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { fingerprintOf, type Launch } from '../../../../src/host/launch/fingerprint.ts';
import { isLoaderVariable } from '../../../../src/host/launch/loaderVariables.ts';
import type { InputDeclaration } from '../../../../src/host/config/serverDefinition.ts';
import { httpServer, stdioServer } from '../../support/definitions.ts';
import { launchOf } from '../../support/launches.ts';
import { runs } from '../../support/thoroughness.ts';

const token: InputDeclaration = { type: 'promptString', id: 'token', password: true };
const pick: InputDeclaration = {
  type: 'pickString',
  id: 'region',
  options: [{ label: 'Here', value: 'eu' }],
};

const definition = stdioServer(['-y', 'server'], {
  command: 'npx',
  env: { TOKEN: '${input:token}', LEVEL: '3' },
  envFile: '.env',
  cwd: 'tools',
  inputs: [token, pick],
});
const launch: Launch = {
  definition,
  workingDirectory: '/projects/tools',
  envFile: { KEY: 'secret', NODE_OPTIONS: '--no-warnings' },
};
const remote = httpServer('https://example.org/mcp', { headers: { Authorization: 'Bearer ${input:token}' } });
const overHttp: Launch = { definition: remote, workingDirectory: '/projects', envFile: undefined };

function printOf({ definition: written, workingDirectory, envFile }: Launch): string {
  return fingerprintOf(launchOf(written, { workingDirectory, envFile }));
}

suite('The fingerprint of a launch', () => {
  const changed: [string, Launch, Launch][] = [
    ['another command', launch, { ...launch, definition: { ...definition, command: 'bash' } }],
    ['an argument more', launch, { ...launch, definition: { ...definition, args: ['-y', 'server', ''] } }],
    [
      'arguments divided otherwise',
      launch,
      { ...launch, definition: { ...definition, args: ['-y server'] } },
    ],
    [
      'arguments in another order',
      launch,
      { ...launch, definition: { ...definition, args: ['server', '-y'] } },
    ],
    [
      'another value of a variable',
      launch,
      { ...launch, definition: { ...definition, env: { ...definition.env, LEVEL: '4' } } },
    ],
    [
      'a loader variable more',
      launch,
      { ...launch, definition: { ...definition, env: { ...definition.env, NODE_OPTIONS: '' } } },
    ],
    ['another cwd', launch, { ...launch, definition: { ...definition, cwd: './tools' } }],
    ['another working directory', launch, { ...launch, workingDirectory: '/elsewhere/tools' }],
    ['another envFile', launch, { ...launch, definition: { ...definition, envFile: '.env.local' } }],
    ['a name more in the envFile', launch, { ...launch, envFile: { ...launch.envFile, MORE: '' } }],
    ['a name less in the envFile', launch, { ...launch, envFile: { NODE_OPTIONS: '--no-warnings' } }],
    [
      'another value of a loader variable in the envFile',
      launch,
      { ...launch, envFile: { ...launch.envFile, NODE_OPTIONS: '--require=/tmp/x.js' } },
    ],
    ['an envFile that can no longer be read', launch, { ...launch, envFile: undefined }],
    ['an input less', launch, { ...launch, definition: { ...definition, inputs: [token] } }],
    [
      'an input that is no longer a password',
      launch,
      { ...launch, definition: { ...definition, inputs: [{ ...token, password: false }, pick] } },
    ],
    [
      'another default of an input',
      launch,
      { ...launch, definition: { ...definition, inputs: [{ ...token, default: 'x' }, pick] } },
    ],
    [
      'another address',
      overHttp,
      { ...overHttp, definition: { ...remote, url: 'https://example.org/mcp/' } },
    ],
    ['another transport', overHttp, { ...overHttp, definition: { ...remote, type: 'sse' } }],
    [
      'another header',
      overHttp,
      { ...overHttp, definition: { ...remote, headers: { Authorization: 'Bearer x' } } },
    ],
  ];
  for (const [what, one, other] of changed) {
    test(`is another one with ${what}`, () => {
      assert.notEqual(printOf(one), printOf(other));
    });
  }

  const same: [string, Launch, Launch][] = [
    [
      'variables in another order',
      launch,
      { ...launch, definition: { ...definition, env: { LEVEL: '3', TOKEN: '${input:token}' } } },
    ],
    ['inputs in another order', launch, { ...launch, definition: { ...definition, inputs: [pick, token] } }],
    [
      'another value in the envFile, which is the user’s to change',
      launch,
      { ...launch, envFile: { ...launch.envFile, KEY: 'renewed' } },
    ],
    [
      'another timeout, or switched off',
      launch,
      { ...launch, definition: { ...definition, timeout: 5, disabled: true, autoStart: false } },
    ],
    [
      'another working directory of a server that is no process',
      overHttp,
      { ...overHttp, workingDirectory: '/x' },
    ],
  ];
  for (const [what, one, other] of same) {
    test(`is the same with ${what}`, () => {
      assert.equal(printOf(one), printOf(other));
    });
  }

  test('is the same exactly when the launch is', () => {
    const text = fc.constantFrom('', 'a', 'b', 'a,b', '"', '["a"]', 'null', '__proto__');
    const name = fc.constantFrom('A', 'B', 'PATH', 'LD_PRELOAD', '__proto__');
    const record = fc.uniqueArray(fc.tuple(name, text), { selector: ([one]) => one, maxLength: 3 });
    const input = fc.record({ id: text, password: fc.boolean() });
    const launches = fc.record({
      command: text,
      args: fc.array(text, { maxLength: 3 }),
      env: record,
      cwd: fc.option(text, { nil: undefined }),
      envFile: fc.option(fc.tuple(text, fc.option(record)), { nil: undefined }),
      inputs: fc.uniqueArray(input, { selector: ({ id }) => id, maxLength: 2 }),
      workingDirectory: text,
    });
    type Parts = typeof launches extends fc.Arbitrary<infer T> ? T : never;
    const toLaunch = (parts: Parts): Launch => ({
      definition: stdioServer(parts.args, {
        command: parts.command,
        env: Object.fromEntries(parts.env),
        inputs: parts.inputs.map((one) => ({ type: 'promptString', ...one })),
        ...(parts.cwd !== undefined && { cwd: parts.cwd }),
        ...(parts.envFile && { envFile: parts.envFile[0] }),
      }),
      workingDirectory: parts.workingDirectory,
      envFile: parts.envFile?.[1] ? Object.fromEntries(parts.envFile[1]) : undefined,
    });
    // The same facts, said in another way than the code under test says them.
    const facts = ({ env, envFile, inputs, ...rest }: Parts): unknown => ({
      ...rest,
      env: new Map(env),
      inputs: new Map(inputs.map((one) => [one.id, one.password])),
      path: envFile?.[0],
      inFile:
        envFile?.[1] && new Map(envFile[1].map(([key, value]) => [key, isLoaderVariable(key) && value])),
    });
    const isSame = (one: Parts, other: Parts): boolean => {
      try {
        assert.deepEqual(facts(one), facts(other));
        return true;
      } catch {
        return false;
      }
    };
    fc.assert(
      fc.property(
        launches,
        launches,
        fc.constantFrom<keyof Parts>(
          'command',
          'args',
          'env',
          'cwd',
          'envFile',
          'inputs',
          'workingDirectory',
        ),
        (one, two, field) => {
          const others: Parts[] = [
            two,
            { ...one, [field]: two[field] },
            { ...one, env: one.env.toReversed() },
          ];
          for (const other of others) {
            assert.equal(printOf(toLaunch(one)) === printOf(toLaunch(other)), isSame(one, other));
          }
        },
      ),
      { numRuns: runs(2_000) },
    );
  });
});
