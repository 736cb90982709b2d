import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { ModelNames } from '../../../../src/host/gateway/modelNames.ts';
import { tokensOfTools } from '../../../../src/host/tools/tokenEstimate.ts';
import { CountedHashes } from '../../support/countedHashes.ts';
import { legacyServer } from '../../support/definitions.ts';
import { ToolsBed } from '../../support/toolsBed.ts';
import { Turns } from '../../support/turns.ts';
import { until } from '../../support/until.ts';

suite('A server with very many tools', () => {
  let bed: ToolsBed;
  const server = legacyServer();
  const { id } = server;
  setup(async () => {
    bed = new ToolsBed();
    await bed.runCompared(server);
  });
  teardown(() => bed.close());

  test('is compared while everything else goes on, each tool under a name of its own', async () => {
    const tools = Array.from({ length: 5_000 }, (_, index) => ({
      name: `${'deep/path.'.repeat(6)}${index}`,
      description: 'What it does. '.repeat(20),
      inputSchema: { type: 'object', properties: { [`p${index}`]: { type: 'string' } } },
    }));
    await bed.of(server).callTool('list', { kind: 'tools', entries: tools });
    await bed.untilListed(server, tools.length);
    const turns = new Turns();
    await bed.tools.settled();
    turns.end('the comparison');
    assert.ok(bed.tools.of(id).every(({ standing }) => standing.kind === 'added'));
    const names = new ModelNames(tools.map(({ name }) => name));
    assert.equal(new Set(tools.map(({ name }) => names.modelName(name))).size, tools.length);
    assert.ok(tokensOfTools(bed.tools.of(id)) > 100 * tools.length);
  });

  test('that gives all of them other names is compared while everything else goes on', async () => {
    const entries = (prefix: string): readonly object[] =>
      Array.from({ length: 3_000 }, (_, index) => ({
        name: `${prefix}${index}`,
        inputSchema: {
          type: 'object',
          properties: { [`p${index}`]: { type: 'string' }, all: { items: {} } },
        },
      }));
    await bed.list(server, entries('old'));
    await bed.acceptAll(server);
    await bed.of(server).callTool('list', { kind: 'tools', entries: entries('new') });
    await until(
      () => bed.of(server).catalogue?.tools[0]?.name === 'new0',
      'the server lists the new names',
      bed.host.onDidChangeServer,
    );
    const turns = new Turns();
    await bed.tools.settled();
    turns.end('the comparison');
    assert.ok(bed.tools.of(id).every(({ standing }) => standing.kind === 'changed' && standing.renamedFrom));
  });

  test('that lists after a restart what was approved is compared without a hash of any tool', async () => {
    const entries = Array.from({ length: 100 }, (_, index) => ({
      name: `tool${index}`,
      description: 'Counted words.',
      inputSchema: { type: 'object', properties: { counted: { type: 'string' } } },
    }));
    await bed.list(server, entries);
    await bed.acceptAll(server);
    const hashes = new CountedHashes('ounted');
    await bed.host.stop(id);
    await bed.host.start(id);
    await bed.list(server, entries);
    hashes.dispose();
    assert.equal(bed.tools.of(id).filter(({ standing }) => standing.kind === 'known').length, 100);
    assert.equal(hashes.count, 0);
  });

  test('that changes them all the time is compared with what it lists last', async () => {
    const connection = bed.of(server);
    const told: number[] = [];
    bed.tools.onDidChange(() => told.push(bed.tools.of(id).length));
    const last = { name: 'last', inputSchema: { type: 'object', properties: { last: {} } } };
    for (let count = 0; count < 50; count += 1) {
      const entries = Array.from({ length: count }, (_, index) => ({ ...last, name: `tool${index}` }));
      await connection.callTool('list', { kind: 'tools', entries: [...entries, last] });
    }
    await bed.untilListed(server, 50);
    await bed.tools.settled();
    assert.equal(bed.tools.of(id).length, 50);
    assert.ok(told.length < 50);
  });

  test('offers none of them when nothing can be pinned', async () => {
    await bed.host.stop(id);
    for (const name of readdirSync(bed.pinsFolder)) {
      const file = path.join(bed.pinsFolder, name);
      rmSync(file);
      mkdirSync(file);
    }
    await bed.host.start(id);
    await bed.untilListed(server, 17);
    await bed.tools.settled();
    assert.ok(bed.tools.of(id).every(({ standing }) => standing.kind === 'unseen'));
    assert.ok(bed.logs.get('server')?.has('could not be compared with what was approved'));
  });
});
