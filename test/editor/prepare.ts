import { cpSync } from 'node:fs';
import { CodeServer } from './codeServer.ts';
import { vsix } from './paths.mjs';
import { preparedVariable } from './prepared.ts';

/** Installs the packaged extension once, into a folder that the processes started after take it from. */
export async function prepare(folder: string): Promise<void> {
  const server = await CodeServer.start({ vsix: [vsix] });
  try {
    cpSync(server.extensionFolder('mcp-host'), folder, { recursive: true });
  } finally {
    await server.stop();
  }
  process.env[preparedVariable] = folder;
}
