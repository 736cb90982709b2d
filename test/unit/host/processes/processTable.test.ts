import assert from 'node:assert/strict';
import {
  listedProcesses,
  listWithPowerShell,
  listWithPs,
  type ListedProcess,
} from '../../../../src/host/processes/listedProcesses.ts';
import { systemProcesses } from '../../../../src/host/processes/systemProcesses.ts';
import { knownAs, ProcessGroups } from '../../support/processGroups.ts';

const tables = {
  'The table of this system': systemProcesses(),
  'The table by ps': listedProcesses(() => listWithPs(), 'group'),
};

for (const [title, table] of Object.entries(tables)) {
  suite(title, () => {
    const groups = new ProcessGroups(table);
    teardown(() => groups.end());

    test('knows a process that runs, and one that has ended', async () => {
      assert.equal(await table.isRunning(knownAs(process.pid, table)), true);
      assert.equal(await table.isRunning(await groups.ended()), false);
    });

    test('knows the members of a group', async () => {
      const { leader, child } = await groups.stubborn();
      assert.deepEqual(new Set(await table.membersOf(leader)), new Set([leader.pid, child]));
    });

    test('knows the members of a group without its leader', async () => {
      const { leader, child } = await groups.orphaned();
      assert.deepEqual(await table.membersOf(leader), [child]);
    });

    test('takes a process that started at another time for another one', async () => {
      const { leader } = await groups.stubborn();
      const { pid, start } = leader;
      for (const other of [start - 60_000, start + 60_000]) {
        assert.deepEqual(await table.membersOf({ pid, start: other }), []);
      }
      assert.equal(await table.isRunning({ pid, start: start - 60_000 }), false);
    });

    test('takes processes that are older than a leader that is gone for another group', async () => {
      const { pid, start } = (await groups.orphaned()).leader;
      assert.deepEqual(await table.membersOf({ pid, start: start + 60_000 }), []);
    });

    test('knows no member of a group that is gone', async () => {
      assert.deepEqual(await table.membersOf(await groups.ended()), []);
    });
  });
}

suite('A list of processes', () => {
  test('is read from what ps prints, without those that have ended', async () => {
    const printed = [
      '    1     0     1 Ss   Sat Nov 21 00:40:17 2026    ',
      ' 4711     1  4711 SNs+ Sun Nov  1 13:15:04 2026    ',
      ' 4712  4711  4711 Z    Sun Nov  1 13:15:04 2026    ',
      'no process',
    ];
    assert.deepEqual(await listWithPs(() => Promise.resolve(printed.join('\n'))), [
      { pid: 1, parent: 0, group: 1, start: Date.UTC(2026, 10, 21, 0, 40, 17) },
      { pid: 4711, parent: 1, group: 4711, start: Date.UTC(2026, 10, 1, 13, 15, 4) },
    ]);
  });

  test('is read from what PowerShell prints', async () => {
    const printed = '4711 1 2026-11-21T13:15:04.1234567Z\r\nno process\r\n';
    const run = (program: string): Promise<string> => {
      // By its name alone, Windows would look for it in the working directory first.
      assert.match(program, /^[A-Z]:\\.*\\powershell\.exe$/i);
      return Promise.resolve(printed);
    };
    assert.deepEqual(await listWithPowerShell(run), [
      { pid: 4711, parent: 1, group: 4711, start: Date.UTC(2026, 10, 21, 13, 15, 4, 123) },
    ]);
  });

  test('gives the descendants of a leader on systems without groups', async () => {
    const listed = (pid: number, parent: number, start: number): ListedProcess => ({
      pid,
      parent,
      group: pid,
      start,
    });
    const others = [
      listed(11, 10, 101_000),
      listed(12, 11, 102_000),
      listed(13, 10, 50_000),
      listed(14, 13, 103_000),
    ];
    const members = (...leader: ListedProcess[]) =>
      listedProcesses(() => Promise.resolve([...leader, ...others]), 'ancestry').membersOf({
        pid: 10,
        start: 100_000,
      });
    assert.deepEqual(await members(listed(10, 1, 100_000)), [10, 11, 12]);
    assert.deepEqual(await members(), [11, 12]);
    assert.deepEqual(await members(listed(10, 1, 104_000)), []);
  });
});
