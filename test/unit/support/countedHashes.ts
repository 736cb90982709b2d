import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import type { Disposable } from '../../../src/base/lifetime/disposable.ts';

/** Counts how often a text with these words is hashed in this process, until it is disposed. */
export class CountedHashes implements Disposable {
  count = 0;
  readonly #hash = crypto.hash;

  constructor(words: string) {
    const hash = this.#hash;
    crypto.hash = ((algorithm: string, data: string) => {
      this.count += data.includes(words) ? 1 : 0;
      return hash(algorithm, data);
    }) as typeof crypto.hash;
    syncBuiltinESMExports();
  }

  dispose(): void {
    crypto.hash = this.#hash;
    syncBuiltinESMExports();
  }
}
