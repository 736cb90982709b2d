import { cpSync } from 'node:fs';
import { CodeServer } from './codeServer.ts';
import { vsix } from './paths.mjs';
import { partsOf, preparedVariable } from './prepared.ts';
import { Workbench } from './workbench.ts';

/** Chromium keeps what it has compiled of a script when it loads it again, and takes that from then on. */
const reloads = 2;

/** Fills a folder with what every window needs, and names it to the processes that are started after. */
export async function prepare(folder: string): Promise<void> {
  const { extension, caches } = partsOf(folder);
  const server = await CodeServer.start({ vsix: [vsix] });
  try {
    cpSync(server.extensionFolder('mcp-host'), extension, { recursive: true });
    const workbench = await Workbench.open(server, { empty: true });
    for (let count = 0; count < reloads; count += 1) {
      await workbench.reload();
    }
    await workbench.close(caches);
  } finally {
    await server.stop();
  }
  process.env[preparedVariable] = folder;
}
