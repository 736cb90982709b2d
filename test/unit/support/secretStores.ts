import { readFileSync } from 'node:fs';
import { Emitter } from '../../../src/base/lifetime/event.ts';
import { replaceFileSync } from '../../../src/base/files/atomicFile.ts';
import type { SecretStore } from '../../../src/host/auth/accounts/accountVault.ts';

/** The secrets of a desktop: its windows share them, and hear of each change. */
export class SharedSecrets implements SecretStore {
  readonly values = new Map<string, string>();
  readonly #onDidChange = new Emitter<{ readonly key: string }>();
  readonly onDidChange = this.#onDidChange.event;

  async get(key: string): Promise<string | undefined> {
    return this.values.get(key);
  }

  async store(key: string, value: string): Promise<void> {
    this.values.set(key, value);
    this.#onDidChange.fire({ key });
  }

  async delete(key: string): Promise<void> {
    this.values.delete(key);
    this.#onDidChange.fire({ key });
  }
}

/**
 * The secrets of one window of code-server, in a file instead of the browser's storage: they are loaded once, and all of
 * them are written when one changes.
 */
export class SnapshotSecrets implements SecretStore {
  readonly onDidChange = new Emitter<{ readonly key: string }>().event;
  readonly #file: string;
  readonly #snapshot: Record<string, string>;

  constructor(file: string) {
    this.#file = file;
    this.#snapshot = readSecrets(file);
  }

  async get(key: string): Promise<string | undefined> {
    return this.#snapshot[key];
  }

  async store(key: string, value: string): Promise<void> {
    this.#snapshot[key] = value;
    replaceFileSync(this.#file, JSON.stringify(this.#snapshot));
  }
}

function readSecrets(file: string): Record<string, string> {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>;
  } catch {
    return {};
  }
}
