import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './paths.mjs';
import { TemporaryFolder } from './temporaryFolder.ts';

const isWindows = process.platform === 'win32';

/** Opens the workspace with this extension in a profile of its own; returns when the window is closed. */
export async function openDesktop(editor: string, workspace: string, end: AbortSignal): Promise<void> {
  const profile = new TemporaryFolder('desktop');
  const data = profile.join('data');
  try {
    const parameters = [
      workspace,
      '--new-window',
      '--wait',
      `--user-data-dir=${data}`,
      `--extensions-dir=${profile.join('extensions')}`,
      `--extensionDevelopmentPath=${root}`,
    ];
    const window = spawn(editor, parameters, { stdio: 'inherit', shell: isWindows });
    console.log('Close its window, or press Ctrl-C here, to end it.');
    end.addEventListener('abort', () => {
      endMainProcess(data);
      window.kill();
    });
    await once(window, 'exit');
  } finally {
    profile.remove();
  }
}

/** The command only waits for the editor, which runs apart and leaves its process id in its folder. */
function endMainProcess(data: string): void {
  try {
    process.kill(Number(readFileSync(join(data, 'code.lock'), 'utf8')));
  } catch {
    // it has ended already
  }
}
