import * as vscode from 'vscode';

export const ada = { id: 'ada-1', label: 'ada' };

/** An authentication provider with one account, as any extension can bring one. */
export class TestProvider implements vscode.AuthenticationProvider {
  readonly id: string;
  readonly #tokenFor: (scopes: readonly string[]) => string;
  readonly #onDidChange =
    new vscode.EventEmitter<vscode.AuthenticationProviderAuthenticationSessionsChangeEvent>();
  readonly onDidChangeSessions = this.#onDidChange.event;
  readonly registration: vscode.Disposable;
  /** How often the editor had it sign in. */
  created = 0;
  #sessions: vscode.AuthenticationSession[] = [];

  constructor(id = 'mcp-host-test', tokenFor: (scopes: readonly string[]) => string = () => 'token') {
    this.id = id;
    this.#tokenFor = tokenFor;
    this.registration = vscode.authentication.registerAuthenticationProvider(id, 'Test', this);
  }

  getSessions(scopes: readonly string[] | undefined): Promise<vscode.AuthenticationSession[]> {
    const isFor = (session: vscode.AuthenticationSession): boolean =>
      scopes === undefined || session.scopes.join(' ') === [...scopes].join(' ');
    return Promise.resolve(this.#sessions.filter(isFor));
  }

  createSession(scopes: readonly string[]): Promise<vscode.AuthenticationSession> {
    this.created += 1;
    const session = { id: 'session', accessToken: this.#tokenFor(scopes), account: ada, scopes };
    this.#sessions = [session];
    this.#onDidChange.fire({ added: [session], removed: [], changed: [] });
    return Promise.resolve(session);
  }

  removeSession(): Promise<void> {
    this.#onDidChange.fire({ added: [], removed: this.#sessions.splice(0), changed: [] });
    return Promise.resolve();
  }
}
