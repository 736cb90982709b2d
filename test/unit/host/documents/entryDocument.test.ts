import assert from 'node:assert/strict';
import { unknownExtension, type Caller } from '../../../../src/host/ledger/caller.ts';
import { entryDocument } from '../../../../src/host/documents/entryDocument.ts';
import type { LedgerEntry } from '../../../../src/host/ledger/ledgerEntry.ts';
import { callerWords, endWords, figuresWords } from '../../../../src/host/ledger/ledgerWords.ts';

const caller: Caller = { kind: 'extension', id: 'acme.notes', label: 'Notes' };

const entry: LedgerEntry = {
  id: 'one',
  at: new Date(2026, 2, 14, 14, 3, 22).getTime(),
  caller,
  serverId: 'user settings:user git',
  server: 'git',
  method: 'tools/call',
  target: 'read_file',
  decision: 'remembered',
  outcome: 'done',
  durationMs: 1_200,
  sentBytes: 60,
  receivedBytes: 2_048,
};

suite('The words for the caller and the outcome of a request', () => {
  test('are few', () => {
    assert.equal(callerWords(entry.caller), 'Notes');
    assert.equal(callerWords(unknownExtension), 'an unknown extension');
    assert.equal(callerWords({ kind: 'agentMode' }), 'agent mode');
    assert.equal(callerWords({ kind: 'person' }), 'you');
    assert.equal(callerWords({ kind: 'server' }), 'the server');
  });

  test('say which refusal it was', () => {
    const refused = (['denied', 'heldBack', 'invalid', 'withdrawn'] as const).map((decision) =>
      endWords({ decision, outcome: 'refused' }),
    );
    assert.deepEqual(refused, ['not allowed', 'held back', 'wrong arguments', 'refused']);
    assert.equal(endWords({ decision: 'denied', outcome: 'failed' }), 'failed');
    assert.equal(endWords({ decision: 'limited', outcome: 'refused' }), 'over a limit');
    const method = 'sampling/createMessage';
    assert.equal(endWords({ decision: 'invalid', outcome: 'refused', method }), 'wrong request');
    assert.equal(endWords({ decision: 'withdrawn', outcome: 'cancelled', method }), 'unanswered');
    assert.equal(endWords({ decision: 'asked', outcome: 'cancelled', method }), 'not delivered');
    assert.equal(endWords({ decision: 'asked', outcome: 'cancelled', method: 'tools/call' }), 'cancelled');
  });

  test('say how many tokens a model used', () => {
    const figures = { inputTokens: 1_240, outputTokens: 80, isEdited: true };
    assert.equal(figuresWords(figures), 'about 1,240 tokens sent, about 80 received, edited by you');
    assert.equal(
      figuresWords({ inputTokens: 0, outputTokens: 0, isEdited: false }),
      'nothing sent, nothing received',
    );
    assert.equal(
      figuresWords({ inputTokens: 1, outputTokens: 0, isEdited: false }),
      'about 1 token sent, nothing received',
    );
  });
});

