import assert from 'node:assert/strict';
import { ledgerLineOf, readLedgerLine } from '../../../../src/host/ledger/ledgerLine.ts';

/** An entry as it is in a file. */
const stored = {
  caller: { kind: 'extension', id: 'acme.notes', label: 'Notes' },
  id: '7',
  at: 1_700_000_000_000,
  serverId: 'user git',
  server: 'git',
  method: 'tools/call',
  target: 'status',
  decision: 'asked',
  outcome: 'done',
  durationMs: 12,
  sentBytes: 2,
  receivedBytes: 20,
};

suite('A line of the activity', () => {
  test('is read, and written the same way', () => {
    const line = JSON.stringify({ ...stored, args: { path: '.' }, result: 'cut' });
    const { entry, content } = readLedgerLine(line) ?? assert.fail('unreadable');
    assert.deepEqual(entry.caller, stored.caller);
    assert.deepEqual(JSON.parse(ledgerLineOf(entry, content)), JSON.parse(line));
  });

  test('is read with a model that used the tools of MCP Host', () => {
    const line = JSON.stringify({ ...stored, caller: { kind: 'chat', isInChat: true } });
    assert.deepEqual(readLedgerLine(line)?.entry.caller, { kind: 'chat', isInChat: true });
  });

  for (const [name, caller] of Object.entries({
    'no caller': undefined,
    'an unknown kind of caller': { kind: 'robot' },
    'a model that may be anywhere': { kind: 'chat' },
    'an extension without a label': { kind: 'extension', id: 'acme.notes' },
  })) {
    test(`is not read with ${name}`, () => {
      assert.equal(readLedgerLine(JSON.stringify({ ...stored, caller })), undefined);
    });
  }
});
