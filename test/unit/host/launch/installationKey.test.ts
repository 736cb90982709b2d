import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { InstallationKey } from '../../../../src/host/launch/installationKey.ts';

suite('The key of an installation', () => {
  let folder: string;
  let file: string;
  setup(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'mcp-host-'));
    file = path.join(folder, 'storage', 'launch-key');
  });
  teardown(() => rmSync(folder, { recursive: true, force: true }));

  test('is the same in all windows, and no other user can read it', () => {
    const [one, other] = [new InstallationKey(file), new InstallationKey(file)];
    assert.equal(one.hash('value'), other.hash('value'));
    assert.notEqual(one.hash('value'), one.hash('other'));
    assert.deepEqual(readdirSync(path.dirname(file)), ['launch-key']);
    if (process.platform !== 'win32') {
      assert.equal(statSync(file).mode & 0o777, 0o600);
    }
    assert.equal(new InstallationKey(file).hash('value'), one.hash('value'));
  });

  test('is another one elsewhere, and in no hash', () => {
    const [one, other] = [new InstallationKey(file), new InstallationKey(path.join(folder, 'other'))];
    assert.notEqual(one.hash('value'), other.hash('value'));
    assert.ok(!one.hash('').includes(readFileSync(file, 'utf8')));
  });

  test('lasts as long as the window where it cannot be kept', () => {
    writeFileSync(path.join(folder, 'storage'), 'no folder');
    const one = new InstallationKey(file);
    assert.equal(one.hash('value'), one.hash('value'));
    assert.notEqual(one.hash('value'), new InstallationKey(file).hash('value'));
  });

  test('is another one in each window while its file is incomplete', () => {
    mkdirSync(path.dirname(file));
    writeFileSync(file, 'ab');
    const [one, other] = [new InstallationKey(file), new InstallationKey(file)];
    assert.notEqual(one.hash('value'), other.hash('value'), 'each window asks for itself');
  });
});
