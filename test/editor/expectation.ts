import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';

/** How long a step waits for what it needs, unless it says otherwise: so long that only a defect takes longer. */
export const patience = 180_000;

/** Milliseconds between two looks: a fifth of the time waited so far, within these. A look takes 5 ms of processor time. */
const steps = { least: 50, most: 500 };
const navigating = Symbol('a window on its way to another page');

/**
 * Reads again and again until `accept` is content, and gives what was read. After `ms` it throws a
 * sentence that says what was expected and what was there.
 */
export async function expect<T>(
  what: string,
  read: () => Promise<T>,
  accept: (value: T) => boolean,
  ms: number = patience,
): Promise<T> {
  const started = Date.now();
  for (;;) {
    const value = await unlessNavigating(read);
    if (value !== navigating && accept(value)) {
      return value;
    }
    if (Date.now() - started > ms) {
      throw new Error(`Expected ${what} within ${ms / 1000} s; there was ${describe(value)}.`);
    }
    await delay(Math.min(steps.most, Math.max(steps.least, (Date.now() - started) / 5)));
  }
}

/**
 * The assertions of `node:assert` for what a window shows only after a while: what is read is asserted
 * again and again until the assertion holds. After {@link patience} it fails with what was there last.
 */
export const eventually = {
  equal: <T>(read: () => Promise<T>, expected: T, message?: string): Promise<void> =>
    untilAsserted(read, (value) => assert.equal(value, expected, message)),
  deepEqual: <T>(read: () => Promise<T>, expected: T, message?: string): Promise<void> =>
    untilAsserted(read, (value) => assert.deepEqual(value, expected, message)),
  match: (read: () => Promise<string>, expected: RegExp, message?: string): Promise<void> =>
    untilAsserted(read, (value) => assert.match(value, expected, message)),
  ok: (read: () => Promise<boolean>, message?: string): Promise<void> =>
    untilAsserted(read, (value) => assert.ok(value, message)),
  /** Several assertions of what is read at one moment. */
  all: <T>(read: () => Promise<T>, check: (value: T) => void): Promise<void> => untilAsserted(read, check),
};

async function untilAsserted<T>(read: () => Promise<T>, check: (value: T) => void): Promise<void> {
  let failure: unknown;
  const holds = (value: T): boolean => {
    try {
      check(value);
      return true;
    } catch (error) {
      failure = error;
      return false;
    }
  };
  const readNow = async (): Promise<T> => {
    failure = undefined;
    return read();
  };
  await expect('an assertion to hold', readNow, holds).catch((error: unknown) => {
    throw failure ?? error;
  });
}

/** What playwright says of a page or a frame that goes while it is read. */
const gone = /Execution context was destroyed|Frame was detached|Cannot find context with specified id/;

/** A window that goes over to another page, or loses the frame that is read, cannot be read for a moment. */
async function unlessNavigating<T>(read: () => Promise<T>): Promise<T | typeof navigating> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof Error && gone.test(error.message)) {
      return navigating;
    }
    throw error;
  }
}

function describe(value: unknown): string {
  if (value === navigating) {
    return String(navigating.description);
  }
  if (value === undefined || value === '' || (Array.isArray(value) && value.length === 0)) {
    return 'nothing';
  }
  return JSON.stringify(value);
}

/** Whether a text is the one looked for. */
export function matches(text: string, wanted: string | RegExp): boolean {
  return typeof wanted === 'string' ? text === wanted : wanted.test(text);
}

/** A text as the editor shows it: one kind of space, no line breaks. */
export function plain(text: string | null | undefined): string {
  return (text ?? '').replaceAll(/\s+/g, ' ').trim();
}
