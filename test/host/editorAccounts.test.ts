import assert from 'node:assert/strict';
import { EventEmitter, once } from 'node:events';
import { CancellationError } from '../../src/base/lifetime/cancellation.ts';
import { editorAccounts } from '../../src/editor/signIn/editorAccounts.ts';
import { ada, TestProvider } from './testProvider.ts';

suite('The accounts of the editor', () => {
  let provider: TestProvider;

  setup(() => {
    provider = new TestProvider();
  });

  teardown(() => provider.registration.dispose());

  const request = () => ({ provider: provider.id, scopes: ['read'] });

  test('are not lent without the consent that the editor itself asks for', async () => {
    await provider.createSession(['read']);
    assert.equal(await editorAccounts.current(request(), ada), undefined);
    for (const isNew of [false, true]) {
      // The editor shows no dialog in this mode: it says which one it would have shown.
      await assert.rejects(
        editorAccounts.ask(request(), 'A test asks.', isNew),
        (error) =>
          !(error instanceof CancellationError) &&
          /'MCP Host' wants .*sign in.* using Test/.test(String(error)),
      );
    }
    assert.equal(await editorAccounts.current(request(), ada), undefined);
  });

  test('report that you signed in or out', async () => {
    // The window knows the provider once it was asked something.
    assert.equal(await editorAccounts.current(request(), ada), undefined);
    const ids = new EventEmitter();
    const changes = editorAccounts.onDidChange((id) => ids.emit(id));
    for (const change of [() => provider.createSession(['read']), () => provider.removeSession()]) {
      const changed = once(ids, provider.id);
      await change();
      await changed;
    }
    changes.dispose();
  });
});
