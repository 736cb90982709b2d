import assert from 'node:assert/strict';
import { messageOf } from '../../../../../src/host/errors/hostError.ts';
import { echoed, serveScripted } from '../../../../fixtures/servers/scriptedHttp.ts';
import { httpServer } from '../../../support/definitions.ts';
import { testRows, type Row } from './rows.ts';

const eras = ['2025-11-25', '2026-07-28'] as const;

const rows: readonly Row[] = [
  ...eras.map((revision): Row => ({
    requirement: `rejects a call at once when its response stream dies (${revision})`,
    scenario: async (stage) => {
      const server = stage.bed.endLater(await serveScripted({}, { revision }));
      const peer = await stage.connected(httpServer(server.url));
      server.script['tools/call'] = ({ events }) => {
        const stream = events();
        stream.raw(': working\n\n');
        setImmediate(() => stream.destroy());
      };
      await stage.atOnce('the call is rejected', assert.rejects(peer.callTool('echo')));
    },
    alone: /not within 3 s: the call is rejected/,
  })),
  ...eras.map((revision): Row => ({
    requirement: `resumes a response stream for as long as the call may take (${revision})`,
    scenario: async (stage) => {
      const server = stage.bed.endLater(await serveScripted({}, { revision }));
      const peer = await stage.connected(httpServer(server.url));
      let answer = '';
      let refusals = 4;
      server.script['tools/call'] = (exchange) => {
        answer = exchange.answer({ resultType: 'complete', ...echoed });
        const stream = exchange.events();
        stream.event('id: 0', 'retry: 10', 'data:');
        stream.end();
      };
      server.script['GET'] = ({ headers, events, response }) => {
        if (headers['last-event-id'] === undefined) {
          return response.writeHead(405).end();
        }
        refusals -= 1;
        return refusals < 0 ? events().event('id: 1', `data: ${answer}`) : response.writeHead(503).end();
      };
      assert.equal(await stage.atOnce('the call is answered', peer.callTool('echo')), 'Hello');
    },
    alone: /not within 3 s: the call is answered/,
  })),
  {
    requirement: 'begins another session when the server has forgotten the one before (404)',
    scenario: async (stage) => {
      const server = stage.bed.endLater(await serveScripted({}, { sessions: ['one', 'two'] }));
      const peer = await stage.connected(httpServer(server.url));
      server.script['resources/read'] = ({ headers, response, json, answer }) =>
        headers['mcp-session-id'] === 'two'
          ? json(answer({ contents: [{ uri: 'test:///note', text: 'A note.' }] }))
          : response.writeHead(404).end();
      assert.equal(await peer.readResource('test:///note'), 'A note.');
    },
    alone: /^Error POSTing/,
  },
  {
    requirement: 'receives batches in event streams',
    scenario: async (stage) => {
      const server = stage.bed.endLater(await serveScripted());
      const peer = await stage.connected(httpServer(server.url));
      server.script['tools/call'] = ({ events, answer }) => {
        const stream = events();
        stream.event(`data: [${answer(echoed)}]`);
        stream.end();
      };
      assert.equal(await stage.atOnce('the call is answered', peer.callTool('echo')), 'Hello');
    },
    alone: /not within 3 s: the call is answered/,
  },
  {
    requirement: 'takes the error in a 404 for the answer that it is',
    scenario: async (stage) => {
      const server = stage.bed.endLater(await serveScripted({}, { revision: '2026-07-28' }));
      const peer = await stage.connected(httpServer(server.url));
      server.script['tools/call'] = ({ json, message: { id } }) =>
        json({ jsonrpc: '2.0', id, error: { code: -32601, message: 'Method not found' } }, 404);
      const words = await peer.callTool('echo').then(String, messageOf);
      assert.match(words, /^(the server answered: )?Method not found/);
    },
    alone: /Error POSTing/,
  },
  {
    requirement: 'takes a result that does not say what it is for a complete one',
    scenario: async (stage) => {
      const server = stage.bed.endLater(await serveScripted({}, { revision: '2026-07-28' }));
      const peer = await stage.connected(httpServer(server.url));
      server.script['tools/call'] = ({ json, answer }) => json(answer(echoed));
      assert.equal(await peer.callTool('echo'), 'Hello');
    },
    alone: /missing required resultType/,
  },
  {
    requirement: 'takes `null` for what is left out',
    scenario: async (stage) => {
      const serverInfo = { name: 'nulls', version: '1', title: null };
      const capabilities = { tools: {}, prompts: null };
      const server = stage.bed.endLater(
        await serveScripted({
          initialize: ({ json, answer }) =>
            json(answer({ protocolVersion: '2025-11-25', capabilities, serverInfo, instructions: null })),
        }),
      );
      const peer = await stage.connected(httpServer(server.url));
      assert.equal(await peer.callTool('echo'), 'Hello');
    },
    alone: /"prompts"[^}]*expected object, received null/,
  },
];

suite('The answers over HTTP, which the SDK leaves to its host', () => testRows(rows));
