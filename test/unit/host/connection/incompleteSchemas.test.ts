import assert from 'node:assert/strict';
import { serveScripted } from '../../../fixtures/servers/scriptedHttp.ts';
import { ConnectionBed, namesOf, textOf } from '../../support/connectionBed.ts';
import { httpServer, stdioServer } from '../../support/definitions.ts';
import { agentMode } from '../../support/gateBed.ts';
import { ToolsBed } from '../../support/toolsBed.ts';
import { until } from '../../support/until.ts';

const draft = 'http://json-schema.org/draft-07/schema#';
const note = 'In its input schema, `type` is missing and treated as `object`.';

/** Thirteen tools of fourteen have nothing but a dialect, as published servers write them; `complete` completes them. */
const script = `
  const types = { type: 'object' };
  let added = {};
  const tools = () => [
    ...Array.from({ length: 13 }, (_, index) => ({ name: 'tool' + index, inputSchema: { $schema: '${draft}', ...added } })),
    { name: 'whole', inputSchema: types },
    { name: 'none' },
    { name: 'text', inputSchema: { type: 'string' } },
  ];
  const write = (message) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', ...message }) + '\\n');
  require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
    const { id, method, params } = JSON.parse(line);
    if (id === undefined) return;
    if (method === 'tools/call' && params.name === 'whole') {
      added = types;
      write({ method: 'notifications/tools/list_changed' });
    }
    const results = {
      initialize: {
        protocolVersion: '2025-11-25',
        capabilities: { tools: { listChanged: true } },
        serverInfo: { name: 's', version: '1' },
      },
      'tools/list': { tools: tools() },
      'tools/call': { content: [{ type: 'text', text: JSON.stringify(params?.arguments) }] },
    };
    const result = results[method];
    write(result ? { id, result } : { id, error: { code: -32601, message: 'Method not found' } });
  });`;

suite('A server whose tools do not say of what type their arguments are', () => {
  test('offers them all the same, with a note on each, and the log says so once', async () => {
    const bed = new ConnectionBed();
    try {
      const connection = bed.connection(stdioServer(['-e', script]));
      await connection.start();
      const { catalogue } = connection;
      assert.equal(catalogue?.tools.length, 14);
      assert.deepEqual(catalogue.tool('tool0')?.inputSchema, { $schema: draft, type: 'object' });
      assert.equal(catalogue.toolNote('tool12'), note);
      assert.equal(catalogue.toolNote('whole'), undefined);
      assert.deepEqual(
        catalogue.malformed('tools').map(({ name, reason }) => [name, reason]),
        [
          ['none', '`inputSchema` is missing'],
          ['text', '`inputSchema.type` must be "object"'],
        ],
      );
      assert.equal(await textOf(connection.callTool('tool0', { path: 'x' })), '{"path":"x"}');
      const [corrected = '', ...others] = bed.logger.lines.filter((line) => line.includes('corrected'));
      assert.match(corrected, /^info: .*'tool0' is corrected\. .* 12 more of its tools/);
      assert.ok(corrected.includes(note));
      assert.deepEqual(others, []);
    } finally {
      await bed.close();
    }
  });

  test('has none of them held back when it completes its schemas later, and loses the notes', async () => {
    const bed = new ToolsBed();
    const server = stdioServer(['-e', script]);
    try {
      await bed.runCompared(server);
      await bed.grants.grant(server.id, true);
      const connection = bed.of(server);
      await bed.gate.callTool(agentMode, server.id, 'whole', {});
      await until(
        () => connection.catalogue?.toolNote('tool0') === undefined,
        'the schemas are whole',
        connection.onDidChangeCatalogue,
      );
      await bed.tools.settled();
      assert.equal(bed.tools.changes(server.id), undefined);
      assert.equal(await textOf(bed.gate.callTool(agentMode, server.id, 'tool0', {})), '{}');
    } finally {
      await bed.close();
    }
  });

  for (const revision of ['2025-11-25', '2026-07-28'] as const) {
    test(`offers them over HTTP, too (${revision})`, async () => {
      const bed = new ConnectionBed();
      try {
        const tools = [
          { name: 'draft', inputSchema: { $schema: draft } },
          { name: 'required', inputSchema: { type: 'object', required: null } },
          { name: 'list', inputSchema: [] },
        ];
        const uncached =
          revision === '2026-07-28' ? { resultType: 'complete', ttlMs: 0, cacheScope: 'private' } : {};
        const server = bed.endLater(
          await serveScripted(
            { 'tools/list': ({ json, answer }) => json(answer({ ...uncached, tools })) },
            { revision },
          ),
        );
        const connection = bed.connection(httpServer(server.url));
        await connection.start();
        assert.deepEqual(namesOf(connection.catalogue?.tools), ['draft', 'required', 'list']);
      } finally {
        await bed.close();
      }
    });
  }
});
