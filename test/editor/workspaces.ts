import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'jsonc-parser';
import { node24, root } from './paths.mjs';
import { TemporaryFolder } from './temporaryFolder.ts';

/** A temporary copy of a workspace, because the editor writes into what it opens. */
export interface Workspace {
  readonly folder: TemporaryFolder;
  /** The `.code-workspace` file. */
  readonly file: string;
}

/** Two folders, `api` and `web`, in `multi.code-workspace`. */
export function multiRootWorkspace(): Workspace {
  const folder = new TemporaryFolder('workspace').fill(join(root, 'test/fixtures/workspaces'));
  return { folder, file: folder.join('multi.code-workspace') };
}

/** The demo's servers, which run from this project's dependencies; the first lives on roots. */
export const demoServers = {
  filesystem: nodeServer('server-filesystem'),
  everything: nodeServer('server-everything', 'stdio'),
};

/** A server of the fixtures. */
export function fixtureServer(file: string, ...parameters: readonly string[]) {
  const script = join(root, 'test/fixtures/servers', file);
  return { type: 'stdio', command: node24, args: [script, ...parameters] };
}

/** The demo: two folders, `notes` and `shop`, and servers, which are the demo's own unless others are given. */
export function demoWorkspace(servers: Readonly<Record<string, unknown>> = demoServers): Workspace {
  const folder = new TemporaryFolder('demo').fill(join(root, 'test/fixtures/demo'));
  const file = folder.join('demo.code-workspace');
  writeServers(file, servers);
  return { folder, file };
}

/** Makes a demo what it was at first, with other servers. */
export function fillDemo({ folder, file }: Workspace, servers: Readonly<Record<string, unknown>>): void {
  for (const name of readdirSync(folder.path)) {
    if (folder.join(name) !== file) {
      rmSync(folder.join(name), { recursive: true });
    }
  }
  const demo = new TemporaryFolder('demo').fill(join(root, 'test/fixtures/demo'));
  writeServers(demo.join('demo.code-workspace'), servers);
  folder.fill(demo.path);
  demo.remove();
}

/** Writes the servers into a `.code-workspace` file. */
export function writeServers(file: string, servers: Readonly<Record<string, unknown>>): void {
  const workspace = parse(readFileSync(file, 'utf8')) as { settings: Record<string, unknown> };
  workspace.settings['mcpHost.servers'] = servers;
  writeFileSync(file, `${JSON.stringify(workspace, undefined, 2)}\n`);
}

function nodeServer(name: string, ...parameters: readonly string[]) {
  const script = join(root, 'node_modules/@modelcontextprotocol', name, 'dist/index.js');
  return { type: 'stdio', command: node24, args: [script, ...parameters] };
}
