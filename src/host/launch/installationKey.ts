import { createHmac, randomBytes } from 'node:crypto';
import { linkSync, mkdirSync, readFileSync, unlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';

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
    const temporary = `${this.#file}.${randomBytes(8).toString('hex')}.tmp`;
    try {
      mkdirSync(path.dirname(this.#file), { recursive: true, mode: 0o700 });
      writeFileSync(temporary, key.toString('hex'), { flag: 'wx', mode: 0o600 });
      try {
        // Whole from its first moment, and only if no other window was first.
        linkSync(temporary, this.#file);
      } finally {
        unlinkSync(temporary);
      }
      return key;
    } catch {
      return this.#read() ?? key;
    }
  }
}
