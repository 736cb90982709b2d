import assert from 'node:assert/strict';
import { URI } from 'vscode-uri';
import { afterTimeout } from '../../../../src/base/time/clock.ts';
import { isSameRoots, type WorkspaceFolder } from '../../../../src/host/folders/sharedRoot.ts';
import { receivedBy, textOf } from '../../support/connectionBed.ts';
import { legacyServer, modernServer } from '../../support/definitions.ts';
import { FakeDisk } from '../../support/fakeDisk.ts';
import { HostBed } from '../../support/hostBed.ts';
import { untilSeen } from '../../support/until.ts';
import { OracleServer, randomNumbers, type Beforehand } from './rootsOracle.ts';
import { runs } from '../../support/thoroughness.ts';
import { pathOnDisk, uriOnDisk } from '../../support/onDisk.ts';

const SERVERS = 20;
const CHANGES = runs(200);
const listChanged = 'notifications/roots/list_changed';
const names = ['api', 'web', 'docs', 'app', 'app-secret', 'a#b', '100%', 'été'];
const folders = names.map((name): WorkspaceFolder => ({
  uri: uriOnDisk(`/projects/${encodeURIComponent(name)}`),
  name,
}));

test(`Each of ${SERVERS} servers sees exactly its own folders through ${CHANGES} changes, and is notified of exactly those`, async function () {
  this.timeout(300_000);
  const random = randomNumbers(5);
  const pick = <T>(list: readonly T[]): T => {
    const one = list[Math.floor(random() * list.length)];
    assert.ok(one !== undefined);
    return one;
  };
  const disk = new FakeDisk();
  const bed = new HostBed({ disk, after: (ms, work) => afterTimeout(ms / 1_000, work) });
  // A server that asks while nothing is decided gets no folder: the user decides nothing then.
  const decideNothing = (): void =>
    bed.rootsQuestions.forEach((asked) => bed.questions.answer(asked, { answer: 'notNow' }));
  bed.questions.onDidChange(() => setImmediate(decideNothing));
  let present = folders.slice(0, 4);
  const gone = new Set<string>();
  const beforehand = (index: number): Beforehand => (index === 1 ? 'all' : index === 2 ? 'none' : undefined);
  const servers = Array.from({ length: SERVERS }, (_, index) => {
    const roots = beforehand(index);
    const more = { name: `server${index}`, ...(roots && { roots }) };
    const isLegacy = index % 5 !== 4;
    return {
      definition: isLegacy ? legacyServer([], more) : modernServer(more),
      isLegacy,
      oracle: new OracleServer(roots),
      seen: [] as readonly WorkspaceFolder[],
      told: 0,
    };
  });
  const setFolders = (next: readonly WorkspaceFolder[]): void => {
    present = [...next];
    servers.forEach(({ oracle }) => oracle.workspaceIs(present));
    bed.folders = present;
  };
  const acts = {
    add: () => {
      const absent = folders.filter(({ uri }) => !present.some((one) => one.uri === uri));
      if (absent.length > 0) {
        const at = Math.floor(random() * (present.length + 1));
        setFolders([...present.slice(0, at), pick(absent), ...present.slice(at)]);
      }
    },
    remove: () => {
      const staying = present.filter(({ uri }) => !gone.has(uri));
      if (staying.length > 0) {
        const removed = pick(staying);
        setFolders(present.filter((one) => one !== removed));
      }
    },
    rename: () => {
      if (present.length > 0) {
        const renamed = pick(present);
        const name = `${renamed.name}'`;
        setFolders(present.map((one) => (one === renamed ? { ...one, name } : one)));
      }
    },
    reorder: () => setFolders([...present].sort(() => random() - 0.5)),
    toggle: async () => {
      if (present.length > 0) {
        const folder = pick(present);
        const { definition, oracle } = pick(servers);
        const uri = uriOf(folder);
        const isShared = !oracle.isChosen(present, folder);
        oracle.toggled(present, folder);
        await bed.roots.setShared({ definition, label: definition.name }, uri, isShared);
      }
    },
    vanish: () => {
      const there = present.filter(({ uri }) => !gone.has(uri));
      if (there.length > 0) {
        const folder = pick(there);
        gone.add(folder.uri);
        disk.take(URI.parse(folder.uri).fsPath);
        disk.tell(pathOnDisk('/projects'));
      }
    },
    comeBack: () => {
      for (const uri of gone) {
        gone.delete(uri);
        disk.giveBack(URI.parse(uri).fsPath);
      }
      disk.tell(pathOnDisk('/projects'));
    },
  };
  const uriOf = ({ uri }: WorkspaceFolder): string => uri;
  try {
    bed.folders = present;
    bed.configure(servers.map(({ definition }) => definition));
    for (const { definition, oracle } of servers) {
      const question = bed.launches.find((one) => one.definition.id === definition.id);
      assert.ok(question);
      const chosen = question.folders.filter(() => random() < 0.5);
      if (question.folders.length > 0) {
        oracle.answered(present, chosen);
      }
      bed.questions.answer(question, { answer: 'allow', roots: chosen.map(({ uri }) => uri) });
    }
    await Promise.all(servers.map(({ definition }) => bed.until(definition, 'running')));
    const pids = servers.map(({ definition }) => bed.pidOf(definition));
    const started = performance.now();
    for (let change = -1; change < CHANGES; change += 1) {
      const act = pick(Object.keys(acts) as (keyof typeof acts)[]);
      if (change >= 0) {
        await acts[act]();
      }
      await Promise.all(
        servers.map(async (server) => {
          const { definition, oracle, isLegacy } = server;
          const connection = bed.of(definition);
          const expected = oracle.sees(present, gone);
          const what = `${definition.name} after ${act}, change ${change}`;
          if (change >= 0 && isLegacy && !isSameRoots(expected, server.seen)) {
            server.told += 1;
            const told = server.told;
            await untilSeen(
              async () => (await receivedBy(connection))[listChanged] === told,
              `${what}, is notified ${told} times`,
            );
          } else if (!isLegacy) {
            // It gets no notification: what it asks next is what counts.
            await bed.roots.check(definition);
          }
          server.seen = expected;
          const { roots } = JSON.parse(await textOf(connection.callTool('roots', {}))) as {
            readonly roots: unknown;
          };
          assert.deepEqual(roots, expected, what);
        }),
      );
    }
    const ms = Math.round(performance.now() - started);
    for (const { definition, told } of servers.filter(({ isLegacy }) => isLegacy)) {
      assert.equal((await receivedBy(bed.of(definition)))[listChanged] ?? 0, told, definition.name);
    }
    for (const { definition } of servers.filter(({ isLegacy }) => !isLegacy)) {
      const lines = bed.logs.get(definition.name)?.lines ?? [];
      assert.deepEqual(
        lines.filter((line) => line.startsWith('error')),
        [],
        'nothing was sent that its revision does not know',
      );
    }
    assert.deepEqual(
      servers.map(({ definition }) => bed.pidOf(definition)),
      pids,
      'no server was started again',
    );
    const told = servers.reduce((sum, one) => sum + one.told, 0);
    console.log(`      ${CHANGES} changes, ${told} notifications to ${SERVERS} servers in ${ms} ms`);
  } finally {
    await bed.close();
  }
});
