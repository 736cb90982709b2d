import { createHmac, randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createFileSync } from '../../base/files/atomicFile.ts';

const BYTES = 32;

/**
 * A random key of this installation, by which a value is known again that is kept nowhere: not even who guesses it can
 * tell from its hash. All windows have the same one; where it cannot be kept it lasts as long as this window.
 */
export class InstallationKey {
  readonly #file: string;
  #key: Buffer | undefined;

  constructor(file: string) {
    this.#file = file;
  }

  hash(text: string): string {
    this.#key ??= this.#read() ?? this.#create();
    return createHmac('sha256', this.#key).update(text).digest('hex');
  }

  #read(): Buffer | undefined {
    try {
      const key = Buffer.from(readFileSync(this.#file, 'utf8').trim(), 'hex');
      return key.length === BYTES ? key : undefined;
    } catch {
      return undefined;
    }
  }

  #create(): Buffer {
    const key = randomBytes(BYTES);
    try {
      createFileSync(this.#file, key.toString('hex'));
      return key;
    } catch {
      // Another window may have been first.
      return this.#read() ?? key;
    }
  }
}
