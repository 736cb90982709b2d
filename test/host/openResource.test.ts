import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { Turns } from '../unit/support/turns.ts';
import { allowAll, api, call, configure, fixtureServer, running, until } from './support.ts';

const { Workspace } = vscode.ConfigurationTarget;

/** 10,000 resources in nested paths, and 20,000 in one flat list. */
const names = [
  ...Array.from(
    { length: 10_000 },
    (_, index) => `${index % 25}/part-${index % 7}/${index % 311}/file-${index}`,
  ),
  ...Array.from({ length: 20_000 }, (_, index) => `row-${index}`),
];

const queries = ['r', 'ro', 'row', 'row-19', 'part-3 file', 'file 31 many', 'nothing like this', ''];

suite('Open Resource', () => {
  const window = vscode.window as unknown as Record<string, unknown>;
  const original = vscode.window.createQuickPick;

  suiteTeardown(async () => {
    window['createQuickPick'] = original;
    await configure(Workspace, undefined);
    const host = await api();
    await until('no server', () => host.servers.length === 0);
  });

  test('says what to do when there is nothing to open', async () => {
    const shown: string[] = [];
    const showMessage = vscode.window.showInformationMessage;
    window['showInformationMessage'] = (message: string) => {
      shown.push(message);
      return Promise.resolve();
    };
    try {
      await vscode.commands.executeCommand('mcpHost.openResource');
      await configure(Workspace, { idle: { ...fixtureServer('legacyServer.ts'), autoStart: false } });
      const host = await api();
      await until('a server that does not run', () => host.servers[0]?.state === 'stopped');
      await vscode.commands.executeCommand('mcpHost.openResource');
    } finally {
      window['showInformationMessage'] = showMessage;
    }
    assert.deepEqual(shown, [
      'There is no MCP server yet. Add one in the MCP Host view, then open a resource.',
      'No MCP server is running. Start one in the MCP Host view, then open a resource.',
    ]);
  });

  test('does not hold up the extension host while you type among 30,000', async () => {
    await configure(Workspace, { many: fixtureServer('legacyServer.ts') });
    const host = await api();
    await until('a question', () => host.servers.some(({ state }) => state === 'awaitingApproval'));
    await allowAll();
    await running('many');

    // Nobody can type in this tier: the test holds the pick that the command creates.
    const held = Promise.withResolvers<ReturnType<typeof original>>();
    window['createQuickPick'] = () => {
      const input = original();
      held.resolve(input);
      return input;
    };
    const opened = vscode.commands.executeCommand('mcpHost.openResource');
    const input = await held.promise;
    const renewed = renewals(input);
    await call('many', 'list', { kind: 'resources', names });
    while (input.items.length < 200) {
      await renewed.next();
    }
    for (const typed of queries) {
      const turns = new Turns();
      const next = renewed.next();
      input.value = typed;
      await next;
      turns.end(`'${typed}'`);
      assert.equal(input.items.length, typed === 'nothing like this' ? 1 : 200);
    }
    input.hide();
    await opened;
  });
});

/** Tells when a pick gets its next rows. */
function renewals(input: vscode.QuickPick<vscode.QuickPickItem>): { next(): Promise<void> } {
  const accessor = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(input), 'items');
  let renewed = Promise.withResolvers<void>();
  Object.defineProperty(input, 'items', {
    configurable: true,
    get: () => accessor?.get?.call(input) as unknown,
    set: (items: unknown) => {
      accessor?.set?.call(input, items);
      const { resolve } = renewed;
      renewed = Promise.withResolvers();
      resolve();
    },
  });
  return { next: () => renewed.promise };
}
