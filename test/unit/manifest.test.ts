import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { contributedSettings } from './support/contributedSettings.ts';

interface Manifest {
  readonly contributes: {
    readonly commands: readonly { readonly command: string; readonly category?: string }[];
    readonly languageModelTools: readonly { readonly name: string; readonly when?: string }[];
    readonly walkthroughs: readonly {
      readonly steps: readonly { readonly id: string; readonly completionEvents: readonly string[] }[];
    }[];
  };
}

const manifest = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as Manifest;

const settings = contributedSettings<{ readonly scope?: string }>();

/** What a workspace may say: it proposes servers, and how long to wait for them. */
const ofResource = new Set(['mcpHost.servers', 'mcpHost.inputs', 'mcpHost.requestTimeout']);

suite('No file of a workspace can grant anything', () => {
  for (const [name, { scope }] of Object.entries(settings)) {
    test(`through the setting ${name}`, () => {
      assert.match(name, /^mcpHost\./);
      assert.equal(scope, ofResource.has(name) ? 'resource' : 'application');
    });
  }

  test('through a setting that says where decisions or definitions are read from', () => {
    const names = Object.keys(settings);
    assert.deepEqual(
      names.filter((name) => /approv|decision|trust|allow|path|file$/i.test(name)),
      [],
    );
  });
});

test('Every command has the category of the extension', () => {
  for (const { command, category } of manifest.contributes.commands) {
    assert.match(command, /^mcpHost\./);
    assert.equal(category, 'MCP Host', command);
  }
});

test('Models see the tools of MCP Host only while agent mode lacks a server that is available to chat', () => {
  assert.deepEqual(
    manifest.contributes.languageModelTools.map(({ name, when }) => [name, when]),
    ['mcpHost_findTools', 'mcpHost_callTool', 'mcpHost_readResource'].map((name) => [
      name,
      'mcpHost.hasChatTools',
    ]),
  );
});

suite('A step of the walkthrough is ticked by what was done, and by no click on its buttons', () => {
  for (const { id, completionEvents } of manifest.contributes.walkthroughs.flatMap(({ steps }) => steps)) {
    test(id, () => {
      assert.equal(completionEvents.length, 1);
      assert.match(completionEvents.join(), /^onContext:mcpHost\.isWelcomeOpen && mcpHost\.(has|is)\w+$/);
    });
  }
});
