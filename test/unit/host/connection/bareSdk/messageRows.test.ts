import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import { serveScripted, type Script } from '../../../../fixtures/servers/scriptedHttp.ts';
import { httpServer, legacyServer, unrulyServer } from '../../../support/definitions.ts';
import type { Peer } from './peer.ts';
import { testRows, type Row } from './rows.ts';
import type { Stage } from './stage.ts';

const eras = ['2025-11-25', '2026-07-28'] as const;
/** What a result of the modern era says besides; legacy clients ignore it. */
const uncached = { resultType: 'complete', ttlMs: 0, cacheScope: 'private' };
const schema = { type: 'object' };

async function scripted(stage: Stage, script: Script, revision: (typeof eras)[number]): Promise<Peer> {
  const server = stage.bed.endLater(await serveScripted(script, { revision }));
  return stage.connected(httpServer(server.url));
}

const rows: readonly Row[] = [
  ...eras.flatMap((revision): Row[] => [
    {
      requirement: `keeps the sound tools beside malformed ones (${revision})`,
      scenario: async (stage) => {
        const tools = [
          { name: 'first', inputSchema: schema },
          { name: 'titled', title: null, inputSchema: schema },
          { name: 'untyped', inputSchema: { text: { type: 'string' } } },
          { name: 'last', inputSchema: schema },
        ];
        const peer = await scripted(
          stage,
          { 'tools/list': ({ json, answer }) => json(answer({ ...uncached, tools })) },
          revision,
        );
        assert.deepEqual(await peer.listTools(), ['first', 'last']);
      },
      alone: /Invalid result for tools\/list/,
    },
    {
      requirement: `keeps the sound blocks of a result beside an unknown one (${revision})`,
      scenario: async (stage) => {
        const content = [
          { type: 'text', text: 'before' },
          { type: 'video', data: 'AAAA', mimeType: 'video/mp4' },
          { type: 'text', text: 'after' },
        ];
        const peer = await scripted(
          stage,
          { 'tools/call': ({ json, answer }) => json(answer({ resultType: 'complete', content })) },
          revision,
        );
        assert.match(await peer.callTool('echo'), /^before\n(.*\n)*after$/);
      },
      alone: /Invalid result for tools\/call/,
    },
    {
      requirement: `reads a list of more than 64 pages (${revision})`,
      scenario: async (stage) => {
        const pages = 70;
        const peer = await scripted(
          stage,
          {
            'tools/list': ({ json, answer, message: { params } }) => {
              const page = Number(params?.['cursor'] ?? 1);
              const tools = [{ name: `tool${page}`, inputSchema: schema }];
              json(answer({ ...uncached, tools, ...(page < pages && { nextCursor: String(page + 1) }) }));
            },
          },
          revision,
        );
        assert.equal((await peer.listTools()).length, pages);
      },
      alone: /listMaxPages \(64\)/,
    },
  ]),
  {
    requirement: 'receives batches over stdio',
    scenario: async (stage) => {
      const peer = await stage.atOnce('it is connected', stage.connected(legacyServer(['--batches'])));
      assert.equal(await peer.callTool('echo', { text: 'Hello' }), 'Hello');
    },
    alone: /not within 3 s: it is connected/,
  },
  {
    requirement: 'fails a call at once whose answer is not a JSON-RPC response',
    scenario: async (stage) => {
      const peer = await scripted(
        stage,
        { 'tools/call': ({ events, answer }) => events().event(`data: ${answer(null)}`) },
        '2025-11-25',
      );
      await stage.atOnce('the call is rejected', assert.rejects(peer.callTool('echo')));
    },
    alone: /not within 3 s: the call is rejected/,
  },
  {
    requirement: 'receives a message of more than 10 MiB over stdio',
    scenario: async (stage) => {
      const peer = await stage.connected(legacyServer());
      const text = 'x'.repeat(11 * 2 ** 20);
      assert.ok((await peer.callTool('echo', { text })) === text);
    },
    alone: /Connection closed/,
  },
  {
    requirement: 'stops the clock of a call while you are asked because of it',
    scenario: async (stage) => {
      const peer = await stage.connected(legacyServer(), { consent: () => delay(2_000) });
      peer.requestMs = 1_000;
      assert.equal(await peer.callTool('roots'), '{"roots":[]}');
    },
    alone: /timed out/,
  },
  {
    requirement: 'distinguishes a cancelled call from one that ran out of time',
    scenario: async (stage) => {
      const peer = await stage.connected(legacyServer());
      peer.requestMs = 500;
      const end = (call: Promise<unknown>): Promise<unknown> =>
        call.then(
          () => assert.fail('it was answered'),
          (error: unknown) => peer.codeOf(error),
        );
      const abort = new AbortController();
      const ends = [end(peer.callTool('silent', {}, { signal: abort.signal })), end(peer.callTool('silent'))];
      abort.abort();
      const [cancelled, timedOut] = await Promise.all(ends);
      assert.notEqual(cancelled, timedOut, 'one code for both');
    },
    alone: /one code for both/,
  },
  {
    requirement: 'loses no progress that comes together with the answer',
    scenario: async (stage) => {
      const peer = await stage.connected(unrulyServer());
      const steps: number[] = [];
      await peer.callTool('count', { to: 3 }, { onProgress: (step) => steps.push(step) });
      assert.equal(steps.at(-1), 3, 'the last step');
    },
    alone: /the last step/,
  },
  {
    requirement: 'has no complaint about an answer that comes twice',
    scenario: async (stage) => {
      const peer = await stage.connected(unrulyServer());
      assert.equal(await peer.callTool('twice', { said: 'once' }), 'once');
      assert.equal(await peer.callTool('echo', { said: 'next' }), 'next');
      assert.deepEqual(peer.complaints, [], 'complaints');
    },
    alone: /^complaints/,
  },
];

suite('Lists, calls and messages, which the SDK leaves to its host', () => testRows(rows));
