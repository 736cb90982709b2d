import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { CodeServer, type CodeServerOptions } from '../editor/codeServer.ts';
import { eventually, expect } from '../editor/expectation.ts';
import { vsix } from '../editor/paths.mjs';
import type { RowPath, TreeRow, TreeView } from '../editor/treeView.ts';
import { Workbench, type Place, type WindowOptions } from '../editor/workbench.ts';

/** A window with the packaged extension, and its end. */
export interface Journey {
  readonly server: CodeServer;
  readonly workbench: Workbench;
  end(): Promise<void>;
}

/** How a journey begins. */
export interface JourneyOptions extends CodeServerOptions, WindowOptions {
  /** Called before the window opens: what is in the server's folder may be changed. */
  readonly beforeWindow?: (server: CodeServer) => void;
}

export async function begin(place: Place, options: JourneyOptions = {}): Promise<Journey> {
  const server = await CodeServer.start({ vsix: [vsix], ...options });
  try {
    options.beforeWindow?.(server);
    const workbench = await Workbench.open(server, place, options);
    return {
      server,
      workbench,
      end: async () => {
        await workbench.close();
        await server.stop();
      },
    };
  } catch (error) {
    await server.stop();
    throw error;
  }
}

export async function openServers(workbench: Workbench): Promise<TreeView> {
  return workbench.openView('MCP Host', 'Servers');
}

/** Reviews the waiting launches from the notification, allows each, and gives what the panel said of them. */
export async function allowServers(workbench: Workbench, count: number): Promise<readonly string[]> {
  await workbench.notifications.press(/waiting for your decision/, 'Review');
  return allowShown(workbench, count);
}

/** Allows each of the launches that the panel shows, and gives what it said of them. */
export async function allowShown(workbench: Workbench, count: number): Promise<readonly string[]> {
  const texts: string[] = [];
  for (const { title } of await workbench.review.waitFor(count)) {
    const [, label = ''] = /'(.*)'/.exec(title) ?? [];
    texts.push(await workbench.review.answer(label, 'Allow'));
  }
  await workbench.review.waitUntilClosed();
  return texts;
}

/** Whether the row of a server says that it runs. */
export function isRunning({ description }: TreeRow): boolean {
  return /^(running|[\d,]+ (tool|resource|prompt)s?)( · |$)/.test(description);
}

export async function waitUntilRunning(servers: TreeView, name: string): Promise<void> {
  await servers.waitForRow([name], 'run', isRunning);
}

/** Waits until a server is in a state, as its row says it. */
export async function waitForState(servers: TreeView, name: string, state: string): Promise<void> {
  await servers.waitForRow([name], `be ${state}`, ({ description }) => description === state);
}

/** Waits until no question waits for the user. */
export async function untilNothingIsAsked(workbench: Workbench): Promise<void> {
  await expect(
    'no question',
    () => workbench.statusBar.now(),
    (entries) => entries.every(({ text }) => !text.includes('waiting')),
  );
}

/** Nothing waits for the user: no notification, no status bar item, no command. */
export async function expectNoQuestion(workbench: Workbench): Promise<void> {
  await untilNothingIsAsked(workbench);
  assert.deepEqual(await workbench.notifications.told(), []);
  assert.equal(await workbench.offers('MCP Host: Review Questions'), false);
}

/** Takes a decision back, by its words in the list of all. */
export async function takeBack(workbench: Workbench, decision: string): Promise<void> {
  await workbench.runToInput('MCP Host: Review Decisions…', 'MCP Host: Decisions');
  await workbench.quickInput.pick(decision);
  await workbench.dialog.answer('Take Back');
  await workbench.quickInput.cancel();
}

/** Waits until a row says what is expected. */
export async function rowSays(tree: TreeView, path: RowPath, description: string): Promise<void> {
  const isSo = (row: TreeRow): boolean => row.description === description;
  await tree.waitForRow(path, `say '${description}'`, isSo);
}

