import assert from 'node:assert/strict';
import { statSync } from 'node:fs';
import { vsix } from '../editor/paths.mjs';
import { demoWorkspace, type Workspace } from '../editor/workspaces.ts';
import { begin, type Journey } from './support.ts';

const maxVsixBytes = 1_000_000;
/** So wide that only a defect, such as loading the SDK, exceeds it. */
const maxActivationMs = 500;

suite('the footprint', () => {
  let demo: Workspace;
  let journey: Journey;

  suiteSetup(async () => {
    demo = demoWorkspace();
    journey = await begin({ workspace: demo.file }, { folders: 2 });
  });

  suiteTeardown(async () => {
    await journey?.end();
    demo?.folder.remove();
  });

  test('is a small package', () => {
    const { size } = statSync(vsix);
    console.log(`      The VSIX has ${Math.round(size / 1_000)} KB.`);
    assert.ok(size < maxVsixBytes);
  });

  test('is a short activation, as the editor itself measures it', async () => {
    const { workbench } = journey;
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
