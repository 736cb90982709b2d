import assert from 'node:assert/strict';
import type { RunningRequest } from '../../../../src/host/ledger/ledger.ts';
import type { HttpServerDefinition } from '../../../../src/host/config/serverDefinition.ts';
import { HostError } from '../../../../src/host/errors/hostError.ts';
import { serveTasks, type TaskHttpServer } from '../../../fixtures/servers/taskHttp.ts';
import type { TaskRecord } from '../../../../src/host/keptTasks/taskFiles.ts';
import { ConnectionBed } from '../../support/connectionBed.ts';
import { httpServer, taskServer } from '../../support/definitions.ts';
import { ElicitationBed } from '../../support/elicitationBed.ts';
import { everything202511 } from '../../support/realServers/everything202511.ts';
import { startServer } from '../../support/realServers/startServer.ts';
import { TaskBed, type TaskWindow } from '../../support/taskBed.ts';
import { untilSeen } from '../../support/until.ts';
import { perTest } from '../../support/perTest.ts';

const isWorking = ({ task }: RunningRequest): boolean => task?.status === 'working';
const isWaiting = ({ task }: RunningRequest): boolean => task?.status === 'waiting';

for (const era of ['legacy', 'modern'] as const) {
  suite(`A task of a ${era} server over HTTP`, () => {
    let bed: TaskBed;
    let served: TaskHttpServer;
    let server: HttpServerDefinition;
    setup(async () => {
      bed = new TaskBed();
      served = await serveTasks(era);
      served.tasks.status = 'working';
      server = httpServer(served.url, { name: 'tasks' });
    });
    teardown(async () => {
      await bed.close();
      await served.close();
    });

    /** A window with a task that is kept. */
    async function begun(script: object = {}): Promise<TaskWindow> {
      const window = await bed.window([server]);
      window.call(server, script);
      await window.running(isWorking, 'the call is a task');
      await bed.untilKept(window);
      return window;
    }

    /** The next window, once it has looked for tasks. */
    async function next(options?: Parameters<TaskBed['window']>[1]): Promise<TaskWindow> {
      const window = await bed.window([server], options);
      await window.tasks.takeOver();
      return window;
    }

    /** The next window with a task, whose server doesn't run there. */
    async function nextWithout(): Promise<TaskWindow> {
      const first = await begun();
      await first.close();
      const window = await bed.window([server]);
      await window.hostBed.host.stop(server.id);
      await window.tasks.takeOver();
      return window;
    }

    const finish = (): void => {
      served.tasks.status = 'completed';
    };

    test('goes on in the next window, which gets its result without another call', async () => {
      const first = await begun();
      const [before] = first.ledger.running;
      await first.close();
      const failure = await first.calls[0];
      assert.ok(failure instanceof HostError);
      assert.match(failure.message, /; the task may go on there, and the view "Activity" shows/);
      const second = await next();
      const running = await second.running(isWorking, 'the task is followed');
      assert.deepEqual(
        [running.id, running.at, running.target, running.caller],
        [before?.id, before?.at, 'work', { kind: 'person' }],
      );
      finish();
      const { id, decision, outcome, task } = await second.entry();
      assert.deepEqual([id, decision, outcome, task], [before?.id, 'person', 'done', 'ended']);
      assert.match((await second.ledger.contentOf(id))?.result ?? '', /the result/);
      assert.equal(served.peer.of('tools/call').length, 1);
    });

    test('goes on in the window after the next', async () => {
      const first = await begun();
      await first.close();
      const second = await next();
      await second.running(isWorking, 'the task is followed');
      await second.close();
      const third = await next();
      await third.running(isWorking, 'the task is followed');
      assert.equal(served.peer.of('tasks/cancel').length, 0);
      finish();
      assert.equal((await third.entry()).outcome, 'done');
    });

    test('goes on although its caller cancels it because the window closes', async () => {
      const first = await begun();
      const [running] = first.ledger.running;
      const closed = [first.tasks.close(), first.hostBed.host.close()];
      running?.cancel();
      await Promise.all([...closed, ...first.calls]);
      await first.close();
      const second = await next();
      await second.running(isWorking, 'the task is followed');
      assert.deepEqual([served.peer.of('tasks/cancel').length, second.ledger.entries.length], [0, 0]);
    });

    test('goes on if the window was killed, and not before that is certain', async () => {
      const first = await begun();
      const second = await next();
      assert.deepEqual(second.ledger.running, []);
      await first.kill();
      await bed.clock.tick(15_000);
      await second.running(isWorking, 'the task is followed');
      finish();
      await second.entry();
    });

    test('is followed by one of two windows', async () => {
      const first = await begun();
      await first.close();
      const windows = [await bed.window([server]), await bed.window([server])];
      await Promise.all(windows.map(({ tasks }) => tasks.takeOver()));
      assert.equal(windows.flatMap(({ ledger }) => ledger.running).length, 1);
    });

    test('is not followed in another workspace', async () => {
      const first = await begun();
      await first.close();
      const second = await next({ workspace: 'file:///projects/other' });
      assert.deepEqual(second.ledger.running, []);
    });

    test('waits for its server, which is not started for it', async () => {
      const second = await nextWithout();
      await second.running(isWaiting, 'the task waits');
      assert.equal(second.hostBed.stateOf(server), 'stopped');
      await second.hostBed.host.start(server.id);
      await second.running(isWorking, 'the task is followed');
    });

    test('goes on in its own window when its server was stopped and is started', async () => {
      const window = await begun();
      await window.hostBed.host.stop(server.id);
      await window.running(isWaiting, 'the task waits');
      await window.hostBed.host.start(server.id);
      await window.running(isWorking, 'the task is followed');
      finish();
      assert.equal((await window.entry()).outcome, 'done');
      assert.equal(served.peer.of('tools/call').length, 1);
    });

    test('that the server has forgotten is gone', async () => {
      const first = await begun();
      await first.close();
      served.tasks.forget();
      const second = await next();
      const { outcome, task, problem } = await second.entry();
      assert.deepEqual([outcome, task], ['failed', 'gone']);
      assert.match(problem ?? '', /Failed to retrieve task: ••• not found/);
      await bed.untilKept(second, 0);
    });

    for (const [what, more] of [
      ['with other headers', { headers: { Authorization: 'Bearer other' } }],
      ['at another address', undefined],
    ] as const) {
      test(`is not asked for from a server ${what}`, async () => {
        const first = await begun();
        await first.close();
        const other = await serveTasks(era);
        try {
          const asked = served.peer.of('tasks/get').length;
          const second = await bed.window([{ ...server, ...(more ?? { url: other.url }) }]);
          await second.tasks.takeOver();
          const { task, problem } = await second.entry();
          assert.equal(task, 'gone');
          assert.match(problem ?? '', /no longer the same, and was not asked about it/);
          assert.deepEqual(
            [served.peer.of('tasks/get').length - asked, other.peer.of('tasks/get').length],
            [0, 0],
          );
          await second.close();
        } finally {
          await other.close();
        }
      });
    }

    test('is forgotten when its time is over', async () => {
      const second = await nextWithout();
      await second.running(isWaiting, 'the task waits');
      await bed.clock.tick(60_000);
      const { task, problem } = await second.entry();
      assert.equal(task, 'gone');
      assert.match(problem ?? '', /the time for which the server keeps the task is over/);
      await bed.untilKept(second, 0);
    });

    test('whose time was over before is not followed', async () => {
      const first = await begun();
      await first.close();
      await bed.clock.tick(60_000);
      const second = await next();
      assert.deepEqual(second.ledger.running, []);
      await bed.untilKept(second, 0);
    });

    test('is cancelled in a later window', async () => {
      const first = await begun();
      await first.close();
      const second = await next();
      (await second.running(isWorking, 'the task is followed')).cancel();
      const { outcome, task } = await second.entry();
      assert.deepEqual([outcome, task], ['cancelled', 'ended']);
      await untilSeen(() => served.peer.of('tasks/cancel').length === 1, 'the server is notified');
      await bed.untilKept(second, 0);
    });

    test('that waits is cancelled without its server, and the entry says so', async () => {
      const second = await nextWithout();
      (await second.running(isWaiting, 'the task waits')).cancel();
      const { outcome, problem } = await second.entry();
      assert.deepEqual(
        [outcome, problem],
        ['cancelled', 'The server was not notified, because it was not running here.'],
      );
      assert.equal(served.peer.of('tasks/cancel').length, 0);
    });

    test('that is cancelled by its caller is not kept', async () => {
      const window = await begun();
      window.ledger.running[0]?.cancel();
      await window.entry();
      await bed.untilKept(window, 0);
    });

    test('gives its result again for as long as the server keeps it', async () => {
      const first = await begun();
      finish();
      const { id } = await first.entry();
      await first.close();
      const second = await next();
      assert.deepEqual(second.ledger.running, []);
      const result = await second.tasks.resultOf(id);
      assert.deepEqual(result?.content, [{ type: 'text', text: 'the result' }]);
      await second.hostBed.host.stop(server.id);
      await assert.rejects(second.tasks.resultOf(id), { code: 'notRunning' });
      await bed.clock.tick(60_000);
      assert.equal(await second.tasks.resultOf(id), undefined);
    });

    test('whose result the server has lost is not asked for again', async () => {
      const window = await begun();
      finish();
      const { id } = await window.entry();
      served.tasks.forget();
      await untilSeen(async () => (await window.tasks.files.get(id))?.hasResult === true, 'it is kept');
      await assert.rejects(window.tasks.resultOf(id), { code: 'protocol' });
      assert.equal(await window.tasks.resultOf(id), undefined);
    });

    test('is forgotten with its server', async () => {
      const first = await begun();
      await first.close();
      const second = await next();
      await second.running(isWorking, 'the task is followed');
      second.hostBed.configure([]);
      await second.tasks.forget(server.id);
      assert.equal((await second.entry()).task, 'gone');
      await bed.untilKept(second, 0);
    });

    test('is gone when the launch of its server is no longer allowed', async () => {
      const first = await begun();
      await first.close();
      const second = await next();
      await second.running(isWorking, 'the task is followed');
      await second.hostBed.decisions.forgetAll();
      const { task, problem } = await second.entry();
      assert.equal(task, 'gone');
      assert.match(problem ?? '', /no longer allowed to run as it was/);
      await bed.untilKept(second, 0);
    });

    test('asks you in the later window, like a call', async () => {
      const requestedSchema = { type: 'object', properties: { name: { type: 'string' } } };
      const ask = { mode: 'form', message: 'Who?', requestedSchema };
      const inputRequests = { who: { method: 'elicitation/create', params: ask } };
      const looks = era === 'legacy' ? ['input_required'] : [{ status: 'input_required', inputRequests }];
      const first = await begun({ ask, looks });
      await first.close();
      const elicitation = new ElicitationBed();
      const second = await next({ hostBed: elicitation.hostBed });
      served.tasks.status = undefined;
      const { open, requests } = await elicitation.form();
      assert.deepEqual(
        requests.map(({ target }) => target),
        ['work'],
      );
      await second.running(({ task }) => task?.status === 'input_required', 'the row says so');
      open.end({ action: 'accept', content: { name: 'Ann' } });
      assert.equal((await second.entry()).outcome, 'done');
    });

    test('has its ID nowhere but in the encrypted file and the requests about it', async () => {
      const first = await begun();
      await first.close();
      const second = await next();
      await second.running(isWorking, 'the task is followed');
      const [{ key } = { key: { id: '' } }] = await second.tasks.files.all();
      assert.match(key.id, /^[-0-9a-f]{36}$/);
      const keptTexts = bed.texts;
      served.tasks.forget();
      await second.entry();
      await second.ledger.flush();
      const exported: string[] = [];
      for await (const line of second.ledger.exportLines()) {
        exported.push(line);
      }
      const logs = [first, second].flatMap(({ hostBed }) =>
        [...hostBed.logs.values()].flatMap(({ lines }) => lines),
      );
      const said = [
        keptTexts,
        bed.texts,
        ...bed.log,
        ...exported,
        ...logs,
        JSON.stringify(second.ledger.entries),
      ];
      assert.deepEqual(
        said.filter((text) => text.includes(key.id)),
        [],
      );
    });
  });
}

