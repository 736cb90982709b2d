import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { appendFileSync, readdirSync } from 'node:fs';
import { delimiter, dirname } from 'node:path';
import { copyCheckout } from './copyCheckout.ts';
import { expect } from './expectation.ts';
import { endLeftProcesses, marked } from './leftProcesses.mjs';
import { codeServerFolder } from './paths.mjs';
import { preparedVariable } from './prepared.ts';
import { TemporaryFolder } from './temporaryFolder.ts';

const startMs = 120_000;
const installed = 'node_modules';

/** `npm start` as a person runs it: in a checkout of its own, from a terminal that no script has prepared. */
export class NpmStart {
  readonly #mark = randomUUID();
  /** A copy of this checkout with what is built; what is installed is shared. */
  readonly #checkout = new TemporaryFolder('checkout');
  /** Where it keeps its temporary files. */
  readonly #temporary = new TemporaryFolder('start');
  #process: ChildProcess | undefined;
  #printed = '';

  constructor() {
    copyCheckout(this.#checkout.path);
  }

  /** What it has printed so far. */
  get printed(): string {
    return this.#printed;
  }

  /** Starts it, and gives the address that it prints. */
  async begin(...parameters: readonly string[]): Promise<string> {
    const options = { cwd: this.#checkout.path, env: this.#env, detached: true }; // a group, as in a terminal
    this.#process = spawn('npm', ['start', '--', ...parameters], options);
    const keep = (output: Buffer): void => {
      this.#printed += output.toString();
    };
    this.#process.stdout?.on('data', keep);
    this.#process.stderr?.on('data', keep);
    const hasOne = (text: string) => this.#hasEnded || /http:\S+\s/.test(text);
    const text = await expect('an address', () => Promise.resolve(this.#printed), hasOne, startMs);
    const [address] = /http:\S+/.exec(text) ?? [];
    if (address === undefined) {
      throw new Error(`npm start has ended. It printed:\n${text}`);
    }
    return address;
  }

  /** Changes the extension's code in the checkout, and runs `npm run build` there. */
  buildWith(code: string): void {
    appendFileSync(this.#checkout.join('src/extension.ts'), code);
    const options = { cwd: this.#checkout.path, env: this.#env, encoding: 'utf8' } as const;
    const { status, stderr } = spawnSync('npm', ['run', 'build'], options);
    if (status !== 0) {
      throw new Error(`The build failed.\n${stderr}`);
    }
  }

  /** Presses Ctrl-C and waits for the end; gives the files and processes that are left behind. */
  async interrupt(): Promise<readonly string[]> {
    if (this.#process?.pid !== undefined && !this.#hasEnded) {
      process.kill(-this.#process.pid, 'SIGINT');
      await expect('the end of npm start', () => Promise.resolve(this.#hasEnded), Boolean);
    }
    const processes = await endLeftProcesses(this.#mark);
    return [...readdirSync(this.#temporary.path), ...processes];
  }

  /** Ends it, if it has not ended yet, and removes its files. */
  async end(): Promise<void> {
    await this.interrupt();
    this.#temporary.remove();
    this.#checkout.remove();
  }

  get #hasEnded(): boolean {
    return this.#process?.exitCode !== null || this.#process.signalCode !== null;
  }

  /** As it was before `npm run` and the tests added to it. */
  get #env(): NodeJS.ProcessEnv {
    const own = Object.entries(process.env).filter(
      ([name]) => !/^npm_/i.test(name) && name !== preparedVariable,
    );
    const path = (process.env['PATH'] ?? '').split(delimiter).filter((folder) => !folder.includes(installed));
    const before = {
      ...Object.fromEntries(own),
      PATH: path.join(delimiter),
      TMPDIR: this.#temporary.path,
      NODE_DISABLE_COMPILE_CACHE: '1', // a newer Node's npm would leave its own there
      CODE_SERVER_DIR: dirname(codeServerFolder),
    };
    return marked(before, this.#mark);
  }
}
