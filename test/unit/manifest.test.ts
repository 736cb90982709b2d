import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { contributedSettings } from './support/contributedSettings.ts';

interface MenuItem {
  readonly command?: string;
  readonly submenu?: string;
  readonly when?: string;
}

interface Manifest {
  readonly contributes: {
    readonly commands: readonly { readonly command: string; readonly category?: string }[];
    readonly keybindings: readonly { readonly command: string }[];
    readonly menus: Readonly<Record<string, readonly MenuItem[]>>;
    readonly submenus: readonly { readonly id: string }[];
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

suite('The commands', () => {
  const { commands, keybindings, menus, submenus } = manifest.contributes;
  const all = commands.map(({ command }) => command);
  const { commandPalette = [], ...others } = menus;
  const hidden = new Set(commandPalette.flatMap(({ command, when }) => (when === 'false' ? command : [])));
  const placed = Object.values(others).flat();

  test('are at most 30 in the palette', () => {
    const shown = all.filter((command) => !hidden.has(command));
    assert.ok(shown.length <= 30, shown.join('\n'));
  });

  test('are in a menu if they are not in the palette', () => {
    const found = new Set(placed.map(({ command }) => command));
    assert.deepEqual(
      [...hidden].filter((command) => !found.has(command)),
      [],
    );
  });

  test('are there wherever the manifest names one', () => {
    const texts = readFileSync(new URL('../../package.nls.json', import.meta.url), 'utf8');
    const linked = [...texts.matchAll(/command:(mcpHost\.[\w.]+)/g)].map(([, command = '']) => command);
    assert.ok(linked.length > 20);
    const named = [...commandPalette, ...placed, ...keybindings].flatMap(({ command }) => command ?? []);
    assert.deepEqual(
      [...named, ...linked].filter((command) => !all.includes(command) && !command.endsWith('.focus')),
      [],
    );
    const opened = placed.flatMap(({ submenu }) => submenu ?? []);
    assert.deepEqual(
      opened,
      submenus.map(({ id }) => id),
    );
    assert.ok(opened.every((id) => id in menus));
  });
});

test('Models see the tools of MCP Host only while agent mode lacks a server that is in chat', () => {
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
