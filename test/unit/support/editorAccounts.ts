import { CancellationError } from '../../../src/base/lifetime/cancellation.ts';
import { Emitter } from '../../../src/base/lifetime/event.ts';
import type {
  EditorAccounts,
  EditorSession,
  EditorSessionRequest,
} from '../../../src/host/auth/editorAccounts/editorAccounts.ts';

/** An editor with the accounts of one provider, which asks you as the test says. */
export class TestEditor implements EditorAccounts {
  readonly #onDidChange = new Emitter<string>();
  readonly onDidChange = this.#onDidChange.event;
  readonly asked: (EditorSessionRequest & { readonly detail: string; readonly isNew: boolean })[] = [];
  readonly silent: EditorSessionRequest[] = [];
  /** What you answer; `declined` is thrown as the editor's adapter does. */
  answer: 'ada' | 'bob' | 'declined' | Error = 'ada';
  /** What fails without a dialog. */
  broken: Error | undefined;
  readonly #tokenFor: (scopes: readonly string[]) => string;
  readonly #sessions = new Map<string, EditorSession>();

  constructor(tokenFor: (scopes: readonly string[]) => string) {
    this.#tokenFor = tokenFor;
  }

  current(
    request: EditorSessionRequest,
    { id }: { readonly id: string },
  ): Promise<EditorSession | undefined> {
    this.silent.push(request);
    return this.broken
      ? Promise.reject(this.broken)
      : Promise.resolve(this.#sessions.get(keyOf(request, id)));
  }

  ask(request: EditorSessionRequest, detail: string, isNew: boolean): Promise<EditorSession> {
    this.asked.push({ ...request, detail, isNew });
    const { answer } = this;
    if (answer === 'declined' || answer instanceof Error) {
      return Promise.reject(answer === 'declined' ? new CancellationError() : answer);
    }
    const id = `id of ${answer}`;
    const known = isNew ? undefined : this.#sessions.get(keyOf(request, id));
    const session = known ?? {
      accessToken: this.#tokenFor(request.scopes),
      account: { id, label: answer },
    };
    this.#sessions.set(keyOf(request, id), session);
    return Promise.resolve(session);
  }

  /** Gives each session another token, as a provider that refreshes does. */
  refresh(): void {
    for (const [key, session] of this.#sessions) {
      this.#sessions.set(key, { ...session, accessToken: this.#tokenFor([]) });
    }
    this.#onDidChange.fire('test');
  }

  signOut(): void {
    this.#sessions.clear();
    this.#onDidChange.fire('test');
  }
}

function keyOf({ provider, scopes }: EditorSessionRequest, id: string): string {
  return JSON.stringify([provider, scopes, id]);
}
