import assert from 'node:assert/strict';
import { serverWord, type ServerFacts } from '../../../../../src/editor/views/servers/serverWord.ts';
import { stateWords } from '../../../../../src/host/connection/stateWords.ts';
import { statusText } from '../../../../../src/editor/views/servers/serverWord.ts';
import type { ConnectionState, SignInState } from '../../../../../src/host/state/connectionState.ts';
import { HostError } from '../../../../../src/host/errors/hostError.ts';

const nothing: ServerFacts = {
  tools: 0,
  prompts: 0,
  resources: 0,
  heldBack: 0,
  areInstructionsHeldBack: false,
  lingering: 0,
  problems: 0,
  isCut: false,
  repeatsItself: false,
  chat: 'unavailable',
};
const running: ConnectionState = { kind: 'running', run: 1, era: 'legacy', revision: '2025-11-25' };
const inBrowser: SignInState = {
  kind: 'inBrowser',
  offer: { issuer: 'https://id.example', oauthClient: 'register' },
  address: 'https://id.example/authorize',
  isOpened: true,
};

suite('The word of a closed row of a server', () => {
  const reason = new HostError('commandNotFound', "The command 'x' was not found.");
  const states: readonly (readonly [ConnectionState, string])[] = [
    [{ kind: 'disabled' }, 'disabled'],
    [{ kind: 'restricted' }, 'workspace not trusted'],
    [{ kind: 'awaitingApproval' }, 'needs approval'],
    [{ kind: 'denied' }, 'denied'],
    [
      {
        kind: 'forbidden',
        reason: new HostError('forbidden', 'the setting chat.mcp.access turns off MCP servers', {
          word: 'not allowed by chat.mcp.access',
        }),
      },
      'not allowed by chat.mcp.access',
    ],
    [{ kind: 'stopped' }, 'stopped'],
    [{ kind: 'starting' }, 'starting…'],
    [{ kind: 'starting', asks: { words: 'Log in' } }, 'waiting for you'],
    [
      { kind: 'signInRequired', reason: new HostError('signInRequired', 'it requires you to sign in') },
      'sign in required',
    ],
    [{ kind: 'authorizing', signIn: { kind: 'working' } }, 'signing in…'],
    [{ kind: 'authorizing', signIn: inBrowser }, 'waiting for the browser…'],
    [{ kind: 'stopping' }, 'stopping…'],
    [running, 'running'],
    [{ kind: 'failed', reason }, 'failed: command not found'],
    [{ kind: 'backingOff', reason, attempt: 2, until: 10_000 }, 'retrying in 8 s'],
    [{ kind: 'backingOff', reason, attempt: 2, until: 2_000 }, 'retrying…'],
  ];
  for (const [state, word] of states) {
    test(`is '${word}'`, () => {
      assert.equal(stateWords(state, 2_001).word, word);
      assert.equal(serverWord(state, nothing, 2_001), word);
    });
  }

  const offers: readonly (readonly [Partial<ServerFacts>, string])[] = [
    [{ tools: 1, prompts: 3, resources: 2 }, '1 tool'],
    [{ tools: 12 }, '12 tools'],
    [{ tools: 2_006, isCut: true }, '2,006 tools · list cut short'],
    [{ tools: 3, repeatsItself: true }, '3 tools · repeats itself'],
    [{ tools: 12, heldBack: 2 }, '12 tools · 2 held back'],
    [{ tools: 12, areInstructionsHeldBack: true }, '12 tools · instructions held back'],
    [{ tools: 12, lingering: 1 }, '12 tools · needs a restart'],
    [{ prompts: 1, resources: 4 }, '4 resources · 1 prompt'],
    [{ problems: 1 }, 'running · 1 problem'],
    [{ tools: 2, chat: 'grantedByTools' }, '2 tools · in chat'],
    [{ tools: 2, heldBack: 1, chat: 'notGranted' }, '2 tools · 1 held back · not in chat'],
    [{ tools: 2, chat: 'forbidden' }, "2 tools · not in chat by the editor's settings"],
  ];
  for (const [facts, word] of offers) {
    test(`is '${word}' while it runs`, () => {
      assert.equal(serverWord(running, { ...nothing, ...facts }), word);
    });
  }

  test('says what the sign-in of a running server needs', () => {
    const required = new HostError('signInRequired', 'it requires more permissions');
    assert.equal(
      serverWord({ ...running, signIn: { kind: 'required', reason: required } }, { ...nothing, tools: 2 }),
      '2 tools · sign in required',
    );
    assert.equal(
      serverWord({ ...running, signIn: inBrowser }, nothing),
      'running · waiting for the browser…',
    );
  });

  test('says nothing about chat while the server does not run', () => {
    assert.equal(serverWord({ kind: 'stopped' }, { ...nothing, chat: 'granted' }), 'stopped');
  });

  test('is how long it has been starting, and what may take so long', () => {
    const starting = { kind: 'starting' } as const;
    const wait = { since: 1_000, runner: 'npx' };
    const at = (now: number): string => serverWord(starting, { ...nothing, startWait: wait }, now);
    assert.equal(at(3_000), 'starting…');
    assert.equal(at(13_900), 'starting for 10 s · npx may be downloading');
  });
});

suite('The status bar', () => {
  test('says what waits and what failed', () => {
    assert.equal(statusText(1, ['git', 'web']).text, 'MCP: 1 waiting, 2 failed');
    assert.equal(statusText(3, []).text, 'MCP: 3 waiting');
    assert.equal(statusText(0, ['git']).text, 'MCP: 1 failed');
    assert.equal(statusText(1, [], 2).text, 'MCP: 3 waiting');
    assert.equal(statusText(0, [], 1).lines.at(-1), 'Select to show the servers');
  });

  test('names what failed, and what a click does', () => {
    assert.deepEqual(statusText(1, ['git', 'web']).lines, [
      '1 server is waiting for you',
      'Failed: git, web',
      'Select to review what is waiting',
    ]);
    assert.deepEqual(statusText(0, ['a', 'b', 'c', 'd', 'e', 'f']).lines, [
      'Failed: a, b, c, d, e and 1 more',
      'Select to show the servers',
    ]);
  });
});
