import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { takeLatestBuild } from '../../editor/latestBuild.ts';
import { TemporaryFolder } from '../../editor/temporaryFolder.ts';

const packagedAt = new Date('2026-01-01T12:00:00Z');

suite('the latest build', () => {
  let folder: TemporaryFolder;
  const take = () =>
    takeLatestBuild(folder.join('installed'), folder.join('dist'), folder.join('package.vsix'));
  const installed = (name: string) => readFileSync(folder.join('installed/dist', name), 'utf8');

  setup(() => {
    folder = new TemporaryFolder('latest-build');
    mkdirSync(folder.join('dist/webview'), { recursive: true });
    mkdirSync(folder.join('installed/dist'), { recursive: true });
    writeFileSync(folder.join('installed/dist/extension.cjs'), 'packaged');
    writeFileSync(folder.join('dist/extension.cjs'), 'built');
    writeFileSync(folder.join('dist/webview/review.js'), 'page');
    writeFileSync(folder.join('package.vsix'), '');
    utimesSync(folder.join('package.vsix'), packagedAt, packagedAt);
  });

  teardown(() => {
    folder.remove();
  });

  test('takes the place of what was packaged before', () => {
    take();
    assert.equal(installed('extension.cjs'), 'built');
    assert.equal(installed('webview/review.js'), 'page');
  });

  test('is left where it is when it was packaged', () => {
    const before = new Date(packagedAt.getTime() - 1000);
    utimesSync(folder.join('dist/extension.cjs'), before, before);
    take();
    assert.equal(installed('extension.cjs'), 'packaged');
  });

  test('is not taken while a build runs', () => {
    rmSync(folder.join('dist/extension.cjs'));
    take();
    assert.equal(installed('extension.cjs'), 'packaged');
  });
});
