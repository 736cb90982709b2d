import assert from 'node:assert/strict';
import path from 'node:path';
import { isInsideWorkspace } from '../../../../../src/host/launch/warnings/insideWorkspace.ts';

suite('A word of a launch on Windows', () => {
  const isInside = (word: string, workingDirectory = String.raw`C:\Users\me`): boolean =>
    isInsideWorkspace(word, workingDirectory, [String.raw`c:\Projects\Api`], path.win32);

  for (const word of [
    String.raw`c:\Projects\Api\server.mjs`,
    String.raw`C:\PROJECTS\api\server.mjs`,
    'C:/Projects/Api/server.mjs',
    'file:///C:/Projects/Api/server.mjs',
    '--import=file:///c%3A/projects/api/hook.mjs',
    String.raw`\Projects\Api\server.mjs`,
    String.raw`..\..\Projects\Api`,
  ]) {
    test(`names the workspace: ${word}`, () => assert.equal(isInside(word), true));
  }

  for (const word of [
    String.raw`C:\Projects\Api-secret\server.mjs`,
    String.raw`D:\Projects\Api\server.mjs`,
    String.raw`\\host\c$\Projects\Api\server.mjs`,
    'server.mjs',
  ]) {
    test(`names another place: ${word}`, () => assert.equal(isInside(word), false));
  }

  test('is taken from the working directory', () => {
    assert.equal(isInside('server.mjs', 'C:/projects/API'), true);
    assert.equal(isInside('C:server.mjs', 'C:/projects/API'), true);
    assert.equal(isInside(String.raw`..\server.mjs`, 'C:/projects/API'), false);
  });
});
