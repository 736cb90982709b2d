import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { root } from '../editor/paths.mjs';

const program = fileURLToPath(new URL('suiteProgram.ts', import.meta.url));

/** The conformance suite in a process, which runs one scenario after the other. */
export class SuiteProcess {
  #child: ChildProcess | undefined;

  /**
   * Runs the suite with these parameters, and gives its exit code: 1 if a check fails, or the client.
   *
   * @throws if it ends without one, or takes longer than `ms` milliseconds.
   */
  async run(parameters: readonly string[], ms: number): Promise<number> {
    const child = (this.#child ??= fork(program, {
      cwd: root,
      env: { ...process.env, NODE_COMPILE_CACHE: join(root, 'out/compiled') }, // for the clients, too
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    }));
    const ended = new AbortController();
    const signal = AbortSignal.any([ended.signal, AbortSignal.timeout(ms)]);
    const end = (): void => ended.abort();
    child.once('exit', end);
    try {
      const answer = once(child, 'message', { signal });
      child.send(parameters);
      const [code] = (await answer) as [number];
      return code;
    } catch (cause) {
      this.close();
      throw new Error(`The suite has ended early, or took longer than ${ms / 1_000} s`, { cause });
    } finally {
      child.off('exit', end);
    }
  }

  close(): void {
    this.#child?.kill('SIGKILL');
    this.#child = undefined;
  }
}
