import assert from 'node:assert/strict';
import { legacyServer } from '../../support/definitions.ts';
import { ToolsBed } from '../../support/toolsBed.ts';

const inputSchema = { type: 'object', properties: { path: { type: 'string' } } };
const read = { name: 'read', description: 'Reads a file.', inputSchema, annotations: { readOnlyHint: true } };
const list = { name: 'list', inputSchema: { type: 'object' } };

suite("A server's tools are compared with what was approved", () => {
  let bed: ToolsBed;
  const server = legacyServer();
  setup(() => {
    bed = new ToolsBed();
  });
  teardown(() => bed.close());

  test('knows the tools of the first list', async () => {
    await bed.runCompared(server);
    assert.ok(bed.tools.of(server.id).length > 10);
    assert.ok(bed.tools.of(server.id).every(({ standing }) => standing.kind === 'known'));
    assert.equal(bed.tools.changes(server.id), undefined);
    assert.equal(bed.tools.instructions(server.id), 'Echo first.');
  });

  test('calls a later tool new until it is acknowledged', async () => {
    await bed.runCompared(server);
    await bed.list(server, [read, list]);
    assert.deepEqual(bed.standings(server), { read: 'new', list: 'known' });
    await bed.tools.acknowledge(server.id, ['read']);
    assert.deepEqual(bed.standings(server), { read: 'known', list: 'known' });
  });
});
