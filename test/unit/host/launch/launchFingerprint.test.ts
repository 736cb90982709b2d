import assert from 'node:assert/strict';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import * as fc from 'fast-check';
import { fingerprintOf } from '../../../../src/host/launch/fingerprint.ts';
import { changedValues, launchChanges } from '../../../../src/host/launch/question/launchChanges.ts';
import { snapshotOf } from '../../../../src/host/launch/question/launchSnapshot.ts';
import { isLoaderVariable } from '../../../../src/host/launch/loaderVariables.ts';
import type {
  DefinitionOrigin,
  InputDeclaration,
  ServerDefinition,
  StdioServerDefinition,
} from '../../../../src/host/config/serverDefinition.ts';
import type { ResolvedLaunch } from '../../../../src/host/launch/resolvedLaunch.ts';
import { withInputs } from '../../../../src/host/launch/resolveLaunch.ts';
import { readyLaunch } from '../../../../src/host/launch/readyLaunch.ts';
import { httpServer, ofUser, stdioServer } from '../../support/definitions.ts';
import { launchOf, noEnvFile, testKey } from '../../support/launches.ts';
import { runs } from '../../support/thoroughness.ts';
import { uriOnDisk } from '../../support/onDisk.ts';

const token: InputDeclaration = { type: 'promptString', id: 'token', password: true };
const ofExtension: DefinitionOrigin = { scope: 'extension', format: 'extension', place: 'x' };

suite('What was approved before variables counted', () => {
  // Fingerprints that are kept on people's machines: never change them here.
  const kept: [string, ServerDefinition, string][] = [
    [
      'a package',
      stdioServer(['-y', 'server@1.2.3'], { command: 'npx' }),
      '3e75c1c573fd0bb230e77950eef67dddfd6facf8da01ade1f76bc5cab1507bcf',
    ],
    [
      'variables and a directory',
      stdioServer(['x'], {
        command: 'npx',
        env: { LEVEL: '3', NODE_OPTIONS: '--no-warnings' },
        cwd: '/opt/server',
      }),
      'f3ba87367abe86aeda3a0211f15f13ee0182e8128a94406c36327dfdad995bc2',
    ],
    [
      'a token among its variables',
      stdioServer([], {
        command: 'npx',
        env: { TOKEN: '${input:token}', ROOTED: '${env:TOKEN}' },
        inputs: [token],
      }),
      '48d01666a9dd771b306689f84af19fe79b7cdb6cccdb1f629793086176b9b9eb',
    ],
    [
      'an address',
      httpServer('https://example.org/mcp'),
      '6c27afce5fa498328a73ca211b033960f99f183797c7a5dd6dc34f9edb7ad3f1',
    ],
    [
      'an address with a token',
      httpServer('https://example.org/mcp', {
        type: 'sse',
        headers: { Authorization: 'Bearer ${input:token}' },
        inputs: [token],
      }),
      '556e3bdd08ccf737e4e17b7a9571fa411a0f847c815b84ced4cdd8d50890536f',
    ],
    [
      'an address that says nothing about signing in',
      httpServer('https://example.org/mcp', { oauth: {} }),
      '6c27afce5fa498328a73ca211b033960f99f183797c7a5dd6dc34f9edb7ad3f1',
    ],
    [
      'the sample server',
      stdioServer(['/ext/mcp-host-9.9.9/${userHome}/sampleServer.cjs'], {
        origin: ofExtension,
        command: '/editor/node',
        env: { ELECTRON_RUN_AS_NODE: '1' },
        program: 'sample',
      }),
      'f9846c5c47f9af9219db86aab9ee876fff4e5bf7d2493f9b7027e593da78d955',
    ],
  ];
  for (const [what, definition, fingerprint] of kept) {
    test(`stays approved: ${what}`, () => {
      assert.equal(fingerprintOf(launchOf(definition)), fingerprint);
      const elsewhere = { folders: [{ uri: 'file:///projects/api', name: 'api' }], env: { TOKEN: 'x' } };
      assert.equal(fingerprintOf(launchOf(definition, elsewhere)), fingerprint);
    });
  }
});

