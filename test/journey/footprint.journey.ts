import assert from 'node:assert/strict';
import { statSync } from 'node:fs';
import type { Workbench } from '../editor/workbench.ts';
import { vsix } from '../editor/paths.mjs';
import { beginShared } from './sharedWindow.ts';

const maxVsixBytes = 1_000_000;
/** So wide that only a defect, such as loading the SDK, exceeds it. */
const maxActivationMs = 500;

suite('the footprint', () => {
  let workbench: Workbench;

  suiteSetup(async () => {
    ({ workbench } = await beginShared());
  });

  test('is a small package', () => {
    const { size } = statSync(vsix);
    console.log(`      The VSIX has ${Math.round(size / 1_000)} KB.`);
    assert.ok(size < maxVsixBytes);
  });

  test('is a short activation, as the editor itself measures it', async () => {
    await workbench.run('Developer: Startup Performance');
    // | extension | eager | load code | call activate | finish activate | …, in milliseconds
    const text = await workbench.editors.waitForText(/\|\s*mcphost\.mcp-host\s*\|/);
    const row = text.split('\n').find((line) => line.includes('mcphost.mcp-host')) ?? '';
    const [, , load, call] = row
      .split('|')
      .map((cell) => cell.trim())
      .filter((cell) => cell !== '')
      .map(Number);
    assert.ok(load !== undefined && call !== undefined && !Number.isNaN(load + call), row);
    console.log(`      Loading the code took ${load} ms, the synchronous part of activation ${call} ms.`);
    assert.ok(call < maxActivationMs);
  });
});
