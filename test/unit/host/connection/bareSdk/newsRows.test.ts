import assert from 'node:assert/strict';
import { serveSse } from '../../../../fixtures/servers/httpServers.ts';
import { oddScript } from '../../../../fixtures/servers/oddScript.ts';
import { serveOverHttp } from '../../../../fixtures/servers/peer/overHttp.ts';
import { serveScripted, type RawEvents, type Script } from '../../../../fixtures/servers/scriptedHttp.ts';
import { httpServer } from '../../../support/definitions.ts';
import { testRows, type Row } from './rows.ts';

/** A legacy server that notifies of changed tools. */
const tellsOfTools: Script = {
  initialize: ({ json, answer }) =>
    json(
      answer({
        protocolVersion: '2025-11-25',
        capabilities: { tools: { listChanged: true } },
        serverInfo: { name: 'changing', version: '1' },
      }),
    ),
};

const rows: readonly Row[] = [
  {
    requirement: 'rejects a call at once when the one stream of HTTP+SSE ends',
    scenario: async (stage) => {
      const server = await serveSse();
      const calls: Promise<string>[] = [];
      try {
        const peer = await stage.connected(httpServer(server.url, { type: 'sse' }));
        calls.push(peer.callTool('silent'));
        // Answered after it, so that the server has it.
        await peer.callTool('echo');
      } finally {
        await server.close();
      }
      await stage.atOnce('the call is rejected', assert.rejects(Promise.all(calls)));
    },
    alone: /not within 3 s: the call is rejected/,
  },
  {
    requirement: 'goes on opening the stream on which a server sends unasked',
    scenario: async (stage) => {
      let opened = 0;
      const server = stage.bed.endLater(
        await serveScripted({
          GET: ({ events, response }) => {
            opened += 1;
            if (opened > 1 && opened <= 5) {
              return response.writeHead(503).end();
            }
            const stream = events();
            stream.event('retry: 10', 'data:');
            return opened === 1
              ? stream.end()
              : stream.event(
                  'data: {"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"Hello"}}',
                );
          },
        }),
      );
      const peer = await stage.connected(httpServer(server.url));
      await stage.seenAtOnce('the server is heard', () => peer.heard.includes('Hello'));
    },
    alone: /not within 3 s: the server is heard/,
  },
  {
    requirement: 'hears what a server sends at its start, which discards it if there is no stream',
    scenario: async (stage) => {
      let stream: RawEvents | undefined;
      const server = stage.bed.endLater(
        await serveScripted({
          GET: ({ events }) => setTimeout(() => (stream = events()), 100),
          'notifications/initialized': ({ response }) => {
            response.writeHead(202).end();
            stream?.event(
              'data: {"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"Hello"}}',
            );
          },
        }),
      );
      const peer = await stage.connected(httpServer(server.url));
      await stage.seenAtOnce('the server is heard', () => peer.heard.includes('Hello'));
    },
    alone: /not within 3 s: the server is heard/,
  },
  {
    requirement: 'listens again when the stream of changes breaks off (2026-07-28)',
    scenario: async (stage) => {
      const server = stage.bed.endLater(await serveOverHttp(oddScript('modern', 'fresh')));
      const isOpen = (times: number) =>
        server.streams() === 1 && server.peer.of('subscriptions/listen').length === times;
      await stage.connected(httpServer(server.url));
      await stage.seenAtOnce('the stream is open', () => isOpen(1));
      server.breakStreams();
      await stage.seenAtOnce('the stream is open again', () => isOpen(2));
    },
    alone: /not within 3 s: the stream is open again/,
  },
  {
    requirement: 'lists again while a server keeps saying that its tools have changed',
    scenario: async (stage) => {
      let stream: RawEvents | undefined;
      const server = stage.bed.endLater(
        await serveScripted({
          ...tellsOfTools,
          GET: ({ events }) => {
            stream = events();
          },
        }),
      );
      const peer = await stage.connected(httpServer(server.url));
      await stage.seenAtOnce('the stream is open', () => stream !== undefined);
      server.script['tools/list'] = ({ json, answer }) =>
        json(answer({ tools: [{ name: 'new', inputSchema: { type: 'object' } }] }));
      const flood = setInterval(
        () => stream?.event('data: {"jsonrpc":"2.0","method":"notifications/tools/list_changed"}'),
        50,
      );
      try {
        await stage.seenAtOnce('the new tool is known', () => peer.knownTools.includes('new'));
      } finally {
        clearInterval(flood);
      }
    },
    alone: /not within 3 s: the new tool is known/,
  },
];

suite('What a server sends unasked, which the SDK leaves to its host', () => testRows(rows));