suite('What was approved with variables', () => {
  // Fingerprints that are kept on people's machines: never change them here.
  const world = {
    folders: [{ uri: 'file:///projects/api', name: 'api' }],
    env: { RUNNER: 'npx', VERSION: '1.2', PATCH: '3', EMPTY: '', PATH: '/usr/bin' },
  };
  /** With a command that is the same on every machine. */
  const variableServer = (
    args: readonly string[],
    more: Partial<StdioServerDefinition> = {},
  ): StdioServerDefinition => stdioServer(args, { command: 'node', ...more });
  const kept: [string, StdioServerDefinition, string][] = [
    [
      'those of the environment',
      variableServer(['server@${env:VERSION}.${env:PATCH}', '${env:EMPTY}'], { command: '${env:RUNNER}' }),
      '0de4d8b39d44e13242b77bfc24ee967d05b06ba22202918cd2f6440e2962833f',
    ],
    [
      'those without a value',
      variableServer(['${env:MISSING}${env:EMPTY}', '${workspaceFolder:web}']),
      'cb49ea87e1007efd9e5ae4444d8393de2e9613bfdb45d95525efafbfb61ee7ed',
    ],
    [
      'places',
      variableServer(['${workspaceFolder}/x'], { env: { HOME: '${userHome}' }, cwd: '${workspaceFolder}' }),
      '57015cc1ade0d230c9f8a89c96d8b0bec25dcfcbdf2da8e64dab8460ae32e9d2',
    ],
    [
      'one that is handed on under its own name',
      variableServer([], { env: { PATH: '${env:PATH}:/opt/tools', LD_PRELOAD: '${env:PATH}' } }),
      '6f373c345a9d6890858974aded95b701cd8d080daaf689d9737016cd0754b013',
    ],
    [
      'an input',
      variableServer(['--token', '${input:token}'], { inputs: [token] }),
      'e5b6429fbd26445d95aa87a51b6854a2df62122388b1005193c21f356048085c',
    ],
    [
      'an input in a path',
      variableServer([], { envFile: '${input:token}.env', inputs: [token] }),
      '7a9222db01d97e604f05a34bcf7f14390f889e8e87490d520337edd843ac46f2',
    ],
    [
      'a file with variables',
      variableServer([], { envFile: '/opt/.env' }),
      '3f64d8d4124b62ca95e30b65ea7c200d88be864b216d61d3e18c6c67ba13be97',
    ],
  ];
  const envFile = { ZONE: 'eu', LD_PRELOAD: '/opt/lib.so', KEY: 'secret' };
  for (const [what, definition, fingerprint] of kept) {
    test(`stays approved: ${what}`, () => {
      assert.equal(fingerprintOf(launchOf(definition, { ...world, envFile })), fingerprint);
    });
  }

  test('stays approved with the same input', () => {
    const definition = variableServer(['--token', '${input:token}'], { inputs: [token] });
    assert.equal(
      fingerprintOf(launchOf(definition), { token: 'hash' }),
      'e0141e4290e42652ce5400f039b7cc27805b8aaf73bf569dde4a10f6671f3c0f',
    );
  });

  test('is asked about again with another input, or with one that was not given before', () => {
    const definition = variableServer(['--token=${input:token}'], { inputs: [token] });
    const prints = [{}, { token: 'hash' }, { token: 'other' }].map((given) =>
      fingerprintOf(launchOf(definition), given),
    );
    assert.equal(new Set(prints).size, 3);
    const unused = fingerprintOf(launchOf(definition), { token: 'hash', other: 'x' });
    assert.equal(unused, prints[1], 'what no variable takes does not count');
  });

  test('is asked about again where a place has become another, also if only a variable hands it on', () => {
    const definition = variableServer([], { env: { DATA: '${userHome}/data' } });
    const [here, there] = ['/home/me', '/home/you'].map((home) =>
      fingerprintOf(launchOf(definition, { home, workingDirectory: '/w' })),
    );
    assert.notEqual(here, there);
  });

  test('stays approved where two variables make the same text in another way', () => {
    const definition = variableServer(['${env:A}${env:B}']);
    const print = (env: NodeJS.ProcessEnv): string => fingerprintOf(launchOf(definition, { env }));
    assert.equal(print({ A: 'a', B: 'bc' }), print({ A: 'ab', B: 'c' }));
    assert.notEqual(print({ A: 'a', B: 'b' }), print({ A: 'b', B: 'a' }));
  });
});

/** What variables stand for at one moment. */
interface World {
  readonly env: Readonly<Record<string, string>>;
  readonly home: string;
  readonly folders: readonly { readonly uri: string; readonly name: string }[];
  readonly file: Readonly<Record<string, string>> | undefined;
}

interface Texts {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string | undefined;
  readonly envFile: string | undefined;
}

