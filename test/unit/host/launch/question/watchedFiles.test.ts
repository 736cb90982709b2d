import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import {
  areUnchanged,
  chosenFiles,
  offeredFiles,
} from '../../../../../src/host/launch/question/watchedFiles.ts';
import { stdioServer } from '../../../support/definitions.ts';
import { launchOf } from '../../../support/launches.ts';

suite('The files that may be watched', () => {
  let folder: string;
  setup(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'watched-'));
  });
  teardown(() => rmSync(folder, { recursive: true, force: true }));

  test('are the first eight that are there, whatever else is named before them', () => {
    const missing = Array.from({ length: 50 }, (_, index) => path.join(folder, `no-${index}.js`));
    const there = Array.from({ length: 10 }, (_, index) => path.join(folder, `${index}.js`));
    there.forEach((file) => writeFileSync(file, file));
    assert.deepEqual(
      offeredFiles([...missing, ...there], []).map((one) => one.path),
      there.slice(0, 8),
    );
  });

  test('are kept as they were offered: those that were chosen, or else those that were kept before', () => {
    const [one, other] = ['a.js', 'b.js'].map((name) => path.join(folder, name));
    assert.ok(one !== undefined && other !== undefined);
    [one, other].forEach((file) => writeFileSync(file, 'x'));
    const launch = launchOf(stdioServer([]));
    const offered = offeredFiles([one, other], [{ path: other, sha256: 'old' }]);
    const paths = (chosen?: readonly string[]): readonly string[] =>
      chosenFiles(offered, chosen).map((file) => file.path);
    assert.deepEqual(paths(), [other]);
    assert.deepEqual(paths([one]), [one]);
    assert.deepEqual(paths([]), []);
    const kept = chosenFiles(offered, [one, other]);
    assert.ok(areUnchanged(kept, launch));
    writeFileSync(one, 'y');
    assert.ok(!areUnchanged(kept, launch));
    assert.ok(areUnchanged([], launch));
  });
});
