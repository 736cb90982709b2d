// The part of `npm start` that follows the set-up: see start.mjs.
import { randomBytes } from 'node:crypto';
import { buildExtension } from './build.ts';
import { CodeServer } from './codeServer.ts';
import { openDesktop } from './desktop.ts';
import { Door } from './door.ts';
import { takeLatestBuild } from './latestBuild.ts';
import { vsix } from './paths.mjs';
import { demoWorkspace } from './workspaces.ts';

const end = endSignal();
const demo = demoWorkspace();
try {
  await (process.argv[2] === 'desktop' ? openInDesktop() : openInBrowser());
} finally {
  demo.folder.remove();
}

async function openInDesktop(): Promise<void> {
  buildExtension();
  await openDesktop('code', demo.file, end);
}

/** Installs the packaged extension as everybody does, by the editor's own command. */
async function openInBrowser(): Promise<void> {
  console.log("Starts VS Code's server…");
  const server = await CodeServer.start({ audience: 'person', onSocket: true, trust: true, vsix: [vsix] });
  try {
    await serveUntilTheEnd(server);
  } finally {
    await server.stop();
  }
}

async function serveUntilTheEnd(server: CodeServer): Promise<void> {
  const installed = server.extensionFolder('mcp-host');
  const door = await Door.open({
    socket: server.place,
    token: randomBytes(24).toString('base64url'),
    landing: `/?${new URLSearchParams({ workspace: demo.file }).toString()}`,
    onPage: () => takeLatestBuild(installed),
  });
  try {
    console.log(`\nOpen VS Code with the demo workspace:\n\n  ${door.address}\n\nCtrl-C ends it.`);
    await aborted(end);
  } finally {
    await door.close();
  }
}

/** Aborted when the user, or the system, wants this to end. */
function endSignal(): AbortSignal {
  const controller = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => controller.abort());
  }
  return controller.signal;
}

async function aborted(signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  if (signal.aborted) {
    return;
  }
  signal.addEventListener('abort', () => resolve(), { once: true });
  await promise;
}
