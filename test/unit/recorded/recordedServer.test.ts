import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ServerConnection } from '../../../src/host/connection/serverConnection.ts';
import type { RunningState } from '../../../src/host/state/connectionState.ts';
import { recordingLines, type RecordedServer } from '../../../src/host/traffic/recording.ts';
import { ConnectionBed, namesOf, textOf } from '../support/connectionBed.ts';
import { stdioServer } from '../support/definitions.ts';
import { realServers } from '../support/realServers/realServers.ts';
import { startServer } from '../support/realServers/startServer.ts';

const program = fileURLToPath(new URL('../../../src/recorded/main.ts', import.meta.url));

suite('A recording as a server', () => {
  let bed: ConnectionBed;
  setup(() => (bed = new ConnectionBed()));
  teardown(() => bed.close());

  /** Starts the program on a recording that has this text. */
  async function played(text: string, sha256 = hashOf(text)): Promise<ServerConnection> {
    const file = path.join(bed.directory, 'a.mcp.jsonl');
    await writeFile(file, text);
    const connection = bed.connection(stdioServer([program, file, sha256]));
    await connection.start();
    return connection;
  }

  async function listed(connection: ServerConnection): Promise<readonly string[]> {
    await connection.catalogue?.listing('tools');
    return namesOf(connection.catalogue?.tools);
  }

  function textOfTraffic({ traffic }: ServerConnection, facts: Partial<RecordedServer> = {}): string {
    return [...recordingLines({ server: 'a', ...facts }, traffic.entries, [])].join('');
  }

  for (const { name, era, revision, ways } of realServers) {
    const way = ways.find(({ reach }) => reach.type === 'stdio');
    if (!way) {
      continue;
    }
    test(`says what ${name} has said, at its revision`, async () => {
      const { definition } = await startServer(bed, way);
      const real = bed.connection(definition);
      real.traffic.record();
      await real.start();
      const tools = await listed(real);
      const echo = (connection: ServerConnection, message: string): Promise<string> =>
        textOf(connection.callTool('echo', { message }));
      const [first, second] = [await echo(real, 'one'), await echo(real, 'two')];
      const recording = textOfTraffic(real);

      const copy = await played(recording);
      const state = copy.state as RunningState;
      assert.deepEqual([state.era, state.revision], [era, revision]);
      assert.deepEqual(copy.serverInfo, real.serverInfo);
      assert.deepEqual(await listed(copy), tools);
      assert.equal(await echo(copy, 'two'), second);
      assert.equal(await echo(copy, 'one'), first);
      assert.equal(await echo(copy, 'three'), first, 'another message gets what the tool gave first');
      await assert.rejects(
        copy.callTool('get-sum', { a: 1, b: 2 }),
        /Not in this recording: tools\/call get-sum/,
      );
    });
  }

  test('knows the lists that were read before the recording began', async () => {
    const facts = {
      revision: '2025-11-25',
      capabilities: { tools: { listChanged: true }, logging: {} },
      lists: { tools: [{ name: 'late', inputSchema: { type: 'object' } }] },
    };
    const copy = await played([...recordingLines({ server: 'a', ...facts }, [], [])].join(''));
    assert.deepEqual(await listed(copy), ['late']);
    assert.deepEqual(copy.serverInfo, { name: 'a', version: 'recorded' });
    assert.deepEqual(copy.capabilities, { tools: {} });
  });

  test('does not start when the file is another one, or none that can be read', async () => {
    for (const [text, sha256, why] of [
      ['{}', 'x', /a\.mcp\.jsonl: it has changed: add the recording again to run what it is now/],
      ['{}', undefined, /a\.mcp\.jsonl: line 1 is not the beginning of a recording/],
    ] as const) {
      await assert.rejects(played(text, sha256), why);
    }
  });
});

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
