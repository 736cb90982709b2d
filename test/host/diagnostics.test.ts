import assert from 'node:assert/strict';
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import * as vscode from 'vscode';
import { allowAll, api, configure, fixtureServer, running, setSetting, until } from './support.ts';

const legacy = fixtureServer('legacyServer.ts');

/** Waits until what the extension says of a file fits. */
async function diagnosed(
  uri: vscode.Uri,
  fits: (ours: readonly vscode.Diagnostic[]) => boolean,
): Promise<readonly vscode.Diagnostic[]> {
  const ours = () => vscode.languages.getDiagnostics(uri).filter(({ source }) => source === 'MCP Host');
  const { promise, resolve, reject } = Promise.withResolvers<readonly vscode.Diagnostic[]>();
  const check = (): void => {
    if (fits(ours())) {
      resolve(ours());
    }
  };
  const subscription = vscode.languages.onDidChangeDiagnostics(check);
  const timer = setTimeout(
    () =>
      reject(
        new Error(
          `Not seen, but: ${ours()
            .map(({ message }) => message)
            .join('\n')}`,
        ),
      ),
    20_000,
  );
  check();
  return promise.finally(() => {
    clearTimeout(timer);
    subscription.dispose();
  });
}

async function fixesOf(uri: vscode.Uri, range: vscode.Range): Promise<readonly vscode.CodeAction[]> {
  const all = await vscode.commands.executeCommand<vscode.CodeAction[]>(
    'vscode.executeCodeActionProvider',
    uri,
    range,
    vscode.CodeActionKind.QuickFix.value,
  );
  // Those of other extensions are none of ours; the command does not tell whose an action is.
  return all.filter(({ title }) => /^(Rename|Remove|Insert|Declare) /.test(title));
}

suite('Diagnostics', () => {
  let web: vscode.WorkspaceFolder;
  let file: vscode.Uri;
  const write = (text: string) => vscode.workspace.fs.writeFile(file, new TextEncoder().encode(text));

  suiteSetup(() => {
    const folder = vscode.workspace.workspaceFolders?.find(({ name }) => name === 'web');
    assert.ok(folder);
    web = folder;
    file = vscode.Uri.joinPath(folder.uri, '.mcp.json');
  });

  suiteTeardown(async () => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    rmSync(file.fsPath, { recursive: true, force: true });
    await configure(vscode.ConfigurationTarget.Workspace, undefined);
    await configure(vscode.ConfigurationTarget.WorkspaceFolder, undefined, web);
    const host = await api();
    await until('no server', () => host.servers.length === 0);
  });

  test('show a typo at its line and fix it, while the other server keeps its process', async () => {
    await write(`{
  "mcpServers": {
    "steady": ${JSON.stringify(legacy)},
    // The one to come.
    "typo": { "comand": "nothing" /* by name */ },
  },
}
`);
    const host = await api();
    await until('a question', () => host.servers.some((one) => one.state === 'awaitingApproval'));
    await allowAll();
    const { pid } = await running('steady');
    const [found] = await diagnosed(file, ({ length }) => length === 1);
    assert.ok(found);
    assert.equal(found.range.start.line, 4);
    assert.equal(found.message, '"comand" is not a field of a stdio server: did you mean "command"?');

    const document = await vscode.workspace.openTextDocument(file);
    const [fix] = await fixesOf(file, found.range);
    assert.equal(fix?.title, 'Rename "comand" to "command"');
    assert.ok(fix.edit && (await vscode.workspace.applyEdit(fix.edit)));
    assert.equal(document.lineAt(3).text, '    // The one to come.');
    assert.equal(document.lineAt(4).text, '    "typo": { "command": "nothing" /* by name */ },');
    await diagnosed(file, ({ length }) => length === 0);
    await document.save();
    await until('the fixed server', () =>
      host.servers.some((one) => one.name === 'typo' && one.state === 'awaitingApproval'),
    );
    assert.equal((await running('steady')).pid, pid);
  });

  test('show where the JSON is broken, and nothing is stopped', async () => {
    const { pid } = await running('steady');
    await write('{\n  "mcpServers": {\n    "steady": }\n}\n');
    // The file may be read while it is being written, and then breaks off earlier.
    await diagnosed(
      file,
      ([first]) => first?.range.start.line === 2 && first.message.includes('not valid JSON'),
    );
    assert.equal((await running('steady')).pid, pid);
  });

  test('are shown in the settings of a folder and of the workspace too', async () => {
    const settings = vscode.Uri.joinPath(web.uri, '.vscode', 'settings.json');
    const { workspaceFile } = vscode.workspace;
    assert.ok(workspaceFile);
    const wrong = { wrong: { command: 'x', args: ['${input:lost}'] } };
    await configure(vscode.ConfigurationTarget.WorkspaceFolder, wrong, web);
    await configure(vscode.ConfigurationTarget.Workspace, { bad: { command: 'x', environment: {} } });
    const [inFolder] = await diagnosed(settings, ({ length }) => length === 1);
    assert.match(inFolder?.message ?? '', /^The input "lost" is not declared/);
    const [inWorkspace] = await diagnosed(workspaceFile, ({ length }) => length === 1);
    assert.match(inWorkspace?.message ?? '', /did you mean "env"\?$/);

    const document = await vscode.workspace.openTextDocument(settings);
    const [fix] = await fixesOf(settings, inFolder?.range ?? new vscode.Range(0, 0, 0, 0));
    assert.equal(fix?.title, 'Declare the input "lost"');
    assert.ok(fix.edit && (await vscode.workspace.applyEdit(fix.edit)));
    await document.save();
    await diagnosed(settings, ({ length }) => length === 0);
    await setSetting('mcpHost.inputs', undefined, vscode.ConfigurationTarget.WorkspaceFolder, web);
  });

  test('report a .mcp.json that is a directory; a symbolic link is read', async function () {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    rmSync(file.fsPath);
    mkdirSync(file.fsPath);
    await diagnosed(file, ([first]) => first?.message.includes('not a regular file') ?? false);
    rmSync(file.fsPath, { recursive: true });
    if (process.platform === 'win32') {
      this.skip();
    }
    const target = vscode.Uri.joinPath(web.uri, 'elsewhere.json').fsPath;
    writeFileSync(target, JSON.stringify({ mcpServers: { linked: legacy } }));
    symlinkSync(target, file.fsPath);
    const host = await api();
    await until('the server of the link', () =>
      host.servers.some((one) => one.name === 'linked' && one.state === 'awaitingApproval'),
    );
    rmSync(target);
  });
});
