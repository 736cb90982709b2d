import { Emitter } from '../../../src/base/lifetime/event.ts';
import type { Account, AccountOwner, RegisteredClient } from '../../../src/host/auth/accounts/account.ts';
import type { ServerSignIn } from '../../../src/host/auth/serverSignIn.ts';
import { SignIns } from '../../../src/host/auth/signIns.ts';
import type { Browser, SignInAccounts, SignInNetwork } from '../../../src/host/auth/signInPorts.ts';
import { signInQuestions, type SignInQuestion } from '../../../src/host/auth/signInQuestion.ts';
import type { HttpServerDefinition } from '../../../src/host/config/serverDefinition.ts';
import { QuestionQueue } from '../../../src/host/questions/questionQueue.ts';
import { FakeClock } from './fakeClock.ts';
import { HostBed } from './hostBed.ts';
import { ofKind } from './questions.ts';
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

/** Accounts that two windows share. */
export class SharedAccounts {
  readonly accounts = new Map<string, Account>();
  readonly clients = new Map<string, RegisteredClient>();
  readonly #windows = new Set<Emitter<AccountOwner>>();
  #lock: Promise<unknown> = Promise.resolve();

  window(): SignInAccounts {
    const onDidChange = new Emitter<AccountOwner>();
    this.#windows.add(onDidChange);
    const keyOf = ({ server, url }: AccountOwner): string => `${server} ${url}`;
    const set = (owner: AccountOwner, account: Account | undefined): void => {
      if (account) {
        this.accounts.set(keyOf(owner), account);
      } else {
        this.accounts.delete(keyOf(owner));
      }
      this.#windows.forEach((one) => one.fire(owner));
    };
    return {
      onDidChange: onDidChange.event,
      access: () => Promise.resolve('open'),
      get: (owner) => Promise.resolve(this.accounts.get(keyOf(owner))),
      save: (account) => Promise.resolve(set(account, account)),
      saveRefreshed: (account) => {
        const isThere = this.accounts.get(keyOf(account))?.id === account.id;
        if (isThere) {
          set(account, account);
        }
        return Promise.resolve(isThere);
      },
      remove: (owner) => Promise.resolve(set(owner, undefined)),
      underLock: (owner, work) => {
        const locked = () => work(this.accounts.get(keyOf(owner)));
        const done = this.#lock.then(locked, locked);
        this.#lock = done.catch(() => {});
        return done;
      },
      client: (owner, issuer) => Promise.resolve(this.clients.get(`${keyOf(owner)} ${issuer}`)),
      saveClient: (owner, client) => {
        this.clients.set(`${keyOf(owner)} ${client.issuer}`, client);
        return Promise.resolve();
      },
      removeClient: (owner, issuer) => {
        this.clients.delete(`${keyOf(owner)} ${issuer}`);
        return Promise.resolve();
      },
    };
  }
}

/** The SDK's own discovery. */
export const sdkNetwork: SignInNetwork = {
  async discover(serverUrl, { challenge }) {
    const { discoverOAuthServerInfo } = await import('@modelcontextprotocol/client');
    const info = await discoverOAuthServerInfo(serverUrl, {
      ...(challenge?.resourceMetadataUrl !== undefined && {
        resourceMetadataUrl: new URL(challenge.resourceMetadataUrl),
      }),
    });
    const { resourceMetadata: resource, authorizationServerMetadata: metadata } = info;
    const issuer = metadata?.issuer ?? info.authorizationServerUrl;
    return {
      serverUrl,
      resource,
      resourceIndicator: resource?.resource,
      issuer,
      issuers: resource?.authorization_servers ?? [issuer],
      metadata,
      hasPkce: metadata?.code_challenge_methods_supported?.includes('S256') === true,
      scope: challenge?.scope ?? resource?.scopes_supported?.join(' '),
    };
  },
  fetchFor: () => (url, init) => fetch(url, { ...init, redirect: 'manual' }),
};

interface SignInBedOptions {
  /** Shared with another window. */
  readonly accounts?: SharedAccounts;
}

/** A window whose host can sign in. */
export class SignInBed {
  readonly browser = new TestBrowser();
  readonly questions = new QuestionQueue();
  readonly accounts: SharedAccounts;
  readonly signIns: SignIns;
  readonly hosts: HostBed;
  /** Milliseconds by which the clock is ahead. */
  ahead = 0;

  constructor({ accounts = new SharedAccounts() }: SignInBedOptions = {}) {
    this.accounts = accounts;
    this.signIns = new SignIns({
      accounts: accounts.window(),
      browser: this.browser,
      questions: this.questions,
      network: sdkNetwork,
      clock: { now: () => Date.now() + this.ahead, after: new FakeClock().after },
    });
    this.hosts = new HostBed({ signIns: this.signIns, questions: this.questions });
  }

  /** Starts a server, which is allowed. */
  start(definition: HttpServerDefinition): void {
    this.hosts.configure([definition]);
    this.hosts.answerAll('allow');
  }

  of({ id }: HttpServerDefinition): ServerSignIn {
    const signIn = this.signIns.of(id);
    if (!signIn) {
      throw new Error('The server has no sign-in.');
    }
    return signIn;
  }

  /** The questions about signing in. */
  get asked(): readonly SignInQuestion[] {
    return ofKind(this.questions.questions, signInQuestions);
  }

  /** The question, once it is there. */
  async question(): Promise<SignInQuestion> {
    await until(() => this.asked.length > 0, 'you are asked to sign in', this.questions.onDidChange);
    const [question] = this.asked;
    if (!question) {
      throw new Error('Nothing is asked.');
    }
    return question;
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

  /** Everything that was logged. */
  get logged(): string {
    return [...this.hosts.logs.values()].flatMap(({ lines }) => lines).join('\n');
  }

  async close(): Promise<void> {
    await this.hosts.close();
  }
}
