import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import type { AgentModeState } from '../../../../../src/editor/chat/agentModeState.ts';
import type { TreeSources } from '../../../../../src/editor/views/servers/serverNodes.ts';
import { serverContext } from '../../../../../src/editor/views/servers/serverWord.ts';
import { HostError } from '../../../../../src/host/errors/hostError.ts';
import { sampleId } from '../../../../../src/host/added/addedDefinitions.ts';
import type { HostServer } from '../../../../../src/host/servers/mcpHost.ts';
import {
  isIdle,
  type ConnectionState,
  type OfferedSignIn,
  type SignInState,
} from '../../../../../src/host/state/connectionState.ts';

interface Item {
  readonly command?: string;
  readonly submenu?: string;
  readonly when?: string;
  readonly group: string;
}

const { contributes } = JSON.parse(
  readFileSync(new URL('../../../../../package.json', import.meta.url), 'utf8'),
) as {
  readonly contributes: { readonly menus: Readonly<Record<string, readonly Item[]>> };
};
const rows = contributes.menus['view/item/context'] ?? [];
const more = contributes.menus['mcpHost.server.more'] ?? [];

/** Whether an item is in the menu of a row in the view of servers with that context value. */
function isFor(context: string, { when = '' }: Item): boolean {
  const [, view, pattern] = /^(?:view == ([\w.]+)(?: && |$))?(?:viewItem =~ \/(.+)\/)?$/.exec(when) ?? [];
  if (view === undefined && pattern === undefined && when !== '') {
    assert.match(when, /^view == mcpHost\.activity && viewItem == running$/, 'a clause that this test reads');
    return false;
  }
  return (
    (view === undefined || view === 'mcpHost.servers') &&
    (pattern === undefined || new RegExp(pattern).test(context))
  );
}

const offer: OfferedSignIn = { issuer: 'https://id.example', oauthClient: 'known' };
const required = (needs?: 'token'): HostError =>
  new HostError('signInRequired', 'it requires you', { needs });
const signIns: readonly (SignInState | undefined)[] = [
  undefined,
  { kind: 'finding', reason: required() },
  { kind: 'required', reason: required(), offer },
  { kind: 'required', reason: required('token'), offer },
  { kind: 'working' },
  { kind: 'inBrowser', offer, address: 'https://id.example/authorize', isOpened: true },
];
/** One for each remedy, and one without any. */
const reasons = [
  new HostError('commandNotFound', 'npx was not found'),
  new HostError('refused', 'it wants a token', { status: 401 }),
  new HostError('unreachable', 'nobody answers'),
  new HostError('lost', 'the connection broke'),
];
const kinds: readonly ConnectionState[] = [
  { kind: 'disabled' },
  { kind: 'restricted' },
  { kind: 'awaitingApproval' },
  { kind: 'denied' },
  { kind: 'stopped' },
  { kind: 'forbidden', reason: new HostError('forbidden', 'not here', { setting: 'chat.mcp.access' }) },
  { kind: 'signInRequired', reason: required() },
  { kind: 'authorizing' },
  { kind: 'starting' },
  { kind: 'stopping' },
  { kind: 'running', run: 1, era: 'legacy', revision: '2025-11-25' },
  ...reasons.flatMap((reason): readonly ConnectionState[] => [
    { kind: 'failed', reason },
    { kind: 'backingOff', reason, attempt: 1, until: 0 },
  ]),
];
const states = kinds.flatMap((state): readonly ConnectionState[] =>
  isIdle(state) ? [state] : signIns.map((signIn) => (signIn ? { ...state, signIn } : state)),
);
const origins = ['settings', 'extension'] as const;
const chats: readonly AgentModeState[] = ['granted', 'notGranted', 'unavailable'];
const accounts = [undefined, { kind: 'token' }, { kind: 'oauth' }];
const launches = [{ command: 'npx' }, { url: 'https://mcp.example' }];
const both = [true, false];

/** Every combination of what decides the context value of a server's row, also those that can't be. */
function contexts(): ReadonlySet<string> {
  const found = new Set<string>();
  for (const state of states) {
    for (const format of origins) {
      for (const launch of launches) {
        for (const chat of chats) {
          for (const account of accounts) {
            for (const [disabled, isChanged, hasInputs] of both.flatMap((one) =>
              both.flatMap((two) => both.map((three) => [one, two, three] as const)),
            )) {
              const definition = {
                ...launch,
                id: format === 'extension' ? sampleId : 'git',
                origin: { format },
                disabled,
                inputs: hasInputs ? [{ type: 'promptString', id: 'token', password: true }] : [],
              };
              const server = { connection: { state, definition } } as unknown as HostServer;
              const sources = {
                tools: { changes: () => (isChanged ? {} : undefined) },
                agentMode: { stateOf: () => chat },
                accounts: { accountOf: () => account },
              } as unknown as TreeSources;
              found.add(serverContext(server, sources));
            }
          }
        }
      }
    }
  }
  return found;
}

suite('The menu of a server', () => {
  const all = [...contexts()];
  const direct = (context: string): readonly Item[] =>
    rows.filter((item) => !item.group.startsWith('inline') && isFor(context, item));
  const below = (context: string): readonly Item[] => more.filter((item) => isFor(context, item));

  test('has at most nine entries, and More, in every state', () => {
    assert.ok(all.length > 1_000, `${all.length} context values`);
    for (const context of all) {
      const commands = direct(context).flatMap(({ command }) => command ?? []);
      const submenus = direct(context).flatMap(({ submenu }) => submenu ?? []);
      assert.ok(commands.length <= 9, `${context}: ${commands.join(', ')}`);
      assert.deepEqual(submenus, ['mcpHost.server.more'], context);
      assert.ok(below(context).length <= 9, context);
    }
  });

  test('has each entry once', () => {
    for (const context of all) {
      const commands = [...direct(context), ...below(context)].map(({ command }) => command);
      assert.equal(new Set(commands).size, commands.length, `${context}: ${commands.join(', ')}`);
    }
  });

  test('has one entry of each pair', () => {
    const has = (context: string, name: string): boolean =>
      [...direct(context), ...below(context)].some(({ command }) => command === `mcpHost.${name}`);
    for (const context of all) {
      assert.equal(has(context, 'enableServer'), context.includes(' off'), context);
      assert.equal(has(context, 'disableServer'), / on\b/.test(context), context);
      assert.ok(!has(context, 'useInChat') || !has(context, 'removeFromChat'), context);
    }
  });
});
