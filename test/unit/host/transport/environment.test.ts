import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { environmentFor } from '../../../../src/host/transport/environment.ts';

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

  test('has all that the definition says, over the editor’s own', () => {
    assert.deepEqual(
      environmentFor({ GITHUB_TOKEN: 'mine', PATH: '/bin' }, { PATH: '/usr/bin', HOME: '/root' }),
      {
        GITHUB_TOKEN: 'mine',
        PATH: '/bin',
        HOME: '/root',
      },
    );
  });

  test('has nothing but what is allowed or defined', () => {
    const record = fc.dictionary(fc.string({ minLength: 1 }), fc.string(), { noNullPrototype: true });
    fc.assert(
      fc.property(record, record, (defined, own) => {
        const environment = environmentFor(defined, own);
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