suite('Whatever a definition has variables in, and whatever their values are', () => {
  const stretch = fc.constantFrom(
    'a',
    'b',
    '/',
    '$',
    '}',
    '${env:A}',
    '${env:B}',
    '${env:PATH}',
    '${input:token}',
    '${nothing}',
    '${workspaceFolder}',
    '${workspaceFolder:web}',
    '${userHome}',
    '${pathSeparator}',
  );
  const text = fc.array(stretch, { maxLength: 4 }).map((parts) => parts.join(''));
  const value = fc.constantFrom('', 'a', 'b', 'ab', '${env:A}', '/x');
  const name = fc.constantFrom('KEY', 'NODE_OPTIONS', 'LD_PRELOAD', 'PATH');
  const texts: fc.Arbitrary<Texts> = fc.record({
    command: text,
    args: fc.array(text, { maxLength: 2 }),
    env: fc.dictionary(name, text, { maxKeys: 2 }),
    cwd: fc.option(text, { nil: undefined }),
    envFile: fc.option(text, { nil: undefined }),
  });
  const folder = fc.constantFrom('/projects/api', '/projects/other');
  const world: fc.Arbitrary<World> = fc.record({
    env: fc.dictionary(fc.constantFrom('A', 'B', 'PATH'), value),
    home: fc.constantFrom('/home/me', '/home/you'),
    folders: fc
      .record({ api: fc.option(folder), web: fc.option(folder) })
      .map((places) =>
        Object.entries(places).flatMap(([called, at]) =>
          at === null ? [] : [{ uri: uriOnDisk(at), name: called }],
        ),
      ),
    file: fc.option(fc.dictionary(name, value, { maxKeys: 2 }), { nil: undefined }),
  });

  const definitionOf = ({ cwd, envFile, args, ...more }: Texts): ServerDefinition =>
    stdioServer(args, {
      ...more,
      inputs: [token],
      ...(cwd !== undefined && { cwd }),
      ...(envFile !== undefined && { envFile }),
    });
  const launchIn = (written: Texts, { file, ...surroundings }: World): ResolvedLaunch =>
    launchOf(definitionOf(written), { ...surroundings, envFile: file });

  /** The same facts, found in another way than the code under test finds them. */
  function factsOf(written: Texts, { env, home, folders, file }: World): unknown {
    const meaning = (variable: string): string | undefined => {
      const [kind = '', detail] = variable.split(':');
      switch (kind) {
        case 'env':
          return env[detail ?? ''];
        case 'userHome':
          return home;
        case 'pathSeparator':
          return path.sep;
        case 'workspaceFolder': {
          const found = folders.find((one) => detail === undefined || one.name === detail);
          return found?.uri.slice('file://'.length);
        }
        default:
          return undefined;
      }
    };
    const fill = (one: string, own?: string): string =>
      one.replaceAll(/\$\{([^}]*)\}/g, (whole, variable: string) =>
        variable === `env:${own}` && own === 'PATH' ? `\0${whole}` : (meaning(variable) ?? `\0${whole}`),
      );
    const all = JSON.stringify(written);
    const places = ['userHome', 'workspaceFolder', 'workspaceFolder:web'].filter((one) =>
      all.includes(`\${${one}}`),
    );
    const known = (one: string | undefined): string | undefined =>
      one === undefined || fill(one).includes('\0') ? undefined : path.resolve(home, fill(one));
    return {
      written,
      command: fill(written.command),
      args: written.args.map((one) => fill(one)),
      cwd: fill(written.cwd ?? ''),
      workingDirectory: known(written.cwd ?? ''),
      envFile: fill(written.envFile ?? ''),
      path: known(written.envFile),
      places: places.map((one) => [one, meaning(one)]),
      loaded: new Map(
        Object.entries(written.env)
          .filter(([one]) => isLoaderVariable(one))
          .map(([one, filled]) => [one, fill(filled, one)]),
      ),
      file:
        known(written.envFile) === undefined || !file
          ? undefined
          : new Map(Object.entries(file).map(([one, read]) => [one, isLoaderVariable(one) ? read : ''])),
    };
  }

  test('two launches have one fingerprint exactly when all that counts is equal', () => {
    let equal = 0;
    fc.assert(
      fc.property(
        texts,
        world,
        world,
        fc.constantFrom<keyof World>('env', 'home', 'folders', 'file'),
        (written, one, two, part) => {
          for (const other of [two, { ...one, [part]: two[part] }]) {
            const [here, there] = [launchIn(written, one), launchIn(written, other)];
            const isSame = isDeepStrictEqual(factsOf(written, one), factsOf(written, other));
            equal += Number(isSame);
            assert.equal(fingerprintOf(here) === fingerprintOf(there), isSame);
          }
        },
      ),
      { numRuns: runs(4_000) },
    );
    assert.ok(equal > 20, 'some of them are equal');
  });

  test('a launch with another fingerprint says what has changed', () => {
    fc.assert(
      fc.property(texts, world, world, (written, one, other) => {
        const [here, there] = [launchIn(written, one), launchIn(written, other)];
        const before = snapshotOf(here, testKey);
        const now = snapshotOf(there, testKey, before.salt);
        const changes = launchChanges(before, now, changedValues(before, now, isLoaderVariable));
        assert.ok(changes.length > 0 || fingerprintOf(here) === fingerprintOf(there));
      }),
      { numRuns: runs(4_000) },
    );
  });

  test('two definitions have one fingerprint only if they are written alike', () => {
    fc.assert(
      fc.property(texts, texts, world, (one, other, around) => {
        const isSame = isDeepStrictEqual(factsOf(one, around), factsOf(other, around));
        assert.equal(fingerprintOf(launchIn(one, around)) === fingerprintOf(launchIn(other, around)), isSame);
      }),
    );
  });

  test('launches with one fingerprint start the same program in the same place', () => {
    fc.assert(
      fc.property(texts, world, world, (written, one, other) => {
        const [here, there] = [launchIn(written, one), launchIn(written, other)];
        if (fingerprintOf(here) !== fingerprintOf(there)) {
          return;
        }
        const [started, startedThere] = [here, there].map(startOf);
        if (started !== undefined && startedThere !== undefined) {
          assert.deepEqual(started, startedThere);
        }
      }),
      { numRuns: runs(4_000) },
    );
  });

  /** What runs, with the values of what is loaded; undefined when it does not start. */
  function startOf(launch: ResolvedLaunch): unknown {
    try {
      const { definition, cwd } = readyLaunch(launch);
      assert.ok(definition.type === 'stdio');
      const { command, args, env } = definition;
      // What every server gets may be another entry of `PATH`.
      const loaded = Object.entries(env).filter(([one]) => one !== 'PATH');
      return {
        command,
        args,
        cwd,
        loaded: new Map(loaded.map(([one, read]) => [one, isLoaderVariable(one) ? read : ''])),
      };
    } catch {
      return undefined;
    }
  }

  test('and so does a definition of .mcp.json', () => {
    const mcpJson: DefinitionOrigin = { scope: 'user', format: 'mcpJson', place: 'file:///m' };
    const print = (written: string, env: NodeJS.ProcessEnv): string =>
      fingerprintOf(launchOf(stdioServer([written], { origin: mcpJson }), { env }));
    assert.equal(print('${A:-x}', {}), print('${A:-x}', { A: 'x' }), 'what runs is the same');
    assert.notEqual(print('${A:-x}', {}), print('${A:-x}', { A: '' }));
    assert.notEqual(print('${A:-x}', {}), print('${A:-y}', {}));
    assert.equal(print('${A:-x}', { constructor: 'y' }), print('${A:-x}', {}));
  });

  test('a sign-in counts with what it becomes, its secrets as they are written', () => {
    const secret: InputDeclaration = { type: 'promptString', id: 'secret', password: true };
    const oauth = {
      clientId: '${env:ID}',
      issuer: 'https://${env:ISSUER}',
      scopes: ['${env:SCOPE}'],
      clientSecret: '${input:secret}',
    };
    const remote = httpServer('https://example.org/mcp', { oauth, inputs: [secret] });
    const print = (env: NodeJS.ProcessEnv, definition = remote): string =>
      fingerprintOf(launchOf(definition, { env }));
    const given = { ID: 'a', ISSUER: 'b', SCOPE: 'c' };
    assert.equal(print(given), print({ ...given, OTHER: 'x' }));
    for (const name of Object.keys(given)) {
      assert.notEqual(print(given), print({ ...given, [name]: 'other' }), name);
    }
    const whole = withInputs(launchOf(remote, { env: given }), new Map([['secret', 'x']]), noEnvFile);
    assert.equal(fingerprintOf(whole), print(given), 'you can change the secret without a question');
    for (const [field, value] of Object.entries({
      clientId: 'other',
      clientSecret: '${input:other}',
      privateKey: '${input:secret}',
      scopes: [],
      issuer: 'https://other.example',
      clientMetadataUrl: 'https://other.example/client.json',
      redirectUri: 'http://localhost:1/',
      grantType: 'client_credentials',
      assumePkce: true,
      omitResource: true,
    })) {
      const other = { ...remote, oauth: { ...oauth, [field]: value } };
      assert.notEqual(print(given, other), print(given), field);
      const before = snapshotOf(launchOf(remote, { env: given }), testKey);
      const changes = launchChanges(
        before,
        snapshotOf(launchOf(other, { env: given }), testKey, before.salt),
      );
      assert.notDeepEqual(changes, [], `a change of ${field} is described`);
    }
  });

  test('an address counts with what it becomes, a header as it is written', () => {
    const remote = httpServer('https://${env:HOST}/mcp', { headers: { Key: '${env:KEY}' }, origin: ofUser });
    const print = (env: NodeJS.ProcessEnv): string => fingerprintOf(launchOf(remote, { env }));
    assert.equal(print({ HOST: 'a', KEY: '1' }), print({ HOST: 'a', KEY: '2' }));
    assert.notEqual(print({ HOST: 'a' }), print({ HOST: 'b' }));
    assert.notEqual(print({ HOST: 'a' }), print({}));
  });
});