suite('Tasks that are kept', () => {
  let bed: TaskBed;
  perTest(() => (bed = new TaskBed()));

  test('are not those of a process, which are gone with it', async () => {
    const server = taskServer();
    const window = await bed.window([server]);
    window.call(server, { diesAt: 'tasks/get' });
    const { outcome, task } = await window.entry();
    assert.deepEqual([outcome, task], ['failed', 'gone']);
    assert.deepEqual(await window.tasks.files.all(), []);
  });

  test('are a hundred at most; of more, those that have ended are forgotten', async () => {
    const { files } = (await bed.window([])).tasks;
    const record: TaskRecord = {
      id: 'one',
      at: 0,
      sentBytes: 0,
      caller: { kind: 'person' },
      serverId: 'user settings:user tasks',
      server: 'tasks',
      tool: 'work',
      decision: 'person',
      workspace: '',
      key: { id: 'a secret', era: 'legacy', place: '' },
      since: 0,
      until: 60_000,
      hasResult: false,
    };
    for (let number = 1; number <= 100; number += 1) {
      assert.equal(await files.add({ ...record, id: String(number), hasResult: number === 50 }), true);
    }
    assert.equal(await files.add({ ...record, id: 'instead of one that has ended' }), true);
    assert.equal(await files.get('50'), undefined);
    assert.equal(await files.add({ ...record, id: 'too many' }), false);
  });

  test('are not those of server-everything, which forgets them with the session', async () => {
    const bedOfServer = new ConnectionBed();
    const way = everything202511.ways.find(({ reach }) => reach.type === 'http');
    assert.ok(way);
    const { definition } = await startServer(bedOfServer, way);
    const first = await bed.window([definition]);
    first.call(definition, { topic: 'owls' }, 'simulate-research-query');
    await bed.untilKept(first);
    await first.close();
    const second = await bed.window([definition]);
    await second.tasks.takeOver();
    const { task, problem } = await second.entry();
    assert.equal(task, 'gone');
    assert.match(problem ?? '', /Task not found \(-32602\)$/);
    await bed.close();
    await bedOfServer.close();
  });
});
