import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { environmentFor, mergeEnvironments } from '../../../../src/host/processes/environment.ts';

suite('The environment of a server', () => {
  for (const name of [
    'npm_config_registry',
    'npm_package_name',
    'NPM_TOKEN',
    'VSCODE_IPC_HOOK',
    'VSCODE_PID',
    'ELECTRON_RUN_AS_NODE',
    'NODE_OPTIONS',
    'PWD',
    'OLDPWD',
    'INIT_CWD',
    'GITHUB_TOKEN',
    'AWS_SECRET_ACCESS_KEY',
    'DATABASE_URL',
    'SSH_AUTH_SOCK',
    'LD_PRELOAD',
    'BASH_ENV',
  ]) {
    test(`has no ${name} of the editor's own`, () => {
      assert.deepEqual(environmentFor({}, { [name]: 'x' }), {});
    });
  }

  for (const name of [
    'PATH',
    'HOME',
    'LANG',
    'LC_ALL',
    'TMPDIR',
    'HTTPS_PROXY',
    'https_proxy',
    'SystemRoot',
  ]) {
    test(`has the editor's ${name}`, () => {
      assert.deepEqual(environmentFor({}, { [name]: 'x' }), { [name]: 'x' });
    });
  }

  test('has no function that a shell has exported', () => {
    assert.deepEqual(environmentFor({}, { LANG: '() { :; }; echo' }), {});
  });

  test('has everything that the definition says, which overrides the editor’s own', () => {
    assert.deepEqual(
      environmentFor({ GITHUB_TOKEN: 'mine', PATH: '/bin' }, { PATH: '/usr/bin', HOME: '/root' }),
      {
        GITHUB_TOKEN: 'mine',
        PATH: '/bin',
        HOME: '/root',
      },
    );
  });

  test('has variables that are never inherited, if the definition names them', () => {
    const defined = {
      PWD: '/x',
      INIT_CWD: '/x',
      npm_config_yes: '1',
      VSCODE_PID: '1',
      ELECTRON_RUN_AS_NODE: '1',
    };
    assert.deepEqual(environmentFor(defined, { PWD: '/own', npm_config_yes: '0' }), defined);
  });

  test('has each variable once on Windows, where the case of a name is ignored', () => {
    const own = { PATH: 'C:\\own', SystemRoot: 'C:\\Windows', Temp: 'C:\\Temp' };
    assert.deepEqual(environmentFor({ Path: 'C:\\mine', SYSTEMROOT: 'D:' }, own, 'win32'), {
      Path: 'C:\\mine',
      SYSTEMROOT: 'D:',
      Temp: 'C:\\Temp',
    });
  });

  test('distinguishes the case of a name elsewhere', () => {
    const both = { PATH: '/own', Path: '/mine' };
    assert.deepEqual(environmentFor({ Path: '/mine' }, { PATH: '/own' }, 'linux'), both);
  });

  test('has `env` override `envFile`, in any spelling on Windows', () => {
    const file = { Path: 'file', PATH: 'file, too' };
    assert.deepEqual(mergeEnvironments([file, { path: 'env' }], 'win32'), { path: 'env' });
    assert.deepEqual(mergeEnvironments([file, { PATH: 'env' }], 'win32'), { PATH: 'env' });
  });

  test('has no value that is not a string, and no inherited property', () => {
    const odd = { A: undefined, B: null, C: 1, D: { toString: () => 'x' } } as unknown as Record<
      string,
      string
    >;
    assert.deepEqual(environmentFor(odd, { PATH: undefined }), {});
    const named = JSON.parse('{"__proto__":"x"}') as Record<string, string>;
    assert.deepEqual(Object.entries(environmentFor(named, {})), [['__proto__', 'x']]);
  });

  test('has only variables that are allowed or defined', () => {
    const record = fc.dictionary(fc.string({ minLength: 1 }), fc.string(), { noNullPrototype: true });
    fc.assert(
      fc.property(record, record, (defined, own) => {
        const environment = environmentFor(defined, own, 'linux');
        for (const [name, value] of Object.entries(environment)) {
          assert.equal(value, Object.hasOwn(defined, name) ? defined[name] : own[name]);
        }
        for (const name of Object.keys(defined)) {
          assert.ok(Object.hasOwn(environment, name));
        }
      }),
    );
  });
});
