import assert from 'node:assert/strict';
import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type * as vscode from 'vscode';
import { AccountStore } from '../../../../../src/host/auth/accounts/accountStore.ts';
import type { SecretStore } from '../../../../../src/host/auth/accounts/accountVault.ts';
import { TemporaryFolder } from '../../../../editor/temporaryFolder.ts';
import { accountOf, oauthClient, otherOwner, owner, withToken } from '../../../support/accounts.ts';
import { SharedSecrets, SnapshotSecrets } from '../../../support/secretStores.ts';
import { until } from '../../../support/until.ts';

const DAY_MS = 24 * 60 * 60_000;

suite('The key of stored accounts', () => {
  let temporary: TemporaryFolder;
  let folder: string;
  let browser: string;
  let stores: AccountStore[];
  /** Milliseconds since the epoch; windows that open later have a later time. */
  let now: number;

  setup(() => {
    temporary = new TemporaryFolder('vault');
    folder = temporary.join('accounts');
    browser = temporary.join('browser.json');
    stores = [];
    now = Date.now();
  });

  teardown(() => {
    stores.forEach((store) => store.dispose());
    temporary.remove();
  });

  const open = (secrets: SecretStore, at = folder): AccountStore => {
    const store = new AccountStore(at, secrets, () => now);
    stores.push(store);
    return store;
  };
  /** A window of code-server: it loads its secrets now. */
  const openInBrowser = (file = browser): AccountStore => open(new SnapshotSecrets(file));
  const keyFile = (): string => path.join(folder, 'key.json');
  const contents = (): ReadonlyMap<string, string> =>
    new Map(
      readdirSync(folder)
        .filter((name) => name !== 'key.json')
        .map((name) => [name, readFileSync(path.join(folder, name), 'utf8')]),
    );

  test("is in the editor's own secret storage, as it is", () => {
    const port = (storage: vscode.SecretStorage): SecretStore => storage;
    assert.ok(port);
  });

  test('is made once, and only when something is stored', async () => {
    const secrets = new SharedSecrets();
    const store = open(secrets);
    assert.equal(await store.access(), 'empty');
    assert.equal(await store.get(owner), undefined);
    assert.equal(await store.underLock(owner, async (account) => account), undefined);
    assert.equal(secrets.values.size, 0);
    await store.save(accountOf(owner));
    await store.save(accountOf(otherOwner));
    assert.equal(await store.access(), 'open');
    const [[, key] = []] = [...secrets.values];
    assert.equal(Buffer.from(key ?? '', 'base64').length, 32);
    assert.equal(await open(secrets).access(), 'open');
    assert.ok(!readFileSync(keyFile(), 'utf8').includes(key ?? ''));
  });

  test('is the same for windows that make it at the same moment', async () => {
    const secrets = new SharedSecrets();
    const windows = Array.from({ length: 5 }, () => open(secrets));
    await Promise.all(
      windows.map((store, index) => store.save(accountOf({ server: `${index}`, url: owner.url }))),
    );
    for (const store of windows) {
      assert.equal((await store.all()).length, 5);
    }
  });

  test('is made by one of two windows that cannot see the key of each other', async () => {
    const windows = [openInBrowser(), openInBrowser()];
    const [one, other] = await Promise.allSettled(
      windows.map((store, index) => store.save(accountOf({ server: `${index}`, url: owner.url }))),
    );
    const failed = [one, other].filter((result) => result?.status === 'rejected');
    assert.equal(failed.length, 1);
    assert.match(String(failed[0]?.reason), /reload this window/);
    const loser = one?.status === 'rejected' ? windows[0] : windows[1];
    assert.equal(await loser?.access(), 'reloadNeeded');
    const reloaded = openInBrowser();
    assert.equal(await reloaded.access(), 'open');
    assert.equal((await reloaded.all()).length, 1, 'nothing is lost');
  });

  test('is missing in a window until it is reloaded: it reads, refreshes and replaces nothing', async () => {
    const [one, other] = [openInBrowser(), openInBrowser()];
    await one.save(accountOf(owner));
    await one.saveClient(owner, oauthClient);
    const before = contents();
    assert.equal(await other.access(), 'reloadNeeded');
    assert.equal(await other.get(owner), undefined);
    assert.deepEqual(await other.all(), []);
    assert.equal(await other.oauthClient(owner, oauthClient.issuer), undefined);
    assert.equal(await other.saveRefreshed(withToken(accountOf(owner), 'stolen')), false);
    await assert.rejects(other.save(accountOf(owner)), { name: 'UnreadableAccounts' });
    await assert.rejects(other.saveClient(owner, oauthClient), { name: 'UnreadableAccounts' });
    await other.remove(owner);
    await other.removeClient(owner, oauthClient.issuer);
    assert.deepEqual(contents(), before);
    assert.deepEqual(await openInBrowser().get(owner), accountOf(owner));
  });

  test('arrives in the other windows of a desktop', async () => {
    const secrets = new SharedSecrets();
    const [one, other] = [open(secrets), open(secrets)];
    assert.equal(await other.get(owner), undefined);
    let isReported = false;
    other.onDidChange(() => {
      isReported = true;
    });
    const access = new Promise<void>((resolve) => {
      other.onDidChangeAccess(resolve);
    });
    await one.save(accountOf(owner));
    await access;
    assert.equal(await other.access(), 'open');
    await until(() => isReported, 'the account is reported', other.onDidChange);
  });

  test('is replaced after the secrets were deleted: you sign in again, and nothing fails', async () => {
    const secrets = new SharedSecrets();
    const store = open(secrets);
    await store.save(accountOf(owner));
    const before = [...contents()];
    now += DAY_MS;
    await secrets.delete('account key');
    const next = open(secrets);
    for (const [window, access] of [
      [store, 'reloadNeeded'],
      [next, 'otherKey'],
    ] as const) {
      assert.equal(await window.access(), access);
      assert.equal(await window.get(owner), undefined);
      assert.deepEqual(await window.all(), []);
    }
    await next.save(accountOf(owner, { id: 'again' }));
    assert.equal(await next.access(), 'open');
    assert.equal((await store.get(owner))?.id, 'again');
    assert.equal((await next.all()).length, 1);
    for (const [name, content] of before) {
      assert.equal(contents().get(name), content, 'it stays as it is: its key may come back');
    }
  });

  test('can be one of several in a folder: each browser has its own accounts', async () => {
    const laptop = temporary.join('laptop.json');
    const tablet = temporary.join('tablet.json');
    const first = openInBrowser(laptop);
    await first.save(accountOf(owner, { id: 'laptop' }));
    now += DAY_MS;
    const second = openInBrowser(tablet);
    assert.equal(await second.access(), 'otherKey');
    await second.save(accountOf(owner, { id: 'tablet' }));
    await second.saveRefreshed(accountOf(owner, { id: 'tablet', name: 'of the tablet' }));
    for (const [store, id] of [
      [first, 'laptop'],
      [openInBrowser(laptop), 'laptop'],
      [openInBrowser(tablet), 'tablet'],
    ] as const) {
      assert.equal(await store.access(), 'open');
      assert.deepEqual(
        (await store.all()).map((account) => account.id),
        [id],
      );
    }
    await second.remove(owner);
    assert.equal((await first.get(owner))?.id, 'laptop');
    assert.ok(!readdirSync(folder).some((name) => name.endsWith('.unreadable')));
  });

  test('asks for a reload no longer than that may help', async () => {
    await openInBrowser(temporary.join('laptop.json')).save(accountOf(owner));
    const store = openInBrowser(temporary.join('tablet.json'));
    assert.equal(await store.access(), 'reloadNeeded', 'the key may have been made while this window loaded');
    now += 2 * 60_000;
    assert.equal(await openInBrowser(temporary.join('tablet.json')).access(), 'otherKey', 'after a reload');
    assert.equal(await store.access(), 'reloadNeeded');
  });

  test('of one desktop has accounts on several machines', async () => {
    const secrets = new SharedSecrets();
    const [local, remote] = [open(secrets), open(secrets, temporary.join('remote'))];
    await local.save(accountOf(owner, { id: 'local' }));
    await remote.save(accountOf(owner, { id: 'remote' }));
    assert.equal(secrets.values.size, 1);
    assert.equal((await local.get(owner))?.id, 'local');
    assert.equal((await remote.get(owner))?.id, 'remote');
  });

  test('does not open files that were copied from another machine', async () => {
    const secrets = new SharedSecrets();
    const remote = temporary.join('remote');
    await open(secrets).save(accountOf(owner));
    await open(secrets, remote).save(accountOf(otherOwner));
    for (const name of contents().keys()) {
      cpSync(path.join(folder, name), path.join(remote, name));
    }
    const [own = ''] = readdirSync(remote).filter((name) => !contents().has(name) && name !== 'key.json');
    assert.deepEqual(await open(secrets, remote).all(), [accountOf(otherOwner)]);
    const [copied = ''] = contents().keys();
    assert.ok(readdirSync(remote).includes(`${copied}.unreadable`));
    // Under the name of an account of that machine, too.
    cpSync(path.join(folder, copied), path.join(remote, own));
    assert.deepEqual(await open(secrets, remote).all(), []);
  });

  for (const [how, text] of [
    ['empty', ''],
    ['no JSON', 'nonsense'],
    ['of another shape', '{"version":1,"fileSystem":"x","keys":[{}]}'],
  ] as const) {
    test(`is used again when the file about keys is ${how}`, async () => {
      const secrets = new SharedSecrets();
      const store = open(secrets);
      await store.save(accountOf(owner));
      const key = [...secrets.values];
      writeFileSync(keyFile(), text);
      assert.equal(await store.access(), 'empty');
      assert.equal(await store.get(owner), undefined);
      await store.save(accountOf(owner, { id: 'again' }));
      assert.deepEqual([...secrets.values], key);
      assert.equal(readFileSync(`${keyFile()}.unreadable`, 'utf8'), text);
      assert.deepEqual(
        (await open(secrets).all()).map(({ id }) => id),
        ['again'],
      );
    });
  }

  test('is not used with files of a newer version', async () => {
    const secrets = new SharedSecrets();
    const store = open(secrets);
    await store.save(accountOf(owner));
    const newer = '{"version":2}';
    writeFileSync(keyFile(), newer);
    assert.equal(await store.access(), 'newer');
    assert.equal(await store.get(owner), undefined);
    await assert.rejects(store.save(accountOf(owner)), /newer version of MCP Host: update the extension/);
    assert.equal(readFileSync(keyFile(), 'utf8'), newer);
  });

  test('is made again when what is in the secret storage is no key', async () => {
    const secrets = new SharedSecrets();
    await secrets.store('account key', 'short');
    const store = open(secrets);
    await store.save(accountOf(owner));
    assert.deepEqual(await open(secrets).get(owner), accountOf(owner));
  });

  test('is not relied on when the secret storage did not keep it', async () => {
    const forgetful: SecretStore = {
      get: async () => undefined,
      store: async () => undefined,
      onDidChange: () => ({ dispose: () => {} }),
    };
    const store = open(forgetful);
    await assert.rejects(store.save(accountOf(owner)), /did not keep the key/);
    assert.deepEqual(readdirSync(folder), []);
    assert.equal(await store.access(), 'empty');
  });

  test('lets the next sign-in begin again when its file was removed', async () => {
    const secrets = new SharedSecrets();
    const store = open(secrets);
    await store.save(accountOf(owner));
    rmSync(keyFile());
    assert.equal(await store.access(), 'empty');
    await store.save(accountOf(owner, { id: 'again' }));
    assert.equal((await store.get(owner))?.id, 'again');
    assert.deepEqual((await store.all()).length, 1);
  });
});
