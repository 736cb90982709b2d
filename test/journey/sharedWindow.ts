import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { sampleId } from '../../src/host/added/addedDefinitions.ts';
import { CodeServer } from '../editor/codeServer.ts';
import { expect } from '../editor/expectation.ts';
import { root, vsix } from '../editor/paths.mjs';
import { ScriptedModel } from '../editor/scriptedModel.ts';
import { TemporaryFolder } from '../editor/temporaryFolder.ts';
import { Workbench } from '../editor/workbench.ts';
import { demoServers, demoWorkspace, fillDemo, writeServers, type Workspace } from '../editor/workspaces.ts';

const fixtures = ['probe', 'caller'].map((name) => join(root, 'test/editor/fixtures', name));
/** What is kept of an earlier journey, in the folder of a server. */
const kept = ['data/User/globalStorage/mcphost.mcp-host', 'data/User/History'];
/** The user's settings that a journey may have changed in the window. */
const changeable = [
  'workbench.colorTheme',
  'mcpHost.servers',
  'mcpHost.inputs',
  'mcpHost.copilotServers',
  'mcpHost.sampling.models',
  'chat.tools.global.autoApprove',
  'chat.mcp.access',
  'chat.mcp.autostart',
  'chat.mcp.discovery.enabled',
  'chat.mcp.workspaceRootConfig.enabled',
];

/** A window with the demo's two folders, and with all extensions of the fixtures. */
export interface SharedWindow {
  readonly server: CodeServer;
  readonly workbench: Workbench;
  readonly demo: Workspace;
  /** The language models of the window. */
  readonly model: ScriptedModel;
  /** The home directory of the extension host. */
  readonly home: TemporaryFolder;
}

let window: SharedWindow | undefined;
/** The user's settings that the last journey has set. */
let taken: Settings = {};
/** Undoes what the last journey has changed in the installed extension. */
let restore = (): void => {};

type Settings = Readonly<Record<string, unknown>>;

/** What a journey defines in the shared window. */
export interface SharedOptions {
  /** The servers of the workspace; the demo's own unless others are given. */
  readonly servers?: Readonly<Record<string, unknown>>;
  /** The user's settings. */
  readonly settings?: Settings;
  /** Changes the installed extension in its folder, for this journey alone: what it gives undoes that. */
  readonly changeExtension?: (folder: string) => () => void;
}

/**
 * Begins a journey in the one window that the journeys of this process share: loading a window takes 8 s of processor
 * time, and another extension host 3 s with what is cleared for it. Its extension host is a new one that finds the demo as
 * it was, and nothing kept: no decision, no pin, no request. What the editor keeps in the browser stays: stored inputs, and
 * what a view looked like.
 */
export async function beginShared({
  servers = demoServers,
  settings = {},
  changeExtension = () => () => {},
}: SharedOptions = {}): Promise<SharedWindow> {
  const change = (server: CodeServer): void => {
    restore();
    restore = changeExtension(server.extensionFolder('mcp-host'));
  };
  if (window) {
    await clear(window, change);
  } else {
    window = await open(change);
  }
  await takeSettings(window, settings);
  writeServers(window.demo.file, servers);
  return window;
}

/** The shared window, if there is one, in the extension host of the journey before, with nothing open over the views. */
export async function tidyShared(): Promise<SharedWindow | undefined> {
  if (window) {
    await closeParts(window.workbench);
    await takeSettings(window, {});
    await window.workbench.execute('notifications.clearAll');
  }
  return window;
}

/** Closes the shared window, if there is one. */
export async function endShared(): Promise<void> {
  const last = window;
  window = undefined;
  await last?.workbench.close();
  await last?.server.stop();
  last?.demo.folder.remove();
  last?.model.remove();
  last?.home.remove();
}

async function open(change: (server: CodeServer) => void): Promise<SharedWindow> {
  const demo = demoWorkspace({});
  const model = new ScriptedModel();
  const home = new TemporaryFolder('home');
  const { unpacked, env } = model.options;
  const server = await CodeServer.start({
    vsix: [vsix],
    unpacked: [...fixtures, ...unpacked],
    env: { ...env, HOME: home.path },
  });
  try {
    change(server);
    const workbench = await Workbench.open(server, { workspace: demo.file }, { folders: 2 });
    return { server, workbench, demo, model, home };
  } catch (error) {
    await server.stop();
    throw error;
  }
}

/** Sets the user's settings, and unsets those of the journey before. */
async function takeSettings({ workbench }: SharedWindow, settings: Settings): Promise<void> {
  const unset = [...Object.keys(taken), ...changeable].map((name) => [name, null]);
  taken = settings;
  await workbench.takeSettings({ ...Object.fromEntries(unset), ...settings });
}

/** Puts away what the journey before has left in the window, and begins with another extension host. */
async function clear(shared: SharedWindow, change: (server: CodeServer) => void): Promise<void> {
  const { server, workbench, demo, model, home } = shared;
  await closeParts(workbench);
  await takeSettings(shared, {});
  // Before the folders: of a change of both at once, the editor takes the folders only.
  writeServers(demo.file, {});
  for (const name of ['notes/.mcp.json', 'notes/.vscode']) {
    rmSync(demo.folder.join(name), { recursive: true, force: true });
  }
  readdirSync(home.path).forEach((name) => rmSync(home.join(name), { recursive: true, force: true }));
  const servers = await workbench.openView('MCP Host', 'Servers');
  if ((await servers.rows()).some(({ label }) => label === 'sample')) {
    // It ends with its notification, which is cleared below.
    void workbench.execute('mcpHost.removeAddedServer', sampleId).catch(() => {});
  }
  await expect(
    'a view without servers',
    () => servers.rows(),
    (rows) => rows.every(({ label }) => label.endsWith("isn't available")), // a part of the extension, no server
  );
  fillDemo(demo, {});
  // The next extension host waits for as many folders as there are now.
  await expect(
    'the two folders of the demo',
    () => workbench.folderCount(),
    (count) => count === 2,
  );
  // By the palette: when the first folder has changed, the extension host is about to go.
  await workbench.run('Notifications: Clear All Notifications');
  await workbench.restartExtensionHost(() => {
    kept.forEach((name) => rmSync(join(server.folder, name), { recursive: true, force: true }));
    fillDemo(demo, {}); // what a server wrote while it ended
    model.forget();
    change(server);
  });
}

/** Closes what is open over and beside the views; a journey that failed may have left anything. */
async function closeParts(workbench: Workbench): Promise<void> {
  const { chat, dialog, quickInput, editors, page } = workbench;
  while (await dialog.isOpen()) {
    await page.keyboard.press('Escape');
  }
  await quickInput.cancel();
  const tabs = async () => {
    if (await dialog.isOpen()) {
      await dialog.answer("Don't Save");
    }
    return editors.tabs();
  };
  await editors.closeOver(); // such as the settings
  const closing = workbench.execute('workbench.action.closeAllEditors'); // may ask whether to save
  await expect('no editor', tabs, (open) => open.length === 0);
  await closing;
  if (await page.locator('.part.panel').isVisible()) {
    await workbench.execute('workbench.action.closePanel');
  }
  if (await chat.isOpen()) {
    await chat.close();
  }
}
