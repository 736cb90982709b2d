import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import {
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import type { Account, AccountOwner } from '../../../../../src/host/auth/accounts/account.ts';
import { AccountStore } from '../../../../../src/host/auth/accounts/accountStore.ts';
import { TemporaryFolder } from '../../../../editor/temporaryFolder.ts';
import { accountOf, oauthClient, otherOwner, owner, withToken } from '../../../support/accounts.ts';
import { SharedSecrets } from '../../../support/secretStores.ts';
import { until } from '../../../support/until.ts';
import { runs } from '../../../support/thoroughness.ts';

suite('The accounts on the disk', () => {
  let temporary: TemporaryFolder;
  let folder: string;
  let secrets: SharedSecrets;
  let stores: AccountStore[];

  setup(() => {
    temporary = new TemporaryFolder('accounts');
    folder = temporary.join('accounts');
    secrets = new SharedSecrets();
    stores = [];
  });

  teardown(() => {
    stores.forEach((store) => store.dispose());
    temporary.remove();
  });

  const open = (): AccountStore => {
    const store = new AccountStore(folder, secrets);
    stores.push(store);
    return store;
  };
  const names = (start = 'account-'): string[] =>
    readdirSync(folder).filter((name) => name.startsWith(start));
  const fileOf = (): string => path.join(folder, names()[0] ?? assert.fail('no account'));

  test('are there for the next window', async () => {
    const store = open();
    assert.equal(await store.get(owner), undefined);
    assert.deepEqual(await store.all(), []);
    await store.save(accountOf(owner));
    await store.save(accountOf(otherOwner));
    const next = open();
    assert.deepEqual(await next.get(owner), accountOf(owner));
    assert.deepEqual(await next.get(otherOwner), accountOf(otherOwner));
    assert.equal((await next.all()).length, 2);
  });

  test('belong to a server at one address', async () => {
    const store = open();
    await store.save(accountOf(owner));
    assert.equal(await store.get({ ...owner, url: `${owner.url}/` }), undefined);
    assert.equal(await store.get({ ...owner, server: 'workspace file:///w api' }), undefined);
  });

  test('are removed, and nothing is left of them', async () => {
    const store = open();
    await store.save(accountOf(owner));
    await store.remove(owner);
    await store.remove(owner);
    assert.equal(await store.get(owner), undefined);
    assert.deepEqual(readdirSync(folder), ['key.json']);
  });

  test('can be 200', async () => {
    const owners = Array.from({ length: 200 }, (_, index): AccountOwner => ({
      server: `s${index}`,
      url: 'u',
    }));
    const store = open();
    await Promise.all(owners.map((one) => store.save(accountOf(one, { id: one.server }))));
    const found = await open().all();
    assert.deepEqual(new Set(found.map(({ id }) => id)), new Set(owners.map(({ server }) => server)));
    assert.ok(names('').every((name) => name.endsWith('.json')));
  });

  test('can be read by their user only', async () => {
    const store = open();
    await store.save(accountOf(owner));
    await store.saveClient(owner, oauthClient);
    assert.equal(statSync(folder).mode & 0o777, 0o700);
    assert.deepEqual(
      names('').map((name) => statSync(path.join(folder, name)).mode & 0o777),
      [0o600, 0o600, 0o600],
    );
  });

  test('have nothing of a token, an address or a name in plain text', async () => {
    const text = fc.string({ minLength: 8, maxLength: 60 }).filter((one) => one.trim().length >= 8);
    const [store, reader] = [open(), open()];
    const check = async (token: string, refresh: string, secret: string, url: string): Promise<void> => {
      const account = accountOf(
        { server: `server ${secret}`, url },
        {
          tokens: { accessToken: token, refreshToken: refresh, type: 'Bearer' },
          oauthClient: { ...oauthClient, clientSecret: secret },
          name: secret,
        },
      );
      await store.save(account);
      await store.saveClient(account, account.oauthClient);
      const written = names('').map((name) => `${name}\n${readFileSync(path.join(folder, name), 'utf8')}`);
      for (const one of [token, refresh, secret, url]) {
        for (const form of [one, JSON.stringify(one).slice(1, -1), hex(one), base64(one)]) {
          assert.ok(!written.some((content) => content.includes(form)), 'it is in plain text');
        }
      }
      assert.deepEqual(await reader.get(account), account);
      await store.remove(account);
      await store.removeClient(account, oauthClient.issuer);
    };
    const url = fc.webUrl({ withQueryParameters: true });
    await fc.assert(fc.asyncProperty(text, text, text, url, check), { numRuns: runs(50) });
  });

  test('are read again after another window has changed them', async () => {
    const [one, other] = [open(), open()];
    await one.save(accountOf(owner));
    assert.equal((await other.get(owner))?.tokens?.accessToken, 'first-access-token');
    await one.saveRefreshed(withToken(accountOf(owner), 'second'));
    assert.equal((await other.get(owner))?.tokens?.accessToken, 'second');
    await one.remove(owner);
    assert.equal(await other.get(owner), undefined);
  });

  test('report whose account has changed, in this window and in others', async () => {
    const [one, other] = [open(), open()];
    const reported = new Map<AccountStore, AccountOwner[]>([
      [one, []],
      [other, []],
    ]);
    for (const [store, changes] of reported) {
      store.onDidChange((changed) => changes.push(changed));
    }
    const counts = (): number[] => [...reported.values()].map(({ length }) => length);
    const seen = (count: number): Promise<void> =>
      until(() => (counts()[1] ?? 0) >= count, `${count} changes are reported`, other.onDidChange);
    await one.save(accountOf(owner));
    assert.equal(counts()[0], 1, 'at once');
    await seen(1);
    await one.saveRefreshed(withToken(accountOf(owner), 'second'));
    assert.equal(counts()[0], 2, 'at once');
    await seen(2);
    await one.remove(owner);
    assert.equal(counts()[0], 3, 'at once');
    await seen(3);
    assert.deepEqual([...reported.values()].flat(), Array(6).fill(owner), 'nothing is reported twice');
  });

  test('are not stored by a refresh after a sign-out, or after another sign-in', async () => {
    const store = open();
    const account = accountOf(owner);
    assert.equal(await store.saveRefreshed(account), false, 'nothing was stored yet');
    assert.equal(await store.access(), 'empty');
    await store.save(account);
    assert.equal(await store.saveRefreshed(withToken(account, 'second')), true);
    await open().remove(owner);
    assert.equal(await store.saveRefreshed(withToken(account, 'third')), false);
    assert.equal(await store.get(owner), undefined);
    const again = accountOf(owner, { id: 'another sign-in' });
    await open().save(again);
    assert.equal(await store.saveRefreshed(withToken(account, 'fourth')), false);
    assert.deepEqual(await store.get(owner), again);
  });

  test('are read and stored by one caller at a time', async () => {
    const [one, other] = [open(), open()];
    await one.save(accountOf(owner));
    const steps: string[] = [];
    const work = Promise.withResolvers<void>();
    const first = one.underLock(owner, async (account) => {
      steps.push('first begins');
      await work.promise;
      assert.equal(
        await one.saveRefreshed(withToken(account?.tokens ? account : assert.fail(), 'second')),
        true,
      );
      steps.push('first ends');
    });
    const second = other.underLock(owner, async (account) => {
      steps.push(`second has ${account?.tokens?.accessToken}`);
    });
    assert.equal((await other.get(owner))?.tokens?.accessToken, 'first-access-token');
    await other.underLock(otherOwner, async () => undefined);
    work.resolve();
    await Promise.all([first, second]);
    // Whichever comes first, they don't overlap.
    assert.match(steps.join(), /first begins,first ends/);
    await assert.rejects(
      one.underLock(owner, async () => assert.fail('no network')),
      /no network/,
    );
    await one.underLock(owner, async () => undefined);
    assert.ok(
      names('').every((name) => name.endsWith('.json')),
      'no lock is left',
    );
  });

  test('keep registrations after a sign-out, each of one issuer and server', async () => {
    const store = open();
    await store.save(accountOf(owner));
    await store.saveClient(owner, oauthClient);
    const elsewhere = { ...oauthClient, issuer: 'https://other.example', clientId: 'other' };
    await store.saveClient(owner, elsewhere);
    await store.remove(owner);
    const next = open();
    assert.deepEqual(await next.oauthClient(owner, oauthClient.issuer), oauthClient);
    assert.deepEqual(await next.oauthClient(owner, elsewhere.issuer), elsewhere);
    assert.equal(await next.oauthClient(otherOwner, oauthClient.issuer), undefined);
    assert.equal((await next.allClients()).length, 2);
    assert.deepEqual(await next.all(), [], 'a registration is not an account');
    await next.removeClient(owner, oauthClient.issuer);
    assert.equal(await store.oauthClient(owner, oauthClient.issuer), undefined);
    assert.deepEqual(await store.allClients(), [{ ...owner, oauthClient: elsewhere }]);
  });

  test('keep the scopes that an issuer refuses, until another one signs you in', async () => {
    const [store, issuer] = [open(), 'https://issuer.example'];
    await store.saveRefusal({ ...owner, issuer, scopes: ['all'] });
    const next = open();
    assert.deepEqual(await next.refusedScopes(owner, issuer), ['all']);
    assert.deepEqual(await next.refusedScopes(otherOwner, issuer), []);
    assert.deepEqual(await next.all(), [], 'a refusal is not an account');
    assert.deepEqual(await next.refusedScopes(owner, 'https://other.example'), []);
    assert.deepEqual(await store.refusedScopes(owner, issuer), []);
    await store.saveRefusal({ ...owner, issuer, scopes: [1] as unknown as readonly string[] });
    assert.deepEqual(await store.refusedScopes(owner, issuer), []);
    await store.saveRefusal({ ...owner, issuer, scopes: ['all'] });
    await store.removeRefusal(owner);
    assert.deepEqual(await next.allRefusals(), []);
  });

  for (const [how, spoil] of [
    ['empty', (file: string) => truncateSync(file)],
    ['cut short', (file: string) => truncateSync(file, statSync(file).size - 9)],
    ['no JSON', (file: string) => writeFileSync(file, 'nonsense')],
    ['too large', (file: string) => truncateSync(file, 100_000_000)],
    ['of no version', (file: string) => writeFileSync(file, '{"nonce":"","sealed":""}')],
    ['without content', (file: string) => writeFileSync(file, '{"version":1,"nonce":"","sealed":""}')],
    ['of another server', (file: string, other: string) => copyFileSync(other, file)],
    ['with a short tag', (file: string) => edit(file, (sealed) => sealed.subarray(0, 4))],
    ['with a changed byte', (file: string) => edit(file, (sealed) => flipped(sealed, 20))],
    ['with a changed tag', (file: string) => edit(file, (sealed) => flipped(sealed, sealed.length - 1))],
  ] as const) {
    test(`that are ${how} count as absent, are kept aside, and can be replaced`, async () => {
      const store = open();
      await store.save(accountOf(owner));
      const damaged = fileOf();
      await store.save(accountOf(otherOwner));
      const other = names().find((name) => path.join(folder, name) !== damaged) ?? assert.fail();
      spoil(damaged, path.join(folder, other));
      for (const reader of [store, open()]) {
        assert.equal(await reader.get(owner), undefined);
        assert.deepEqual(await reader.all(), [accountOf(otherOwner)], 'the others are there');
      }
      assert.deepEqual(
        names().filter((name) => name.endsWith('.unreadable')),
        [`${path.basename(damaged)}.unreadable`],
      );
      await store.save(accountOf(owner, { id: 'again' }));
      assert.equal((await open().get(owner))?.id, 'again');
      await store.remove(owner);
      assert.deepEqual(names(), [other]);
    });
  }

  test('of another shape count as absent', async () => {
    const store = open();
    const account = accountOf(owner);
    const shapes: unknown[] = [
      { ...account, tokens: { accessToken: 1, type: 'Bearer' } },
      { ...account, oauthClient: { ...oauthClient, how: 'somehow' } },
      { ...account, since: 'today' },
      { ...account, name: 1 },
      { ...account, tokens: { ...account.tokens, expiresAt: 'soon' } },
    ];
    for (const shape of shapes) {
      await store.save(shape as Account);
      assert.equal(await open().get(owner), undefined, JSON.stringify(shape));
    }
  });

  test('of a newer version are left alone', async () => {
    const store = open();
    await store.save(accountOf(owner));
    const newer = '{"version":2,"anything":true}';
    writeFileSync(fileOf(), newer);
    assert.equal(await store.get(owner), undefined);
    assert.deepEqual(await open().all(), []);
    await assert.rejects(store.save(accountOf(owner)), /newer version of MCP Host: update the extension/);
    assert.equal(await store.saveRefreshed(accountOf(owner)), false);
    await store.remove(owner);
    assert.equal(readFileSync(fileOf(), 'utf8'), newer);
    await store.save(accountOf(otherOwner));
    assert.deepEqual(await store.all(), [accountOf(otherOwner)]);
  });

  test('say why they cannot be stored', async () => {
    writeFileSync(folder, 'a file where the folder should be');
    const store = open();
    await assert.rejects(store.save(accountOf(owner)), { code: 'EEXIST' });
  });

  test('go on after the folder was removed', async () => {
    const store = open();
    await store.save(accountOf(owner));
    renameSync(folder, temporary.join('elsewhere'));
    assert.equal(await store.get(owner), undefined);
    await store.save(accountOf(otherOwner));
    assert.deepEqual(await open().all(), [accountOf(otherOwner)]);
  });

  test('leave other files alone', async () => {
    mkdirSync(folder);
    writeFileSync(path.join(folder, 'account-readme.json'), 'mine');
    const store = open();
    await store.save(accountOf(owner));
    assert.equal((await store.all()).length, 1);
    assert.equal(readFileSync(path.join(folder, 'account-readme.json'), 'utf8'), 'mine');
  });
});

function edit(file: string, change: (sealed: Buffer) => Buffer): void {
  const content = JSON.parse(readFileSync(file, 'utf8')) as { sealed: string };
  content.sealed = change(Buffer.from(content.sealed, 'base64')).toString('base64');
  writeFileSync(file, JSON.stringify(content));
}

function flipped(bytes: Buffer, index: number): Buffer {
  bytes[index] = (bytes[index] ?? 0) ^ 1;
  return bytes;
}

const hex = (text: string): string => Buffer.from(text).toString('hex');
/** Without the characters that depend on what comes before and after. */
const base64 = (text: string): string => Buffer.from(text).toString('base64').slice(0, -4);
