// Takes the steps of a set-up, and says meanwhile how far it is.
import { ProgressLine } from './progressLine.mjs';

const everyMs = 500;

/**
 * Something to bring.
 * @typedef {object} Step
 * @property {string} what In the words of a list: 'the dependencies'.
 * @property {number} weight How much of the whole it is: about how many seconds with everything in npm's cache.
 * @property {() => boolean} isDone
 * @property {() => Promise<void>} run
 * @property {() => number} [share] While it runs: how much of it is done, from 0 to 1.
 */

/**
 * Takes the steps that are not done yet: rows side by side, the steps of one row after each other.
 * @param {readonly (readonly Step[])[]} rows
 * @param {ProgressLine} [line]
 */
export async function takeSteps(rows, line = new ProgressLine('set-up: ')) {
  const due = rows.map((row) => row.filter((step) => !step.isDone()));
  const steps = due.flat();
  if (steps.length === 0) {
    return;
  }
  const started = Date.now();
  /** @type {Set<Step>} */
  const running = new Set();
  /** @type {Set<Step>} */
  const done = new Set();
  line.say(`brings ${listed(steps.map(({ what }) => what))}.`);
  const show = () =>
    line.show(progressText({ steps, running, done, seconds: (Date.now() - started) / 1000 }));
  const timer = setInterval(show, everyMs);
  try {
    const rowsTaken = due.map((row) => takeRow(row, running, done));
    show();
    await allOf(rowsTaken);
  } finally {
    clearInterval(timer);
    line.clear();
  }
  line.say(`done in ${Math.ceil((Date.now() - started) / 1000)} s.`);
}

/**
 * Waits for all to end, so that none is left half done; then the first that failed fails.
 * @param {readonly Promise<void>[]} rows
 */
async function allOf(rows) {
  await Promise.allSettled(rows);
  await Promise.all(rows);
}

/**
 * @param {readonly Step[]} row
 * @param {Set<Step>} running
 * @param {Set<Step>} done
 */
async function takeRow(row, running, done) {
  for (const step of row) {
    running.add(step);
    await step.run();
    running.delete(step);
    done.add(step);
  }
}

/**
 * What is under way, how much is done, and how long it took so far. It says nothing about the rest: whether packages
 * come from npm's cache or from far away makes a difference of minutes.
 * @param {{ steps: readonly Step[], running: ReadonlySet<Step>, done: ReadonlySet<Step>, seconds: number }} state
 */
export function progressText({ steps, running, done, seconds }) {
  const whole = sum(steps.map((step) => step.weight));
  const share =
    sum(
      steps.map((step) => {
        const part = done.has(step) ? 1 : running.has(step) ? (step.share?.() ?? 0) : 0;
        return part * step.weight;
      }),
    ) / whole;
  const percent = Math.floor(share * 100);
  return `${percent} % after ${Math.round(seconds)} s: ${listed([...running].map((step) => step.what))}`;
}

/** @param {readonly string[]} names */
function listed(names) {
  const last = names.at(-1) ?? '';
  return names.length > 1 ? `${names.slice(0, -1).join(', ')} and ${last}` : last;
}

/** @param {readonly number[]} numbers */
function sum(numbers) {
  return numbers.reduce((total, number) => total + number, 0);
}
