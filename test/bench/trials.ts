import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { node24 } from '../editor/paths.mjs';
import { TemporaryFolder } from '../editor/temporaryFolder.ts';
import type { Numbers, Task } from './node/worker.ts';
import type { Trials } from './result.ts';

const run = promisify(execFile);
const longestMs = 300_000;

/** What a pair of trials measures; see `Task`. */
export type Measured = Omit<Task, 'side' | 'folder'>;

/** Measures both sides in plain Node, each trial in a process of its own. */
export class NodeTrials {
  readonly #worker: string;
  readonly #isQuick: boolean;

  constructor(worker: string, isQuick: boolean) {
    this.#worker = worker;
    this.#isQuick = isQuick;
  }

  /** One side after the other, so often, after one trial that doesn't count: this host then knows its servers. */
  async alternating(measured: Measured, times: number): Promise<Trials> {
    const folder = new TemporaryFolder('bench');
    const trials = { own: [] as Numbers[], other: [] as Numbers[] };
    try {
      await this.#measure({ ...measured, side: 'own', folder: folder.path, ...this.#warmUp(measured) });
      for (let trial = 0; trial < (this.#isQuick ? 1 : times); trial += 1) {
        // The second one finds a machine that is warm.
        const sides = trial % 2 === 0 ? (['own', 'bare'] as const) : (['bare', 'own'] as const);
        for (const side of sides) {
          const numbers = await this.#measure({ ...measured, side, folder: folder.path });
          trials[side === 'own' ? 'own' : 'other'].push(numbers);
        }
      }
      console.log(`  ${words(measured)}`);
      return trials;
    } finally {
      folder.remove();
    }
  }

  /** Both sides at the same time, for what takes long and no processor. */
  async together(measured: Measured): Promise<Trials> {
    const folder = new TemporaryFolder('bench');
    try {
      const [own, other] = await Promise.all(
        (['own', 'bare'] as const).map((side) => this.#measure({ ...measured, side, folder: folder.path })),
      );
      return { own: own ? [own] : [], other: other ? [other] : [] };
    } finally {
      folder.remove();
    }
  }

  #warmUp({ measure }: Measured): Partial<Measured> {
    return measure === 'resources' || measure === 'folders' ? {} : { measure: 'starts', count: 1 };
  }

  async #measure(task: Task): Promise<Numbers> {
    const parameters = ['--expose-gc', this.#worker, JSON.stringify(task)];
    const { stdout } = await run(node24, parameters, { timeout: longestMs });
    return JSON.parse(stdout) as Numbers;
  }
}

/** What is measured, in words. */
function words({ measure, servers, count, http, args }: Measured): string {
  const switches = args.filter((one) => one.startsWith('--')).join(' ');
  const how = http ? 'over HTTP' : switches;
  return [`${measure}: ${servers} server${servers === 1 ? '' : 's'}, ${count} times`, how]
    .join(' ')
    .trimEnd();
}
