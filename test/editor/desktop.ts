import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './paths.mjs';
import { TemporaryFolder } from './temporaryFolder.ts';

const isWindows = process.platform === 'win32';

/** The command of a desktop VS Code that can be used here; undefined if there is none. */
export function desktopEditor(): string | undefined {
  const hasDisplay =
    process.platform !== 'linux' || Boolean(process.env['DISPLAY'] ?? process.env['WAYLAND_DISPLAY']);
  const isInsideAnEditor = process.env['VSCODE_IPC_HOOK_CLI'] !== undefined;
  const isRoot = process.getuid?.() === 0;
  return hasDisplay && !isInsideAnEditor && !isRoot && isNewEnough('code') ? 'code' : undefined;
}

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
    console.log('VS Code opens the demo workspace. Close its window, or press Ctrl-C here, to end it.');
    end.addEventListener('abort', () => {
      endMainProcess(data);
      window.kill();
    });
    await once(window, 'exit');
  } finally {
    profile.remove();
  }
}

function isNewEnough(editor: string): boolean {
  const { engines } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    engines: { vscode: string };
  };
  const [wantedMajor = 0, wantedMinor = 0] = numbers(engines.vscode);
  const { stdout } = spawnSync(editor, ['--version'], {
    encoding: 'utf8',
    timeout: 20_000,
    shell: isWindows,
  });
  const [major = 0, minor = 0] = numbers(stdout ?? '');
  return major === wantedMajor && minor >= wantedMinor;
}

function numbers(version: string): readonly number[] {
  return (version.match(/\d+/g) ?? []).map(Number);
}

/** The command only waits for the editor, which runs apart and leaves its process id in its folder. */
function endMainProcess(data: string): void {
  try {
    process.kill(Number(readFileSync(join(data, 'code.lock'), 'utf8')));
  } catch {
    // it has ended already
  }
}
