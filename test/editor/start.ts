// The part of `npm start` that follows the set-up: see start.mjs.
import { randomBytes } from 'node:crypto';
import { parseArgs } from 'node:util';
import { buildExtension } from './build.ts';
import { CodeServer } from './codeServer.ts';
import { desktopEditor, openDesktop } from './desktop.ts';
import { developmentCopy } from './developmentCopy.ts';
import { Door } from './door.ts';
import { demoWorkspace } from './workspaces.ts';

const { values: options } = parseArgs({ options: { web: { type: 'boolean' } } });
const end = endSignal();
buildExtension();
const demo = demoWorkspace();
try {
  const editor = options.web ? undefined : desktopEditor();
  await (editor === undefined ? openInBrowser() : openDesktop(editor, demo.file, end));
} finally {
  demo.folder.remove();
}

async function openInBrowser(): Promise<void> {
  const extension = developmentCopy();
  try {
    const server = await CodeServer.start({
      audience: 'person',
      onSocket: true,
      trust: true,
      unpacked: [extension.path],
    });
    try {
      await serveUntilTheEnd(server);
    } finally {
      await server.stop();
    }
  } finally {
    extension.remove();
  }
}

async function serveUntilTheEnd(server: CodeServer): Promise<void> {
  const door = await Door.open({
    socket: server.place,
    token: randomBytes(24).toString('base64url'),
    landing: `/?${new URLSearchParams({ workspace: demo.file }).toString()}`,
  });
  try {
    console.log(`\nOpen VS Code with the demo workspace:\n\n  ${door.address}\n\nCtrl-C ends it.`);
    await aborted(end);
  } finally {
    await door.close();
  }
}

/** Aborted when the person, or the system, wants this to end. */
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
