import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'jsonc-parser';
import { given, givenParameters } from '../../editor/givenOptions.ts';
import { root } from '../../editor/paths.mjs';
import { CodeServer } from '../../editor/codeServer.ts';

suite('What tests give to the editor', () => {
  test('refuses a setting that changes what people see', () => {
    const refused = { 'workbench.editor.useModal': 'off' };
    assert.throws(() => given('settings', refused), /'workbench\.editor\.useModal'.*givenOptions\.ts/);
    assert.throws(() => given('settings', { 'security.workspace.trust.startupPrompt': 'never' }));
    assert.throws(() => given('configuration', { settingsSyncOptions: {} }));
    assert.throws(() => given('payload', { profile: 'Second' }));
    assert.throws(() => givenParameters(['--vscode-option disable-notifications']));
  });

  test('takes what is listed, unsets it, and takes all settings of MCP Host', () => {
    const taken = { 'workbench.reduceMotion': 'on', 'http.proxy': null, 'mcpHost.servers': {} };
    assert.equal(given('settings', taken), taken);
    assert.deepEqual(givenParameters(['--vscode-option enable-smoke-test-driver']), [
      '--vscode-option',
      'enable-smoke-test-driver',
    ]);
  });

  test('refuses it when a server starts', async () => {
    const settings = { 'workbench.editor.useModal': 'off' };
    await assert.rejects(CodeServer.start({ settings }), /useModal/);
  });

  test('is listed, too, if it is in a workspace of the fixtures', () => {
    const files = globSync('test/fixtures/**/{*.code-workspace,settings.json}', {
      cwd: root,
      exclude: (name) => name === 'node_modules',
    });
    assert.ok(files.length >= 2);
    for (const file of files) {
      const content = parse(readFileSync(join(root, file), 'utf8')) as Record<string, unknown>;
      given(
        'settings',
        file.endsWith('.code-workspace') ? (content['settings'] as object as typeof content) : content,
      );
    }
  });

  test('is set in one place: tests call neither the API nor the command beside it', () => {
    const beside = globSync('test/{journey,host,editor}/**/*.{ts,mjs,js}', { cwd: root }).filter((file) => {
      const text = readFileSync(join(root, file), 'utf8');
      return /ready\.takeSettings|ConfigurationTarget\)?[^;]*\.update\(|getConfiguration\([^;]*\.update\(/.test(
        text,
      );
    });
    assert.deepEqual(beside.toSorted(), [
      'test/editor/fixtures/ready/main.js',
      'test/editor/workbench.ts',
      'test/host/support.ts',
    ]);
  });
});
