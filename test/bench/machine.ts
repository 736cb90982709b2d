import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { cpus, release, totalmem, type } from 'node:os';
import { join } from 'node:path';
import { codeServerVersion, node24, root } from '../editor/paths.mjs';

/** The kind of machine, and the versions of what was measured on it. */
export interface Machine {
  readonly processors: string;
  readonly memory: string;
  readonly system: string;
  readonly versions: Readonly<Record<string, string>>;
}

export function machine(): Machine {
  const [first, ...others] = cpus();
  return {
    processors: `${others.length + 1} × ${first?.model.trim() ?? 'unknown'}`,
    memory: `${Math.round(totalmem() / 2 ** 30)} GB`,
    system: `${type()} ${release().replace(/-.*/, '')}`,
    versions: {
      'MCP Host': versionOf('package.json'),
      'Node.js': execFileSync(node24, ['--version'], { encoding: 'utf8' }).trim().slice(1),
      'MCP SDK': versionOf('node_modules/@modelcontextprotocol/client/package.json'),
      // The major version is code-server's own.
      'VS Code': codeServerVersion.replace(/^4\./, '1.'),
    },
  };
}

function versionOf(file: string): string {
  return (JSON.parse(readFileSync(join(root, file), 'utf8')) as { version: string }).version;
}
