import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../editor/paths.mjs';
import { resultsOf } from '../../windows/fileResults.ts';
import type { Event } from '../../windows/job.ts';
import { leftOut, reasonToLeaveOut } from '../../windows/leftOut.ts';

suite('The tests that are left out on Windows', () => {
  test('are in files that are there', () => {
    const places = leftOut.flatMap(({ tests }) =>
      tests.map((one) => (typeof one === 'string' ? one : one[0])),
    );
    assert.deepEqual(
      places.filter((place) => !existsSync(join(root, 'test/unit', place))),
      [],
    );
  });

  test('have a reason by their file and title, some of them only under Wine', () => {
    const ofLinks = {
      file: 'test/unit/base/files/fileHash.test.ts',
      title: 'The hash is that of the target of a link',
    };
    assert.match(reasonToLeaveOut(ofLinks, true) ?? '', /symbolic links/);
    assert.equal(reasonToLeaveOut(ofLinks, false), undefined);
    assert.equal(reasonToLeaveOut({ ...ofLinks, title: 'The hash is another' }, true), undefined);
    assert.ok(reasonToLeaveOut({ file: 'test/unit/editor/setup/any.test.ts', title: 'any' }, false));
  });
});

suite('The outcome of tests on Windows', () => {
  const tests = [
    { title: 'one' },
    { title: 'two', reason: 'not here' },
    { title: 'three' },
    { title: 'four' },
  ];
  const begun: readonly Event[] = [
    { kind: 'file', file: 'a', tests },
    { kind: 'begin', test: 0 },
    { kind: 'passed', test: 0 },
    { kind: 'skipped', test: 1 },
  ];
  const titles = (events: readonly Event[], problem?: string): unknown =>
    resultsOf(['a', 'b'], events, problem).map(({ file, passed, failures, leftOut: reasons }) => ({
      file,
      passed,
      failed: failures.map(({ title, error }) => `${title}: ${error}`),
      leftOut: reasons,
    }));

  test('counts what passed, failed and was left out, file by file', () => {
    const events: readonly Event[] = [
      ...begun,
      { kind: 'failed', test: 2, error: 'wrong' },
      { kind: 'passed', test: 3 },
      { kind: 'unreadable', file: 'b', error: 'bad syntax' },
    ];
    assert.deepEqual(titles(events), [
      { file: 'a', passed: 2, failed: ['three: wrong'], leftOut: ['not here'] },
      { file: 'b', passed: 0, failed: ['b: bad syntax'], leftOut: [] },
    ]);
  });

  test('has failed where a process hung, and leaves the files after it to another process', () => {
    assert.deepEqual(titles([...begun, { kind: 'begin', test: 2 }], 'It hung.'), [
      { file: 'a', passed: 1, failed: ['three: It hung.', 'four: It hung.'], leftOut: ['not here'] },
    ]);
  });

  test('has failed where nothing ran', () => {
    assert.deepEqual(titles([], 'It ended.'), [
      { file: 'a', passed: 0, failed: ['a: It ended.'], leftOut: [] },
    ]);
  });

  test('has failed for a test that skips itself and is not in the list', () => {
    const events: readonly Event[] = [
      { kind: 'file', file: 'a', tests: [{ title: 'one' }] },
      { kind: 'skipped', test: 0 },
    ];
    assert.match(JSON.stringify(titles(events)), /one: It skips itself/);
  });
});
