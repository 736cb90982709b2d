import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Emitter } from '../../../src/base/lifetime/event.ts';
import { isSetToken, type LiveAccount } from '../../../src/host/auth/accounts/account.ts';
import { AccountStore } from '../../../src/host/auth/accounts/accountStore.ts';
import type { EditorSignIn } from '../../../src/host/auth/editorAccounts/editorAccounts.ts';
import type { ServerSignIn } from '../../../src/host/auth/serverSignIn.ts';
import type { Browser } from '../../../src/host/auth/redirect/redirect.ts';
import { signInQuestions, type SignInQuestion } from '../../../src/host/auth/signInQuestion.ts';
import type { HttpServerDefinition } from '../../../src/host/config/serverDefinition.ts';
import type { HostError } from '../../../src/host/errors/hostError.ts';
import type { SignInState } from '../../../src/host/state/connectionState.ts';
import { QuestionQueue } from '../../../src/host/questions/questionQueue.ts';
import { ServerConnections } from '../../../src/host/auth/network/serverConnections.ts';
import { textOf } from './connectionBed.ts';
import { FakeClock } from './fakeClock.ts';
import { HostBed } from './hostBed.ts';
import { SharedSecrets } from './secretStores.ts';
import { until } from './until.ts';

/** A browser that does at once what a user would. */
class TestBrowser implements Browser {
  readonly opened: string[] = [];
  /** The page that the browser ended at. */
  page: { readonly status: number; readonly body: string } | undefined;
  /** Where the browser ended, if it can't reach this machine. */
  ended: string | undefined;
  /** What the browser does; without it, it follows the issuer's redirect. */
  visit: ((url: string) => Promise<void>) | undefined;
  reachesHost = true;
  external: ((uri: string) => string) | undefined;
  readonly #onDidVisit = new Emitter<void>();
  readonly onDidVisit = this.#onDidVisit.event;

  externalUri(uri: string): Promise<string> {
    return Promise.resolve(this.external?.(uri) ?? uri);
  }

  open(url: string): Promise<boolean> {
    this.opened.push(url);
    // After the editor has gone on, as a browser is.
    setImmediate(() => {
      void (this.visit?.(url) ?? this.follow(url)).finally(() => this.#onDidVisit.fire());
    });
    return Promise.resolve(true);
  }

  async follow(url: string): Promise<void> {
    const answer = await fetch(url, { redirect: 'manual' });
    const location = answer.headers.get('location');
    await answer.text();
    if (location === null) {
      return;
    }
    this.ended = location;
    if (this.reachesHost) {
      const page = await fetch(location);
      this.page = { status: page.status, body: await page.text() };
    }
  }
}

/** What the windows of one machine share. */
export class SharedMachine {
  readonly folder = mkdtempSync(path.join(tmpdir(), 'mcp-accounts-'));
  readonly secrets = new SharedSecrets();

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}

interface SignInBedOptions {
  /** Shared with another window. */
  readonly machine?: SharedMachine;
  readonly connections?: ServerConnections;
  /** The editor's own accounts. */
  readonly editor?: EditorSignIn;
  /** Where the document that describes this host is. */
  readonly clientDocument?: string;
}

/** A window whose host can sign in. */
export class SignInBed {
  readonly browser = new TestBrowser();
  readonly questions = new QuestionQueue();
  readonly machine: SharedMachine;
  readonly #ownMachine: SharedMachine | undefined;
  readonly accounts: AccountStore;
  readonly hosts: HostBed;
  /** What ends a sign-in that nobody finishes. */
  readonly timers = new FakeClock();
  /** Milliseconds by which the clock is ahead. */
  ahead = 0;

  constructor({
    machine,
    connections = new ServerConnections(),
    editor,
    clientDocument = '',
  }: SignInBedOptions = {}) {
    this.#ownMachine = machine ? undefined : new SharedMachine();
    this.machine = machine ?? this.#ownMachine ?? new SharedMachine();
    this.accounts = new AccountStore(path.join(this.machine.folder, 'accounts'), this.machine.secrets);
    const signIn = {
      accounts: this.accounts,
      browser: this.browser,
      connections,
      questions: this.questions,
      clientDocument,
      ...(editor && { editor }),
      clock: { now: () => Date.now() + this.ahead, after: this.timers.after },
    };
    this.hosts = new HostBed({ signIn, questions: this.questions });
  }

  /** Starts a server, which is allowed. */
  start(definition: HttpServerDefinition): void {
    this.hosts.configure([definition]);
    this.hosts.answerAll('allow');
  }

  of({ id }: HttpServerDefinition): ServerSignIn {
    const signIn = this.hosts.host.server(id)?.signIn;
    if (!signIn) {
      throw new Error('The server has no sign-in.');
    }
    return signIn;
  }

  /** Where the sign-in to a server is. */
  state({ id }: HttpServerDefinition): SignInState | undefined {
    return this.hosts.host.server(id)?.connection.state.signIn;
  }

  /** Waits for a sign-in of this kind; without one, until nothing is required. */
  untilState(definition: HttpServerDefinition, kind: SignInState['kind'] | undefined): Promise<void> {
    return until(
      () => this.state(definition)?.kind === kind,
      `the sign-in is ${kind ?? 'over'}`,
      this.hosts.host.onDidChangeServer,
    );
  }

  /** The account that you are signed in with. */
  async account(definition: HttpServerDefinition): Promise<LiveAccount | undefined> {
    const account = await this.of(definition).account();
    return account && !isSetToken(account) ? account : undefined;
  }

  /** The questions about signing in. */
  get asked(): readonly SignInQuestion[] {
    return this.hosts.asked(signInQuestions);
  }

  /** The question, once it is there. */
  async question(): Promise<SignInQuestion> {
    return this.asked[0] ?? (await this.hosts.untilAsked(signInQuestions));
  }

  async answer(answer: 'signIn' | 'notNow'): Promise<void> {
    this.questions.answer(await this.question(), answer);
  }

  /** Starts a server, and signs in to it. */
  async signInTo(definition: HttpServerDefinition): Promise<void> {
    this.start(definition);
    await this.answer('signIn');
    await this.hosts.until(definition, 'running');
  }

  /** Why you can't sign in, or have to, once the sign-in has ended without success. */
  async failure(definition: HttpServerDefinition): Promise<string> {
    await until(
      () => this.state(definition)?.kind === 'required' && this.asked.length === 0,
      'the sign-in has failed',
      this.hosts.host.onDidChangeServer,
    );
    return this.reason(definition)?.message ?? '';
  }

  /** Why you have to sign in, or can't, once that is known. */
  reason(definition: HttpServerDefinition): HostError | undefined {
    const state = this.state(definition);
    return state?.kind === 'required' ? state.reason : undefined;
  }

  /** The address at which you sign in, once the browser is open. */
  async address(definition: HttpServerDefinition): Promise<URL> {
    await this.untilState(definition, 'inBrowser');
    const state = this.state(definition);
    return new URL(state?.kind === 'inBrowser' ? state.address : '');
  }

  /** Calls a tool, and gives the text of its result. */
  call(definition: HttpServerDefinition, tool = 'read'): Promise<string> {
    return textOf(this.hosts.of(definition).callTool(tool, {}));
  }

  /** Everything that was logged. */
  get logged(): string {
    return [...this.hosts.logs.values()].flatMap(({ lines }) => lines).join('\n');
  }

  async close(): Promise<void> {
    await this.hosts.close();
    this.accounts.dispose();
    this.#ownMachine?.remove();
  }
}