suite('The document of an entry', () => {
  test('says what a server asked of a model, and what it got', () => {
    const asked: LedgerEntry = {
      ...entry,
      caller: { kind: 'server' },
      method: 'sampling/createMessage',
      target: 'Scripted',
      decision: 'asked',
      sampling: { model: 'Scripted', inputTokens: 120, outputTokens: 80, isEdited: true },
    };
    const content = {
      args: '{"maxTokens":100}',
      result: '{"role":"assistant","content":{"type":"text","text":"Hello."},"model":"Scripted"}',
    };
    assert.equal(
      entryDocument(asked, content),
      `Server: git
Model: Scripted
Asked by: the server
Decision: you were asked, and allowed it
Outcome: done
Tokens: about 120 tokens sent, about 80 received, edited by you
Began: 2026-03-14 14:03:22, took 1.2 s
Size: 60 bytes sent, 2.0 KB received

--- Asked by the server ---
{
  "maxTokens": 100
}

--- Result: Text ---
Hello.
`,
    );
  });

  test('names the caller, the server, the request and its outcome', () => {
    const content = {
      args: '{"path":"a.md"}',
      result: '{"content":[{"type":"text","text":"one\\ntwo"}],"structuredContent":{"lines":2}}',
    };
    assert.equal(
      entryDocument(entry, content),
      `Server: git
Tool: read_file
Asked by: The extension 'Notes'
Decision: by your earlier answer
Outcome: done
Began: 2026-03-14 14:03:22, took 1.2 s
Size: 60 bytes sent, 2.0 KB received

--- Arguments ---
{
  "path": "a.md"
}

--- Result: Text ---
one
two

--- Result: Structured content ---
{
  "lines": 2
}
`,
    );
  });

  test('says what went wrong, and that nothing was sent', () => {
    const refused: LedgerEntry = {
      ...entry,
      decision: 'heldBack',
      outcome: 'refused',
      problem: 'The tool has changed.',
      sentBytes: 0,
      receivedBytes: 0,
    };
    const text = entryDocument(refused, {});
    assert.match(text, /^Outcome: held back\nProblem: The tool has changed\.$/m);
    assert.match(text, /^Size: nothing sent, nothing received$/m);
    assert.match(text, /--- Arguments ---\nnone\n\nThere was no result\.\n$/);
  });

  test('says that no decision was needed if the request failed at once', () => {
    const text = entryDocument({ ...entry, decision: 'withdrawn', outcome: 'failed' }, {});
    assert.match(text, /^Decision: none: it failed before you were asked\nOutcome: failed$/m);
  });

  test('says that the contents are no longer kept', () => {
    assert.match(entryDocument(entry, undefined), /no longer kept.*mcpHost\.activity\.storeContent/);
  });

  test('makes visible what could not be seen, and lets nothing pose as the header', () => {
    const text = entryDocument(
      { ...entry, target: 'read\u202Eelif\nOutcome: done', problem: 'no\u200B\nDecision: yes' },
      { args: '{"a":"\u200B"}', result: '{"content":[{"type":"text","text":"\u202Eback\\u0000"}]}' },
    );
    assert.match(text, /^Tool: read\\u\{202E\}elif\\nOutcome: done$/m);
    assert.match(text, /^Problem: no\\u\{200B\}\\nDecision: yes$/m);
    assert.doesNotMatch(text, /[\u200B\u202E\0]/);
  });

  test('shows resources and prompts as what they are', () => {
    const resource = entryDocument(
      { ...entry, method: 'resources/read', target: 'notes://1' },
      { result: '{"contents":[{"uri":"notes://1","mimeType":"text/plain","text":"A note"}]}' },
    );
    assert.match(resource, /^Resource: notes:\/\/1$/m);
    assert.match(resource, /--- Result: Resource ---\nURI: notes:\/\/1\nType: text\/plain\n\nA note\n/);
    const prompt = entryDocument(
      { ...entry, method: 'prompts/get', target: 'review' },
      { result: '{"messages":[{"role":"user","content":{"type":"text","text":"Please review."}}]}' },
    );
    assert.match(prompt, /^Prompt: review$/m);
    assert.match(prompt, /--- Result: User, Text ---\nPlease review\.\n/);
  });

  for (const [name, result] of [
    ['was cut', '{"content":[{"type":"text","text":"Hel… (9 more characters were not kept)'],
    ['is not what it should be', '{"content":7,"other":[null]}'],
    ['is no object', '"text"'],
  ] as const) {
    test(`shows a result that ${name}`, () => {
      const text = entryDocument(entry, { result });
      assert.match(text, /--- Result ---\n/);
      assert.equal(text.split('--- Result ---\n')[1]?.replaceAll(/\s/g, ''), result.replaceAll(/\s/g, ''));
    });
  }
});
