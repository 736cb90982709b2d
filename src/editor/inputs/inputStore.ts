import type * as vscode from 'vscode';
import { CancellationError } from '../../base/lifetime/cancellation.ts';
import type { InputSource } from '../../host/config/inputSource.ts';
import type { DefinitionOrigin, InputDeclaration } from '../../host/config/serverDefinition.ts';

/** Asks the user for the value of an input; undefined without an answer. */
export type AskForInput = (
  declaration: InputDeclaration,
  origin: DefinitionOrigin,
  signal: AbortSignal,
) => Promise<string | undefined>;

export interface InputStorage {
  /** The editor's secret storage. */
  readonly secrets: Pick<vscode.SecretStorage, 'get' | 'store' | 'delete' | 'keys'>;
  /** The extension's state on this machine, which is not synchronized. */
  readonly state: Pick<vscode.Memento, 'get' | 'update' | 'keys'>;
}

/** Identifies an input by its id and the file that declares it: equal ids in two files are two inputs. */
export interface InputKey {
  /** See `DefinitionOrigin.place`. */
  readonly place: string;
  readonly id: string;
}

export interface StoredInput extends InputKey {
  /** The value, except of a password. */
  readonly value: string | undefined;
  readonly isPassword: boolean;
}

interface Asking {
  readonly answer: Promise<string>;
  readonly abort: AbortController;
  waiting: number;
}

const PREFIX = 'input ';

/**
 * The values of inputs, each asked for once. Passwords are kept in the secret storage, others in the state, under the
 * place of the file that declares them: what a workspace calls by the id of the user's input is another one.
 */
export class InputStore implements InputSource {
  readonly #storage: InputStorage;
  readonly #ask: AskForInput;
  readonly #asking = new Map<string, Asking>();
  /** Questions run one after the other: the editor shows one input box at a time. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(storage: InputStorage, ask: AskForInput) {
    this.#storage = storage;
    this.#ask = ask;
  }

  async valueOf(
    declaration: InputDeclaration,
    origin: DefinitionOrigin,
    signal: AbortSignal,
  ): Promise<string> {
    const stored = await this.#stored(declaration, origin);
    if (signal.aborted) {
      throw new CancellationError();
    }
    return stored ?? (await this.#shared(declaration, origin, signal));
  }

  /** Stores a value, and replaces an older one. */
  async store({ place, id }: InputKey, isPassword: boolean, value: string): Promise<void> {
    const key = keyOf({ place, id });
    if (isPassword) {
      await this.#storage.secrets.store(key, value);
      await this.#storage.state.update(key, undefined);
    } else {
      await this.#storage.state.update(key, value);
      await this.#storage.secrets.delete(key);
    }
  }

  async forget(key: InputKey): Promise<void> {
    await this.#storage.secrets.delete(keyOf(key));
    await this.#storage.state.update(keyOf(key), undefined);
  }

  /** Removes a value; gives a function that stores it again, or undefined if there was none. */
  async take(key: InputKey): Promise<(() => Promise<void>) | undefined> {
    const password = await this.#storage.secrets.get(keyOf(key));
    const text = this.#storage.state.get<unknown>(keyOf(key));
    await this.forget(key);
    const value = password ?? (typeof text === 'string' ? text : undefined);
    return value === undefined ? undefined : () => this.store(key, password !== undefined, value);
  }

  /** Everything that is stored, by place and id. */
  async list(): Promise<readonly StoredInput[]> {
    const passwords = (await this.#storage.secrets.keys()).flatMap((key): StoredInput[] => {
      const read = readKey(key);
      return read ? [{ ...read, isPassword: true, value: undefined }] : [];
    });
    const others = this.#storage.state.keys().flatMap((key): StoredInput[] => {
      const read = readKey(key);
      const value = this.#storage.state.get<unknown>(key);
      return read && typeof value === 'string' ? [{ ...read, isPassword: false, value }] : [];
    });
    return [...passwords, ...others].sort((a, b) =>
      a.place === b.place ? compare(a.id, b.id) : compare(a.place, b.place),
    );
  }

  async #stored(declaration: InputDeclaration, origin: DefinitionOrigin): Promise<string | undefined> {
    const key = keyOf({ place: origin.place, id: declaration.id });
    if (declaration.type === 'promptString' && declaration.password) {
      return this.#storage.secrets.get(key);
    }
    const value = this.#storage.state.get<unknown>(key);
    if (typeof value !== 'string') {
      return undefined;
    }
    // A value that is no longer an option does not count.
    return declaration.type === 'pickString' && !declaration.options.some((option) => option.value === value)
      ? undefined
      : value;
  }

  /** The answer to one question, which all servers that ask at the same time share. */
  async #shared(
    declaration: InputDeclaration,
    origin: DefinitionOrigin,
    signal: AbortSignal,
  ): Promise<string> {
    // The key has the declaration, too, because it may change while a question is open.
    const key = JSON.stringify([origin.place, declaration]);
    const asking = this.#asking.get(key) ?? this.#begin(key, declaration, origin);
    asking.waiting += 1;
    const aborted = Promise.withResolvers<never>();
    const onAbort = (): void => aborted.reject(new CancellationError());
    signal.addEventListener('abort', onAbort);
    try {
      return await Promise.race([asking.answer, aborted.promise]);
    } finally {
      signal.removeEventListener('abort', onAbort);
      asking.waiting -= 1;
      if (asking.waiting === 0) {
        asking.abort.abort();
        if (this.#asking.get(key) === asking) {
          this.#asking.delete(key);
        }
      }
    }
  }

  #begin(key: string, declaration: InputDeclaration, origin: DefinitionOrigin): Asking {
    const abort = new AbortController();
    const answer = this.#last.then(() => this.#askAndStore(declaration, origin, abort.signal));
    const asking: Asking = { answer, abort, waiting: 0 };
    // The callers that wait get the error; the next question follows in any case.
    this.#last = answer.catch(() => {});
    this.#asking.set(key, asking);
    return asking;
  }

  async #askAndStore(
    declaration: InputDeclaration,
    origin: DefinitionOrigin,
    signal: AbortSignal,
  ): Promise<string> {
    if (signal.aborted) {
      throw new CancellationError();
    }
    const value = await this.#ask(declaration, origin, signal);
    if (value === undefined || signal.aborted) {
      throw new CancellationError();
    }
    const isPassword = declaration.type === 'promptString' && declaration.password;
    await this.store({ place: origin.place, id: declaration.id }, isPassword, value);
    return value;
  }
}

function keyOf({ place, id }: InputKey): string {
  return PREFIX + JSON.stringify([place, id]);
}

function readKey(key: string): InputKey | undefined {
  if (!key.startsWith(PREFIX)) {
    return undefined;
  }
  try {
    const [place, id] = JSON.parse(key.slice(PREFIX.length)) as readonly unknown[];
    return typeof place === 'string' && typeof id === 'string' ? { place, id } : undefined;
  } catch {
    return undefined;
  }
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
