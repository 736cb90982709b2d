import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { allowAll, api, configure, fixtureServer, isAlive, running, until } from './support.ts';

const review = 'mcpHost.reviewDecisions';

/** Answers as a person would, and gives what was shown: dialogs are refused by the editor while tests run. */
function answering(button: string): { readonly shown: string[]; dispose(): void } {
  const window = vscode.window as unknown as Record<string, unknown>;
  const original = window['showWarningMessage'];
  const shown: string[] = [];
  window['showWarningMessage'] = (message: string, _options: unknown, ...items: vscode.MessageItem[]) => {
    shown.push(message);
    return Promise.resolve(items.find(({ title }) => title === button));
  };
  return {
    shown,
    dispose: () => {
      window['showWarningMessage'] = original;
    },
  };
}

/** The next quick pick that is opened. */
function watchingPicks(): {
  readonly next: Promise<vscode.QuickPick<vscode.QuickPickItem>>;
  dispose(): void;
} {
  const window = vscode.window as unknown as { createQuickPick: typeof vscode.window.createQuickPick };
  const original = window.createQuickPick;
  const { promise: next, resolve } = Promise.withResolvers<vscode.QuickPick<vscode.QuickPickItem>>();
  window.createQuickPick = <T extends vscode.QuickPickItem>() => {
    const pick = original<T>();
    resolve(pick);
    return pick;
  };
  return {
    next,
    dispose: () => {
      window.createQuickPick = original;
    },
  };
}

/** Highlights a row, and waits until the window says that it is: what is set here counts there a moment later. */
async function highlight(
  pick: vscode.QuickPick<vscode.QuickPickItem>,
  item: vscode.QuickPickItem,
): Promise<void> {
  const other = pick.items.find((one) => one !== item && one.kind !== vscode.QuickPickItemKind.Separator);
  // The window tells of a change alone: from another row to this one there is one.
  if (other) {
    await told(pick, other, 2_000);
  }
  assert.ok(await told(pick, item, 60_000), `'${item.label}' is not highlighted`);
}

/** Whether the window tells within that time that a row is highlighted. */
function told(
  pick: vscode.QuickPick<vscode.QuickPickItem>,
  item: vscode.QuickPickItem,
  withinMs: number,
): Promise<boolean> {
  return new Promise((resolve) => {
    const end = (isTold: boolean): void => {
      clearTimeout(timer);
      listener.dispose();
      resolve(isTold);
    };
    const timer = setTimeout(() => end(false), withinMs);
    const listener = pick.onDidChangeActive(([active]) => active === item && end(true));
    pick.activeItems = [item];
  });
}

suite('Decisions', () => {
  const { Workspace } = vscode.ConfigurationTarget;

  suiteTeardown(async () => {
    await configure(Workspace, undefined);
    const host = await api();
    await until('no server', () => host.servers.length === 0);
  });

  test('are shown by server, and a launch that is taken back stops its server', async () => {
    await configure(Workspace, { decided: fixtureServer('legacyServer.ts', '--noise') });
    const host = await api();
    await until('a question', () => host.servers.some(({ state }) => state === 'awaitingApproval'));
    await allowAll();
    const { pid } = await running('decided');
    const confirming = answering('Take Back');
    const { next, ...watching } = watchingPicks();
    try {
      const done = vscode.commands.executeCommand(review);
      const pick = await next;
      const item = pick.items.find(({ label }) => label === 'decided: may start');
      assert.ok(item, pick.items.map(({ label }) => label).join('\n'));
      assert.match(item.detail ?? '', /--noise/);
      assert.ok(pick.items.some(({ label }) => label === 'decided: sees all folders'));
      await highlight(pick, item);
      await vscode.commands.executeCommand('workbench.action.acceptSelectedQuickOpenItem');
      await until('the question again', () => host.servers.some(({ state }) => state === 'awaitingApproval'));
      assert.deepEqual(confirming.shown, ["Take back the decision that 'decided' may start?"]);
      assert.ok(!isAlive(pid ?? 0));
      // What is left is shown again, a moment later.
      const closing = setInterval(
        () => void vscode.commands.executeCommand('workbench.action.closeQuickOpen'),
        100,
      );
      await done;
      clearInterval(closing);
    } finally {
      watching.dispose();
      confirming.dispose();
    }
  });
});