/** Opens the page of a server, waits until a row of it says so, and closes the page; gives the row's tooltip. */
export async function pageSays(
  workbench: Workbench,
  tree: TreeView,
  server: string,
  [label, wanted]: readonly [label: string, wanted: RegExp],
): Promise<string> {
  await tree.runInline([server], 'Open Server');
  const tooltip = await workbench.serverOverview.waitForRow(label, wanted);
  await workbench.execute('workbench.action.closeActiveEditor');
  return tooltip;
}

/** Waits until the tooltip of a server says as whom it is used, or until it says nothing of that. */
export async function accountIsShown(tree: TreeView, server: string, isShown = true): Promise<void> {
  const isSo = (tooltip: string): void => assert.equal(/^Signed in: /m.test(tooltip), isShown, tooltip);
  await eventually.all(() => tree.tooltip(server), isSo);
}

/** Waits until the tree says of the folders of a server what is expected. */
export async function rootsAre(servers: TreeView, description: string, server = 'filesystem'): Promise<void> {
  await rowSays(servers, [server, 'Folders'], description);
}

/** Selects a tool in the list of all, and waits for its form. A tool without arguments runs then. */
export async function openTool(workbench: Workbench, title: string): Promise<void> {
  await workbench.executeToInput('mcpHost.runTool', 'Run Tool');
  await workbench.quickInput.pick(title);
  await workbench.toolForm.waitFor(title);
}

/** Opens the form of a tool and runs it with these arguments, by the labels of their fields. */
export async function startTool(
  workbench: Workbench,
  title: string,
  args: Readonly<Record<string, string>>,
): Promise<void> {
  await openTool(workbench, title);
  for (const [label, text] of Object.entries(args)) {
    await workbench.toolForm.fill(label, text);
  }
  await workbench.toolForm.run();
}

/** Runs a tool that has no arguments, gives its result, and closes its form. */
export async function resultOf(workbench: Workbench, title: string, words?: RegExp): Promise<string> {
  await openTool(workbench, title);
  const text = await workbench.toolForm.result(words);
  await workbench.execute('workbench.action.closeActiveEditor');
  return text;
}

/** Runs `list_allowed_directories` of server-filesystem, and gives the directories it names, once each. */
export async function allowedDirectories(workbench: Workbench): Promise<readonly string[]> {
  const text = await resultOf(workbench, 'List Allowed Directories', /Allowed directories:/);
  return [...new Set(text.split('\n').filter((line) => line.startsWith('/')))];
}

/** The process ids of this window's servers whose command line has that text. */
export async function processesOf(workbench: Workbench, text: string): Promise<readonly number[]> {
  const host = await workbench.extensionHost();
  return execFileSync('ps', ['-eo', 'ppid=,pid=,args='], { encoding: 'utf8' })
    .split('\n')
    .map((line) => /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line))
    .filter((match) => Number(match?.[1]) === host && match?.[3]?.includes(text))
    .map((match) => Number(match?.[2]));
}

/** The one process of a server; fails unless there is exactly one. */
export async function processOf(workbench: Workbench, text: string): Promise<number> {
  const [pid, ...others] = await processesOf(workbench, text);
  assert.ok(pid !== undefined && others.length === 0, `expected one process of ${text}`);
  return pid;
}

/** Waits until these processes have ended: the host promises five seconds, a machine under load gets more. */
export async function waitUntilEnded(pids: readonly number[]): Promise<void> {
  const living = () => Promise.resolve(pids.filter(isAlive));
  await expect(`processes ${pids.join(', ')} ended`, living, (alive) => alive.length === 0);
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** The steps of the walkthrough, and whether each is ticked. */
export async function walkthroughSteps(workbench: Workbench): Promise<Readonly<Record<string, boolean>>> {
  const { page } = workbench;
  await workbench.runToInput('Welcome: Open Walkthrough...');
  await workbench.quickInput.pick('Get Started with MCP Host');
  const steps = page.locator('.getting-started-step');
  const read = async (): Promise<Record<string, boolean>> =>
    Object.fromEntries(
      await steps.evaluateAll((all) =>
        all.map((step) => [
          step.querySelector('.step-title')?.textContent.trim() ?? '',
          step.querySelector('.codicon.complete') !== null,
        ]),
      ),
    );
  return expect('the steps of the walkthrough', read, (found) => Object.keys(found).length > 0);
}
