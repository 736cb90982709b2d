import assert from 'node:assert/strict';
import type { RunningState } from '../../../../src/host/state/connectionState.ts';
import type { ServerConnection } from '../../../../src/host/connection/serverConnection.ts';
import { serveSilence, serveStreamableHttp } from '../../../fixtures/servers/httpServers.ts';
import { ConnectionBed, textOf } from '../../support/connectionBed.ts';
import { httpServer, legacyServer, modernServer } from '../../support/definitions.ts';
import { endsInTime } from '../../support/faultBed.ts';
import { isAlive, untilSeen, untilState } from '../../support/until.ts';
import { perTest } from '../../support/perTest.ts';

suite('A server that is stopped is gone', () => {
  let bed: ConnectionBed;
  perTest(() => (bed = new ConnectionBed()));

  test('and only then the registry of processes is notified', async () => {
    const heard: string[] = [];
    let child = 0;
    const connection = bed.connection(legacyServer(), {
      processes: {
        add: (leader) => {
          heard.push(`${leader} begun`);
          return {
            end: async (endGroup) => {
              await endGroup();
              heard.push(`${leader} gone: ${!isAlive(leader) && !isAlive(child)}`);
            },
          };
        },
      },
    });
    await connection.start();
    child = await stubbornChildOf(connection);
    await connection.callTool('die', { code: 1, stderr: '' }).catch(() => {});
    await untilSeen(() => heard.length > 1, 'the end of the group was heard of');
    assert.deepEqual(heard, [`${bed.pids[0]} begun`, `${bed.pids[0]} gone: true`]);
  });

  async function started(...switches: string[]): Promise<{ connection: ServerConnection; pid: number }> {
    const connection = bed.connection(legacyServer(switches));
    await connection.start();
    return { connection, pid: (connection.state as RunningState).pid ?? 0 };
  }

  async function stubbornChildOf(connection: ServerConnection): Promise<number> {
    const pid = Number(await textOf(connection.callTool('spawn', {})));
    bed.track(pid);
    assert.ok(isAlive(pid));
    return pid;
  }

  test('when it ends with its input', async () => {
    const { connection, pid } = await started();
    await endsInTime(() => connection.stop());
    assert.ok(!isAlive(pid));
  });

  test('when it is a modern one', async () => {
    const connection = bed.connection(modernServer());
    await connection.start();
    const { pid } = connection.state as RunningState;
    await endsInTime(() => connection.stop());
    assert.ok(!isAlive(pid ?? 0));
  });

  test('when it ignores both the end of its input and SIGTERM', async () => {
    const { connection, pid } = await started('--stubborn');
    await endsInTime(() => connection.stop());
    assert.ok(!isAlive(pid));
  });

  test('with the processes that it started', async () => {
    const { connection, pid } = await started();
    const child = await stubbornChildOf(connection);
    await endsInTime(() => connection.stop());
    assert.deepEqual([pid, child].filter(isAlive), []);
  });

  test('with the processes that it started, as stubborn as itself', async () => {
    const { connection, pid } = await started('--stubborn');
    const child = await stubbornChildOf(connection);
    await endsInTime(() => connection.stop());
    assert.deepEqual([pid, child].filter(isAlive), []);
  });

  test('and what it leaves behind when it dies ends, too', async () => {
    const { connection } = await started();
    const child = await stubbornChildOf(connection);
    await connection.callTool('die', { code: 1, stderr: 'gone\n' }).catch(() => {});
    await untilState(connection, 'failed');
    await untilSeen(() => !isAlive(child), 'the grandchild is gone');
    const { state } = connection;
    assert.equal(state.kind === 'failed' && state.reason.message, 'it exited with code 1: gone');
  });

  test('when it is stopped while it starts', async () => {
    const connection = bed.connection(legacyServer(['--silent-probe']));
    const start = connection.start().catch(() => {});
    await untilSeen(() => bed.pids.length === 1, 'the process runs');
    await endsInTime(() => connection.stop());
    await start;
    assert.deepEqual(bed.pids.filter(isAlive), []);
  });

  test('when it is an address that never answers', async () => {
    const connection = bed.connection(httpServer(bed.endLater(await serveSilence()).url));
    const start = connection.start().catch(() => {});
    await endsInTime(() => connection.stop());
    await start;
    assert.equal(connection.state.kind, 'stopped');
  });

  test('when it is an HTTP server that does not answer to the end of its session', async () => {
    const server = bed.endLater(await serveStreamableHttp({ ignoresDelete: true }));
    const connection = bed.connection(httpServer(server.url));
    await connection.start();
    await endsInTime(() => connection.stop());
  });

  test('when several end at the same time', async () => {
    const all = await Promise.all([started(), started('--stubborn'), started('--stubborn'), started()]);
    await endsInTime(async () => {
      await Promise.all(all.map(({ connection }) => connection.close()));
    });
    assert.deepEqual(all.map(({ pid }) => pid).filter(isAlive), []);
  });
});
