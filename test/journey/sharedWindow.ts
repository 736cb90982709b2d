import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CodeServer } from '../editor/codeServer.ts';
import { expect } from '../editor/expectation.ts';
import { root, vsix } from '../editor/paths.mjs';
import { Workbench } from '../editor/workbench.ts';
import { demoServers, demoWorkspace, fillDemo, writeServers, type Workspace } from '../editor/workspaces.ts';
import type { Journey } from './support.ts';

const fixtures = ['probe', 'helper', 'caller'].map((name) => join(root, 'test/editor/fixtures', name));
/** What is kept of an earlier journey, in the folder of a server. */
const kept = ['data/User/globalStorage/mcphost.mcp-host', 'data/User/History'];

/** A window with the demo's two folders, and with all extensions of the fixtures. */
interface SharedWindow {
  readonly server: CodeServer;
  readonly workbench: Workbench;
  readonly demo: Workspace;
}

let window: SharedWindow | undefined;
/** The user's settings that the last journey has set. */
let taken: Settings = {};

type Settings = Readonly<Record<string, unknown>>;

/** What a journey defines in the shared window. */
export interface SharedOptions {
  /** The servers of the workspace; the demo's own unless others are given. */
  readonly servers?: Readonly<Record<string, unknown>>;
  /** The user's settings. */
  readonly settings?: Settings;
}

/**
 * Begins a journey in the one window that the journeys of this process share: loading a window takes 14 s of processor
 * time, and an extension host 2 s. Its extension host is a new one that finds the demo as it was, and nothing kept: no
 * decision, no pin, no request.
 */
export async function beginShared({ servers = demoServers, settings = {} }: SharedOptions = {}): Promise<
  Journey & { readonly demo: Workspace }
> {
  if (window) {
    await clear(window);
  } else {
    window = await open();
  }
  const { server, workbench, demo } = window;
  await workbench.restartExtensionHost(() => {
    kept.forEach((name) => rmSync(join(server.folder, name), { recursive: true, force: true }));
    fillDemo(demo, {});
  });
  await takeSettings(window, settings);
  writeServers(demo.file, servers);
  return { server, workbench, demo, end: () => Promise.resolve() };
}

/** Closes the shared window, if there is one. */
export async function endShared(): Promise<void> {
  const last = window;
  window = undefined;
  await last?.workbench.close();
  await last?.server.stop();
  last?.demo.folder.remove();
}

async function open(): Promise<SharedWindow> {
  const demo = demoWorkspace({});
  const server = await CodeServer.start({ vsix: [vsix], unpacked: fixtures });
  try {
    const workbench = await Workbench.open(server, { workspace: demo.file }, { folders: 2 });
    return { server, workbench, demo };
  } catch (error) {
    await server.stop();
    throw error;
  }
}

/** Sets the user's settings, and unsets those of the journey before. */
async function takeSettings({ server, workbench }: SharedWindow, settings: Settings): Promise<void> {
  const unset = [...Object.keys(taken), 'workbench.colorTheme'].map((name) => [name, null]);
  taken = settings;
  const all = { ...Object.fromEntries(unset), ...settings };
  const folder = join(server.folder, 'data/User/globalStorage/mcphost-test.ready');
  const file = join(folder, 'settings.json');
  mkdirSync(folder, { recursive: true });
  writeFileSync(file, JSON.stringify(all));
  await workbench.run('Ready: Take Settings');
  await expect(
    'the settings to be taken',
    () => Promise.resolve(existsSync(file)),
    (isLeft) => !isLeft,
  );
}

/** Puts away what the journey before has left in the window. */
async function clear(shared: SharedWindow): Promise<void> {
  const { workbench, demo } = shared;
  await workbench.quickInput.cancel();
  await takeSettings(shared, {});
  fillDemo(demo, {});
  const servers = await workbench.openView('MCP Host', 'Servers');
  await expect(
    'a view without servers',
    () => servers.rows(),
    (rows) => rows.length === 0,
  );
  await workbench.run('View: Close All Editors');
  await workbench.run('Notifications: Clear All Notifications');
}
