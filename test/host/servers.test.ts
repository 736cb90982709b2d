import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import {
  allowAll,
  answerLaunches,
  api,
  call,
  configure,
  fixtureServer,
  isAlive,
  received,
  running,
  server,
  setSetting,
  until,
} from './support.ts';

const { Global, Workspace, WorkspaceFolder } = vscode.ConfigurationTarget;
const legacy = fixtureServer('legacyServer.ts');

const folderNamed = (name: string): vscode.WorkspaceFolder => {
  const folder = vscode.workspace.workspaceFolders?.find((one) => one.name === name);
  assert.ok(folder, `there is no folder ${name}`);
  return folder;
};

suite('Servers', () => {
  suiteTeardown(async () => {
    await configure(Global, undefined);
    await configure(Workspace, undefined);
    for (const folder of vscode.workspace.workspaceFolders ?? []) {
      await configure(WorkspaceFolder, undefined, folder);
    }
    const host = await api();
    await until('no server', () => host.servers.length === 0);
  });

  test('asks before the first start, and starts what is allowed', async () => {
    await configure(Workspace, { one: legacy, two: legacy });
    const host = await api();
    await until(
      'two questions',
      () => host.servers.filter((one) => one.state === 'awaitingApproval').length === 2,
    );
    assert.equal((await server('one')).pid, undefined);
    await allowAll();
    await running('one');
    await running('two');
  });

  test('touches only the server whose definition has changed', async () => {
    const before = (await running('one')).pid;
    await configure(Workspace, { one: legacy, two: fixtureServer('legacyServer.ts', '--silent-probe') });
    const host = await api();
    await until('a question about two', () =>
      host.servers.some((one) => one.name === 'two' && one.state === 'awaitingApproval'),
    );
    assert.equal((await running('one')).pid, before);
  });

  test('does not ask again about a launch that was allowed', async () => {
    await configure(Workspace, { one: legacy, two: legacy });
    await running('two');
  });

  test('remembers a denial', async () => {
    await configure(Workspace, {
      one: legacy,
      two: legacy,
      three: fixtureServer('legacyServer.ts', '--noise'),
    });
    const host = await api();
    const three = await until('three', () =>
      host.servers.find((one) => one.name === 'three' && one.state === 'awaitingApproval'),
    );
    const answering = answerLaunches("Don't Allow");
    await vscode.commands.executeCommand('mcpHost.reviewQuestions', three.id);
    answering.dispose();
    await until('three denied', () => three.state === 'denied');
    await configure(Workspace, { one: legacy, two: legacy });
    await until('three gone', () => !host.servers.some((one) => one.name === 'three'));
    await configure(Workspace, {
      one: legacy,
      two: legacy,
      three: fixtureServer('legacyServer.ts', '--noise'),
    });
    await until('three denied again', () =>
      host.servers.some((one) => one.name === 'three' && one.state === 'denied'),
    );
  });

  test('stops the process of a server whose definition is removed', async () => {
    const { pid } = await running('two');
    await configure(Workspace, { one: legacy });
    const host = await api();
    await until('one server', () => host.servers.length === 1);
    while (isAlive(pid ?? 0)) {
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  });

  test('reads each layer separately, and never merges two', async () => {
    await configure(Global, { shared: legacy });
    await configure(Workspace, { one: legacy, shared: { ...legacy, args: ['from the workspace'] } });
    await configure(WorkspaceFolder, { inFolder: legacy }, folderNamed('api'));
    const host = await api();
    const names = await until('all layers', () => {
      const found = host.servers.map(({ name, origin }) => `${name} of the ${origin.scope}`).sort();
      return found.length === 3 && found;
    });
    assert.deepEqual(names, ['inFolder of the folder', 'one of the workspace', 'shared of the user']);
    await allowAll();
    await running('shared');
  });

  test('shares only its folder with a server that a folder defines', async () => {
    await running('inFolder');
    const { roots } = JSON.parse(await call('inFolder', 'roots')) as { roots: { name: string }[] };
    assert.deepEqual(
      roots.map(({ name }) => name),
      ['api'],
    );
  });

  test('reads .mcp.json, with comments, and follows its changes', async () => {
    const file = vscode.Uri.joinPath(folderNamed('web').uri, '.mcp.json');
    const write = (text: string) => vscode.workspace.fs.writeFile(file, new TextEncoder().encode(text));
    await write(`{ // shared by several tools\n "mcpServers": { "fromFile": ${JSON.stringify(legacy)} } }`);
    const host = await api();
    const asked = await until('the server of the file', () =>
      host.servers.find((one) => one.name === 'fromFile' && one.state === 'awaitingApproval'),
    );
    assert.deepEqual(asked.origin, { scope: 'folder', format: 'mcpJson' });
    await allowAll();
    const { pid } = await running('fromFile');
    await write('{ "mcpServers": { "fromFile": { "comm');
    await configure(WorkspaceFolder, undefined, folderNamed('api'));
    await until('the other file read', () => !host.servers.some((one) => one.name === 'inFolder'));
    assert.equal((await running('fromFile')).pid, pid, 'a half-typed file stops nothing');
    await vscode.workspace.fs.delete(file);
    await until('the server gone', () => !host.servers.some((one) => one.name === 'fromFile'));
  });

  test('says why a server fails, and what to do', async () => {
    await configure(Workspace, { one: legacy, lost: { command: 'no-such-command-anywhere' } });
    const host = await api();
    await until('a question', () =>
      host.servers.some((one) => one.name === 'lost' && one.state === 'awaitingApproval'),
    );
    await allowAll();
    const lost = await until('lost failed', () =>
      host.servers.find((one) => one.name === 'lost' && one.state === 'failed'),
    );
    assert.equal(lost.failure, "the command 'no-such-command-anywhere' was not found");
    await assert.rejects(lost.start(), /Server 'lost' could not start: the command/);
  });

  test('ends a cancelled call at once, and notifies the server', async () => {
    const one = await running('one');
    const source = new vscode.CancellationTokenSource();
    const call = one.callTool(
      'slow',
      { ms: 60_000, everyMs: 10 },
      { token: source.token, onProgress: () => source.cancel() },
    );
    await assert.rejects(call, vscode.CancellationError);
    assert.equal((await received('one'))['notifications/cancelled'], 1);
  });

  test('reads a resource', async () => {
    const { contents } = await (await running('one')).readResource('test:///note');
    assert.equal(contents[0]?.text, 'A note.');
  });

  test('starts, stops and restarts by command', async () => {
    const one = await running('one');
    const { pid } = one;
    await vscode.commands.executeCommand('mcpHost.stopServer', one.id);
    assert.equal(one.state, 'stopped');
    assert.equal(isAlive(pid ?? 0), false);
    await vscode.commands.executeCommand('mcpHost.startServer', one.id);
    await running('one');
    assert.notEqual(one.pid, pid);
    const second = one.pid;
    await vscode.commands.executeCommand('mcpHost.restartServer', one.id);
    await running('one');
    assert.notEqual(one.pid, second);
  });

  test("stops servers that the editor's settings turn off, also those of the workspace, and starts them again", async () => {
    await configure(Workspace, { one: legacy });
    const one = await running('one');
    for (const [value, target] of [
      ['none', Global],
      ['registry', Workspace],
    ] as const) {
      const { pid } = one;
      await setSetting('chat.mcp.access', value, target);
      await until('one stopped', () => one.state === 'forbidden');
      assert.equal(isAlive(pid ?? 0), false);
      await assert.rejects(one.start(), /Server 'one' could not start: the setting chat\.mcp\.access/);
      await setSetting('chat.mcp.access', undefined, target);
      await running('one');
    }
  });
});
