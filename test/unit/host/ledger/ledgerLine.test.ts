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

  for (const more of [
    { workspace: 'file:///work' },
    { problem: 'It failed.' },
    { task: 'ended' },
    { task: 'gone' },
    { count: 12 },
    { count: -1 },
    { sampling: { inputTokens: 1, outputTokens: 0.5, isEdited: false } },
    { sampling: { model: 'One', inputTokens: 1, outputTokens: 2, isEdited: true, later: 1 } },
    { caller: { kind: 'person' } },
    { caller: { kind: 'agentMode', later: 1 } },
    { caller: { kind: 'server' } },
    { at: -0.5, durationMs: 0.5 },
    { id: '', server: '', target: '' },
    { later: ['of a later version'] },
    ...[
      'tools/call',
      'resources/read',
      'prompts/get',
      'completion/complete',
      'sampling/createMessage',
      'elicitation/create',
    ].map((method) => ({ method })),
    ...[
      'person',
      'asked',
      'remembered',
      'delegated',
      'trusted',
      'unasked',
      'denied',
      'heldBack',
      'invalid',
      'withdrawn',
      'limited',
      'prepared',
    ].map((decision) => ({ decision })),
    ...['done', 'toolError', 'failed', 'cancelled', 'refused'].map((outcome) => ({ outcome })),
  ]) {
    test(`is read with ${JSON.stringify(more)}`, () => {
      const line = { ...stored, ...more };
      assert.deepEqual(readLedgerLine(JSON.stringify(line)), { entry: line });
    });
  }

  for (const name of Object.keys(stored)) {
    for (const value of [undefined, null, true, [], {}, name === 'caller' ? 'person' : { kind: 'person' }]) {
      test(`is not read with ${JSON.stringify(value) ?? 'nothing'} as its ${name}`, () => {
        assert.equal(readLedgerLine(JSON.stringify({ ...stored, [name]: value })), undefined);
      });
    }
  }

  for (const wrong of [
    ...['id', 'serverId', 'server', 'target', 'workspace', 'problem', 'task'].map((name) => ({ [name]: 7 })),
    ...['at', 'durationMs', 'sentBytes', 'receivedBytes', 'count'].map((name) => ({ [name]: '7' })),
    ...['workspace', 'problem', 'task', 'count', 'sampling'].map((name) => ({ [name]: null })),
    { method: 'tools/list' },
    { decision: 'guessed' },
    { outcome: 'toString' },
    { task: 'working' },
    { count: 1.5 },
    { sampling: [] },
    { sampling: { inputTokens: 1, outputTokens: 2 } },
    { sampling: { inputTokens: 1, isEdited: true } },
    { sampling: { outputTokens: 1, isEdited: true } },
    { sampling: { inputTokens: 1, outputTokens: null, isEdited: true } },
    { sampling: { inputTokens: 1, outputTokens: 2, isEdited: 1 } },
    { sampling: { model: null, inputTokens: 1, outputTokens: 2, isEdited: true } },
    { caller: { kind: 'robot' } },
    { caller: { kind: 'chat' } },
    { caller: { kind: 'chat', isInChat: 'yes' } },
    { caller: { kind: 'extension', id: 'acme.notes' } },
    { caller: { kind: 'extension', label: 'Notes' } },
  ]) {
    test(`is not read with ${JSON.stringify(wrong)}`, () => {
      assert.equal(readLedgerLine(JSON.stringify({ ...stored, ...wrong })), undefined);
    });
  }

  for (const line of ['', '[]', 'null', '"text"', '{', JSON.stringify([stored])]) {
    test(`is not read if it is ${line || 'empty'}`, () => {
      assert.equal(readLedgerLine(line), undefined);
    });
  }
});
