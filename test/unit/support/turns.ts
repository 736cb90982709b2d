import assert from 'node:assert/strict';

/** Milliseconds of processor time for which only a defect keeps the process from everything else, on a machine that takes `controlMs` for the control. */
const MOST_MS = 500;
const controlMs = 10;

/**
 * Measures the longest turn of the event loop from here to `end`: by the processor time of this thread, because a machine
 * under load lets a process wait, and against a control in the same process, because not every machine is as fast.
 */
export class Turns {
  #longest = 0;
  #last = process.threadCpuUsage();
  readonly #timer = setInterval(() => this.#look(), 5).unref();

  /** Ends the measurement, and expects that no turn took long. */
  end(what = 'the work'): void {
    this.#look();
    clearInterval(this.#timer);
    const most = (MOST_MS / controlMs) * control();
    assert.ok(this.#longest <= most, `${what} held up the process for ${this.#longest} of ${most} ms`);
  }

  #look(): void {
    const { user, system } = process.threadCpuUsage(this.#last);
    this.#last = process.threadCpuUsage();
    this.#longest = Math.max(this.#longest, (user + system) / 1_000);
  }
}

const sample = JSON.stringify(Array.from({ length: 10_000 }, (_, id) => ({ id, name: `name ${id}` })));

/** Milliseconds for the control: Windows counts processor time in steps of 10 to 16. */
const measuredMs = 50;

/** Milliseconds of processor time for work that is always the same. */
function control(): number {
  const started = process.threadCpuUsage();
  let ms = 0;
  let times = 0;
  while (ms < measuredMs) {
    JSON.stringify(JSON.parse(sample));
    times += 1;
    const { user, system } = process.threadCpuUsage(started);
    ms = (user + system) / 1_000;
  }
  return (3 * ms) / times;
}
