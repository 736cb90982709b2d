import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { UnknownRecord } from '../../src/base/values/record.ts';
import { allowAll, answerQuestions, api, call, configure, fixtureServer, running, until } from './support.ts';

suite('What servers ask', () => {
  const { Workspace } = vscode.ConfigurationTarget;

  suiteSetup(async () => {
    await configure(Workspace, {
      accounts: fixtureServer('addressServer.ts'),
      asker: fixtureServer('samplingServer.ts', '--method=elicitation/create'),
    });
    const host = await api();
    await until('two questions', () => host.servers.length === 2 && host.servers.every(isWaiting));
    await allowAll();
    await Promise.all([running('accounts'), running('asker')]);
  });

  suiteTeardown(async () => {
    await configure(Workspace, undefined);
    const host = await api();
    await until('no server', () => host.servers.length === 0);
  });

  const isWaiting = ({ state }: { readonly state: string }): boolean => state === 'awaitingApproval';

  /** Runs a tool that asks, does that in the panel, and gives the result of the tool. */
  async function acting(act: UnknownRecord, ...request: Parameters<typeof call>): Promise<string> {
    const answering = answerQuestions(() => ({ type: 'act', ...act }));
    const reviewing = setInterval(() => void vscode.commands.executeCommand('mcpHost.reviewQuestions'), 100);
    try {
      return await call(...request);
    } finally {
      clearInterval(reviewing);
      answering.dispose();
    }
  }

  test('opens an address of a server in the browser', async () => {
    const env = vscode.env as { openExternal: typeof vscode.env.openExternal };
    const { openExternal } = env;
    const opened: string[] = [];
    env.openExternal = async (uri) => {
      opened.push(uri.toString(true));
      return (await fetch(uri.toString(true).replace('/connect?', '/done?'))).ok;
    };
    try {
      assert.match(await acting({ act: 'open', index: 0 }, 'accounts', 'connect'), /"calls":\s*2/);
    } finally {
      env.openExternal = openExternal;
    }
    assert.equal(opened.length, 1);
  });

  test('is checked against patterns in the thread of the package', async () => {
    const code = { type: 'string', pattern: '^[A-Z]{3}$' };
    const params = { message: 'Which one?', requestedSchema: { type: 'object', properties: { code } } };
    const result = await acting({ act: 'submit', entered: ['ABC'] }, 'asker', 'ask', { params });
    assert.deepEqual(JSON.parse(result), { result: { action: 'accept', content: { code: 'ABC' } } });
  });
});
