import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileHash, fileState } from '../../../../src/base/files/fileHash.ts';

suite('The hash of a file', () => {
  let folder: string;
  setup(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'hash-'));
  });
  teardown(() => rmSync(folder, { recursive: true, force: true }));
  const at = (name: string): string => path.join(folder, name);

  test('is that of its content, also after several reads', () => {
    for (const content of ['', 'x', 'y'.repeat(600_000)]) {
      writeFileSync(at('file'), content);
      assert.equal(fileHash(at('file')), createHash('sha256').update(content).digest('hex'));
    }
  });

  test('is that of the target of a link', () => {
    writeFileSync(at('file'), 'x');
    symlinkSync('file', at('link'));
    assert.equal(fileHash(at('link')), fileHash(at('file')));
    rmSync(at('file'));
    assert.equal(fileHash(at('link')), undefined);
  });

  test('says why there is none: nothing is there, or nothing that can be read', () => {
    mkdirSync(at('folder'));
    for (const name of ['nothing', 'folder', path.join('nothing', 'file'), 'x'.repeat(300), 'a\0b']) {
      assert.equal(fileState(at(name)).kind, 'absent', name);
    }
    writeFileSync(at('file'), 'x'.repeat(11));
    const large = fileState(at('file'), { maxBytes: 10 });
    assert.equal(large.kind, 'unreadable');
    assert.deepEqual(fileState(at('file'), { maxBytes: 10 }), large);
    writeFileSync(at('file'), 'x'.repeat(12));
    assert.notDeepEqual(fileState(at('file'), { maxBytes: 10 }), large);
  });

  test('comes with the text where that is wanted, also when a character is cut by a read', () => {
    const text = `x${'\u00E4'.repeat(300_000)}`;
    writeFileSync(at('file'), text);
    const state = fileState(at('file'), { isTextWanted: true });
    assert.ok(state.kind === 'read' && state.text === text);
    const without = fileState(at('file'));
    assert.ok(without.kind === 'read' && without.text === '' && without.sha256 === state.sha256);
  });

  test('is undefined for a file that is too large, not regular or missing', () => {
    writeFileSync(at('file'), 'x'.repeat(11));
    assert.equal(fileHash(at('file'), 10), undefined);
    assert.notEqual(fileHash(at('file'), 11), undefined);
    mkdirSync(at('folder'));
    assert.equal(fileHash(at('folder')), undefined);
    assert.equal(fileHash(at('nothing')), undefined);
    assert.equal(fileHash('a\0b'), undefined);
  });

  test('does not wait for data in a pipe, and reads no device', function () {
    if (process.platform === 'win32') {
      this.skip();
    }
    execFileSync('mkfifo', [at('pipe')]);
    assert.equal(fileHash(at('pipe')), undefined);
    assert.equal(fileHash('/dev/zero'), undefined);
    // A file of unknown size: it is read to its end, and no further than is allowed.
    assert.equal(fileHash('/proc/self/status', 10), undefined);
  });
});
