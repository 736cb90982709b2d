import assert from 'node:assert/strict';
import type { Successor } from '../../../../../src/host/config/keptByServer.ts';
import { AccountStore } from '../../../../../src/host/auth/accounts/accountStore.ts';
import { ServerAccounts } from '../../../../../src/host/auth/accounts/serverAccounts.ts';
import { TemporaryFolder } from '../../../../editor/temporaryFolder.ts';
import { accountOf, oauthClient, otherOwner, owner, withToken } from '../../../support/accounts.ts';
import { SharedSecrets } from '../../../support/secretStores.ts';

suite('The accounts of a server', () => {
  const successor: Successor = { id: 'user settings:user renamed', label: 'renamed', launches: [] };
  const renamed = { server: successor.id, url: owner.url };
  const elsewhere = { server: owner.server, url: 'https://elsewhere.example/' };
  let temporary: TemporaryFolder;
  let store: AccountStore;
  let accounts: ServerAccounts;

  setup(async () => {
    temporary = new TemporaryFolder('server-accounts');
    store = new AccountStore(temporary.join('accounts'), new SharedSecrets());
    accounts = new ServerAccounts(store);
    for (const one of [owner, elsewhere, otherOwner]) {
      await store.save(accountOf(one));
      await store.saveClient(one, oauthClient);
      await store.saveRefusal({ ...one, issuer: oauthClient.issuer, scopes: ['all'] });
    }
  });

  teardown(() => {
    store.dispose();
    temporary.remove();
  });

  test('go on when it is renamed, at all its addresses', async () => {
    await accounts.copy(owner.server, successor);
    assert.deepEqual(await store.get(owner), accountOf(owner), 'it runs under the old name until then');
    await accounts.forget(owner.server);
    assert.equal(await store.get(owner), undefined);
    assert.equal(await store.oauthClient(owner, oauthClient.issuer), undefined);
    assert.deepEqual(await store.refusedScopes(owner, oauthClient.issuer), []);
    const { server } = renamed;
    assert.deepEqual(await store.refusedScopes(renamed, oauthClient.issuer), ['all']);
    assert.deepEqual(await store.get(renamed), { ...accountOf(owner), server });
    assert.deepEqual(await store.get({ ...elsewhere, server }), { ...accountOf(elsewhere), server });
    assert.deepEqual(await store.oauthClient(renamed, oauthClient.issuer), oauthClient);
    assert.deepEqual(await store.get(otherOwner), accountOf(otherOwner));
    assert.deepEqual(await store.oauthClient(otherOwner, oauthClient.issuer), oauthClient);
  });

  test('go on with tokens that were refreshed while it was renamed', async () => {
    await accounts.copy(owner.server, successor);
    await store.saveRefreshed(withToken(accountOf(owner), 'refreshed', 5));
    await accounts.forget(owner.server);
    assert.equal((await store.get(renamed))?.tokens?.accessToken, 'refreshed');
  });

  test('go on with the tokens that the new name has refreshed', async () => {
    await accounts.copy(owner.server, successor);
    await store.saveRefreshed(withToken(accountOf(renamed, { id: accountOf(owner).id }), 'refreshed', 5));
    await accounts.forget(owner.server);
    assert.equal((await store.get(renamed))?.tokens?.accessToken, 'refreshed');
  });

  test('are not those of a server that had the new name before', async () => {
    await store.save(accountOf(renamed, { id: 'of another server' }));
    await store.save(accountOf({ ...renamed, url: 'https://before.example/' }));
    await store.saveClient({ ...renamed, url: 'https://before.example/' }, oauthClient);
    await accounts.copy(owner.server, successor);
    assert.equal((await store.get(renamed))?.id, accountOf(owner).id);
    assert.equal(await store.get({ ...renamed, url: 'https://before.example/' }), undefined);
    assert.equal(
      await store.oauthClient({ ...renamed, url: 'https://before.example/' }, oauthClient.issuer),
      undefined,
    );
  });

  test('stay with the old name when it could not be renamed', async () => {
    await accounts.copy(owner.server, successor);
    await accounts.forget(successor.id);
    assert.deepEqual(await store.get(owner), accountOf(owner));
    assert.equal(await store.get(renamed), undefined);
  });

  test('are forgotten when it is removed, and are there again after "Undo"', async () => {
    const restore = await accounts.take(owner.server);
    assert.deepEqual(await store.all(), [accountOf(otherOwner)]);
    assert.equal((await store.allClients()).length, 1);
    assert.equal((await store.allRefusals()).length, 1);
    await restore();
    assert.deepEqual(await store.refusedScopes(owner, oauthClient.issuer), ['all']);
    assert.deepEqual(await store.get(owner), accountOf(owner));
    assert.deepEqual(await store.get(elsewhere), accountOf(elsewhere));
    assert.deepEqual(await store.oauthClient(owner, oauthClient.issuer), oauthClient);
  });

  test('are not brought back over what was stored meanwhile', async () => {
    const restore = await accounts.take(owner.server);
    const [again, registered] = [accountOf(owner, { id: 'again' }), { ...oauthClient, clientId: 'again' }];
    await store.save(again);
    await store.saveClient(owner, registered);
    const refusal = { ...owner, issuer: 'https://other.example', scopes: ['more'] };
    await store.saveRefusal(refusal);
    await restore();
    assert.deepEqual(await store.refusedScopes(owner, refusal.issuer), refusal.scopes);
    assert.deepEqual(await store.get(owner), again);
    assert.deepEqual(await store.oauthClient(owner, oauthClient.issuer), registered);
    assert.deepEqual(await store.get(elsewhere), accountOf(elsewhere));
  });
});
