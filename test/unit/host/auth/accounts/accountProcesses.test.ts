import assert from 'node:assert/strict';
import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Tokens } from '../../../../../src/host/auth/accounts/account.ts';
import { AccountStore } from '../../../../../src/host/auth/accounts/accountStore.ts';
import { TemporaryFolder } from '../../../../editor/temporaryFolder.ts';
import { closeServer, listen } from '../../../../fixtures/servers/serve.ts';
import { accountOf, owner } from '../../../support/accounts.ts';
import { SnapshotSecrets } from '../../../support/secretStores.ts';

const writer = fileURLToPath(new URL('../../../support/accountWriter.ts', import.meta.url));
const refresher = fileURLToPath(new URL('../../../support/accountRefresher.ts', import.meta.url));

type Window = ChildProcessByStdio<Writable, Readable, null>;

suite('Accounts that several processes use', () => {
  let temporary: TemporaryFolder;
  let folder: string;
  let secrets: string;
  let windows: Window[];
  let stores: AccountStore[];

  setup(async () => {
    temporary = new TemporaryFolder('windows');
    folder = temporary.join('accounts');
    secrets = temporary.join('browser.json');
    windows = [];
    stores = [];
    await open().save(accountOf(owner));
  });

  teardown(async () => {
    stores.forEach((store) => store.dispose());
    for (const window of windows) {
      await kill(window);
    }
    // A store may still read a file, which Windows doesn't remove: it can go on meanwhile.
    await rm(folder, { recursive: true, force: true, maxRetries: 10 });
    temporary.remove();
  });

  const open = (): AccountStore => {
    const store = new AccountStore(folder, new SnapshotSecrets(secrets));
    stores.push(store);
    return store;
  };

  const start = (script: string, ...args: readonly string[]): Window => {
    const window = spawn(process.execPath, [...process.execArgv, script, folder, secrets, ...args], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    windows.push(window);
    return window;
  };

  test('are all stored', async () => {
    const servers = ['one', 'two', 'three'];
    await Promise.all(
      servers.map(async (server) => {
        const window = start(writer, server, '30');
        window.stdout.resume();
        assert.equal((await once(window, 'exit'))[0], 0);
      }),
    );
    const found = new Map((await open().all()).map((one) => [one.server + one.url, one.tokens?.accessToken]));
    for (const server of servers) {
      for (const last of [27, 28, 29]) {
        assert.equal(found.get(`${server}https://${last % 3}.example/`), `token ${last}`);
      }
    }
    assert.ok(readdirSync(folder).every((name) => name.endsWith('.json')));
  });

  test('are complete when a process was killed while it wrote', async () => {
    for (let round = 0; round < 3; round += 1) {
      const server = `round ${round}`;
      const window = start(writer, server, '100000');
      let stored = -1;
      for await (const line of createInterface({ input: window.stdout })) {
        stored = Number(line);
        if (stored > 5 + 5 * round) {
          window.kill('SIGKILL');
        }
      }
      const numbers = (await open().all())
        .filter((one) => one.server === server)
        .map(({ tokens }) => Number(tokens?.accessToken.split(' ')[1]))
        .sort((a, b) => a - b);
      assert.equal(numbers.length, 3);
      assert.ok((numbers[0] ?? -1) >= stored - 2, 'what was stored is there');
      assert.ok(!readdirSync(folder).some((name) => name.endsWith('.unreadable')), 'no half of a file');
    }
    await open().save(accountOf(owner, { id: 'again' }));
    assert.equal((await open().get(owner))?.id, 'again');
  });

  suite('of an issuer that takes a refresh token once', () => {
    let issuer: Server;
    let address: string;
    let requests: string[];
    /** Before the issuer answers; the refresh token is used up by then. */
    let beforeAnswer: () => Promise<unknown>;

    setup(async () => {
      requests = [];
      beforeAnswer = () => delay(200);
      let valid = 'first-refresh-token';
      issuer = createServer((request, response) => {
        void text(request).then(async (token) => {
          requests.push(token);
          if (token !== valid) {
            response.writeHead(400).end();
            return;
          }
          valid = `refresh token ${requests.length}`;
          const tokens: Tokens = {
            accessToken: `access token ${requests.length}`,
            type: 'Bearer',
            refreshToken: valid,
            expiresAt: Date.now() + 3_600_000,
          };
          await beforeAnswer();
          response.end(JSON.stringify(tokens));
        });
      });
      address = await listen(issuer);
    });

    teardown(() => closeServer(issuer));

    const startRefreshers = async (count: number): Promise<readonly AsyncIterator<string>[]> => {
      const lines = Array.from({ length: count }, () =>
        createInterface({ input: start(refresher, address).stdout })[Symbol.asyncIterator](),
      );
      for (const line of lines) {
        assert.equal((await line.next()).value, 'ready');
      }
      return lines;
    };
    const go = (): void => windows.forEach((window) => void window.stdin.write('go\n'));

    test('are refreshed once, and all have the new token', async () => {
      const lines = await startRefreshers(4);
      go();
      for (const line of lines) {
        assert.equal((await line.next()).value, 'access token 1');
      }
      assert.deepEqual(requests, ['first-refresh-token']);
      assert.equal((await open().get(owner))?.tokens?.refreshToken, 'refresh token 1');
    });

    test('are refreshed once although the issuer takes longer than a lock lasts without a sign of life', async () => {
      beforeAnswer = () => delay(13_000);
      const lines = await startRefreshers(2);
      go();
      for (const line of lines) {
        assert.equal((await line.next()).value, 'access token 1');
      }
      assert.deepEqual(requests, ['first-refresh-token']);
    });

    test('are refreshed by another process when the first was killed meanwhile', async () => {
      const asked = Promise.withResolvers<void>();
      const [first] = await startRefreshers(1);
      beforeAnswer = async () => {
        await kill(windows[0]);
        asked.resolve();
      };
      go();
      await asked.promise;
      assert.equal((await first?.next())?.done, true);
      const [second] = await startRefreshers(1);
      go();
      // The issuer has used it up for the process that was killed: that is for the sign-in to tell.
      assert.equal((await second?.next())?.value, 'refused first-refresh-token');
      assert.equal(requests.length, 2);
    });
  });
});

async function kill(window: Window | undefined): Promise<void> {
  if (window && (window.exitCode ?? window.signalCode) === null) {
    window.kill('SIGKILL');
    await once(window, 'exit');
  }
}
