import { cpSync, existsSync, symlinkSync } from 'node:fs';
import { basename, join } from 'node:path';
import { conformance, publishedServers, root } from './paths.mjs';

const installed = 'node_modules';
const notCopied = [installed, '.git', '.code-server', '.vscode-test', 'out'];

/** Copies this checkout into a folder, where a program may build and log what it likes; what is installed is shared. */
export function copyCheckout(into: string, except: readonly string[] = []): void {
  const left = new Set([...notCopied, ...except]);
  cpSync(root, into, {
    recursive: true,
    preserveTimestamps: true,
    filter: (file) => !left.has(basename(file)),
  });
  for (const folder of [root, conformance, publishedServers]) {
    const packages = join(folder, installed);
    if (existsSync(packages)) {
      symlinkSync(packages, packages.replace(root, into), 'junction');
    }
  }
}
