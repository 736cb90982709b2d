import { createCipheriv, createDecipheriv, createHash, createHmac, hkdfSync, randomBytes } from 'node:crypto';
import { hasTexts, isRecord } from '../../../base/values/record.ts';

/** The version that this code writes. */
const VERSION = 1;
const CIPHER = 'aes-256-gcm';
const NONCE_BYTES = 12;

export const KEY_BYTES = 32;

/** What a file holds; `newer` was written by a later version of this extension. */
export type Stored<T> = { readonly kind: 'value'; readonly value: T } | NothingStored;

interface NothingStored {
  readonly kind: 'absent' | 'newer' | 'unreadable';
}

/** What is stored of a key: enough to know it again. */
export function hashOfKey(key: Buffer): string {
  return createHash('sha256').update('account key').update(key).digest('hex');
}

/**
 * Encrypts the files of one key in one file system, and names them. A file can be read under its own name only, and a
 * name says nothing about what it was made of without the key: the address of a server may have a secret in it.
 */
export class Sealing {
  /** The beginning of the hash of the key, which is part of each name. */
  readonly #keyId: string;
  readonly #fileSystem: string;
  readonly #key: Buffer;
  readonly #nameKey: Buffer;

  /** @param fileSystem The random id of the file system. */
  constructor(key: Buffer, fileSystem: string) {
    const derived = (purpose: string): Buffer =>
      Buffer.from(hkdfSync('sha256', key, fileSystem, `accounts ${purpose}`, KEY_BYTES));
    this.#keyId = hashOfKey(key).slice(0, 16);
    this.#fileSystem = fileSystem;
    this.#key = derived('content');
    this.#nameKey = derived('names');
  }

  /** The name of the file for something of one kind. */
  nameOf(kind: string, parts: readonly string[]): string {
    const hash = createHmac('sha256', this.#nameKey).update(JSON.stringify([kind, ...parts]));
    return `${kind}-${this.#keyId}-${hash.digest('hex')}.json`;
  }

  /** Whether it is the name of a file of one kind that this key can read. */
  isNameOf(kind: string, name: string): boolean {
    return name.startsWith(`${kind}-${this.#keyId}-`) && name.endsWith('.json');
  }

  seal(name: string, value: unknown): string {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv(CIPHER, this.#key, nonce).setAAD(this.#boundTo(name));
    const sealed = Buffer.concat([cipher.update(JSON.stringify(value)), cipher.final(), cipher.getAuthTag()]);
    const file = { version: VERSION, nonce: nonce.toString('base64'), sealed: sealed.toString('base64') };
    return `${JSON.stringify(file)}\n`;
  }

  unseal(name: string, text: string): Stored<unknown> {
    try {
      const file: unknown = JSON.parse(text);
      if (isRecord(file) && Number(file['version']) > VERSION) {
        return { kind: 'newer' };
      }
      if (hasTexts(file, 'nonce', 'sealed') && file['version'] === VERSION) {
        return { kind: 'value', value: JSON.parse(this.#opened(name, file.nonce, file.sealed)) as unknown };
      }
    } catch {
      // It was damaged, or is the file of another name, key or file system.
    }
    return { kind: 'unreadable' };
  }

  /** @throws when a byte is not as it was written. */
  #opened(name: string, nonce: string, sealed: string): string {
    const bytes = Buffer.from(sealed, 'base64');
    const decipher = createDecipheriv(CIPHER, this.#key, Buffer.from(nonce, 'base64'), { authTagLength: 16 });
    decipher.setAAD(this.#boundTo(name)).setAuthTag(bytes.subarray(-16));
    return Buffer.concat([decipher.update(bytes.subarray(0, -16)), decipher.final()]).toString('utf8');
  }

  #boundTo(name: string): Buffer {
    return Buffer.from(JSON.stringify([VERSION, this.#fileSystem, name]));
  }
}
