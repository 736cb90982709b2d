import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import { CancellationError } from '../../../../src/base/lifetime/cancellation.ts';
import type { StdioServerDefinition } from '../../../../src/host/config/serverDefinition.ts';
import type { WorkspaceFolder } from '../../../../src/host/folders/sharedRoot.ts';
import type { ServerConnection } from '../../../../src/host/connection/serverConnection.ts';
import { HostError } from '../../../../src/host/errors/hostError.ts';
import { receivedBy, textOf } from '../../support/connectionBed.ts';
import { legacyServer, modernServer } from '../../support/definitions.ts';
import { FakeClock } from '../../support/fakeClock.ts';
import { FakeDisk } from '../../support/fakeDisk.ts';
import { HostBed } from '../../support/hostBed.ts';
import { until, untilSeen } from '../../support/until.ts';
import type { RootsAnswer, RootsQuestion } from '../../../../src/host/roots/rootsQuestion.ts';
import { pathOnDisk, uriOnDisk } from '../../support/onDisk.ts';

const listChanged = 'notifications/roots/list_changed';
const api = { uri: uriOnDisk('/projects/api'), name: 'api' };
const web = { uri: uriOnDisk('/projects/web'), name: 'web' };
const docs = { uri: uriOnDisk('/projects/docs'), name: 'docs' };
const notNow: RootsAnswer = { answer: 'notNow' };

suite('A server that asks for roots while nothing is decided', () => {
  let clock: FakeClock;
  let disk: FakeDisk;
  let bed: HostBed;
  setup(() => {
    clock = new FakeClock();
    disk = new FakeDisk();
    bed = new HostBed({ after: clock.after, disk });
  });
  teardown(async () => {
    await bed.close();
    assert.equal(clock.pending, 0, 'something still waits for the clock');
  });

  /** Servers that were started in a workspace without a folder, which has folders now. */
  const undecided = async (...definitions: StdioServerDefinition[]): Promise<readonly ServerConnection[]> => {
    const servers = await bed.run(...definitions);
    bed.folders = [api, web];
    return servers;
  };
  /** The one question, once those that ask are gathered. */
  const question = async (): Promise<RootsQuestion> => {
    await untilSeen(() => clock.pending > 0, 'a server asks');
    await clock.tick(1_000);
    const [first, ...others] = bed.rootsQuestions;
    assert.ok(first && others.length === 0, `${bed.rootsQuestions.length} questions`);
    return first;
  };
  const answer = (asked: RootsQuestion, given: RootsAnswer): boolean => bed.questions.answer(asked, given);
  const share = (asked: RootsQuestion, ...folders: readonly WorkspaceFolder[]): boolean =>
    answer(asked, { answer: 'share', roots: folders.map(({ uri }) => uri) });

  for (const [era, definition] of [
    ['legacy', legacyServer()],
    ['modern', modernServer()],
  ] as const) {
    suite(`of the ${era} era`, () => {
      let server: ServerConnection;
      setup(async () => {
        [server] = (await undecided(definition)) as [ServerConnection];
      });

      test("waits for the user's answer, and gets exactly that", async () => {
        const roots = rootsSeenBy(server);
        const asked = await question();
        assert.deepEqual(
          asked.servers.map(({ label }) => label),
          ['server'],
        );
        assert.deepEqual(asked.folders, [
          { ...api, isProposed: true },
          { ...web, isProposed: true },
        ]);
        share(asked, web);
        assert.deepEqual(await roots, [web]);
        assert.deepEqual(await rootsSeenBy(server), [web]);
        assert.deepEqual(bed.rootsQuestions, []);
        await expectTold(server, era, 0);
      });

      test('is no longer asked about when nothing was shared', async () => {
        const roots = rootsSeenBy(server);
        share(await question());
        assert.deepEqual(await roots, []);
        assert.deepEqual(await rootsSeenBy(server), []);
        assert.deepEqual(bed.rootsQuestions, []);
        await expectTold(server, era, 0);
      });

      test('gets an empty list for this once when the user decides nothing', async () => {
        const first = rootsSeenBy(server);
        answer(await question(), notNow);
        assert.deepEqual(await first, []);
        const second = rootsSeenBy(server);
        share(await question(), api, web);
        assert.deepEqual(await second, [api, web]);
        bed.folders = [api, web, docs];
        assert.deepEqual(await rootsSeenBy(server), [api, web, docs], 'all includes what is added later');
      });

      test('is asked about again when what was decided is taken back while it runs', async () => {
        const roots = rootsSeenBy(server);
        share(await question(), api);
        assert.deepEqual(await roots, [api]);
        await bed.roots.reset({ definition: server.definition, label: 'server' });
        await expectTold(server, era, 1);
        const again = rootsSeenBy(server);
        share(await question(), web);
        assert.deepEqual(await again, [web]);
        await expectTold(server, era, 1);
      });

      test('goes on when it was decided elsewhere', async () => {
        const roots = rootsSeenBy(server);
        await question();
        await bed.roots.setShared({ definition: server.definition, label: 'server' }, api.uri, true);
        assert.deepEqual(await roots, [api]);
        assert.deepEqual(bed.rootsQuestions, []);
      });

      test('gets no folder that no longer exists', async () => {
        const roots = rootsSeenBy(server);
        const asked = await question();
        disk.take(pathOnDisk('/projects/web'));
        share(asked, api, web);
        assert.deepEqual(await roots, [api]);
      });

      test('is asked about again when a folder is added', async () => {
        const roots = rootsSeenBy(server);
        const before = await question();
        bed.folders = [api, web, docs];
        const [asked] = bed.rootsQuestions;
        assert.ok(asked);
        assert.equal(answer(before, notNow), false);
        assert.deepEqual(
          asked.folders.map(({ name }) => name),
          ['api', 'web', 'docs'],
        );
        share(asked, docs);
        assert.deepEqual(await roots, [docs]);
      });

      test('is asked about once, however often it asks', async () => {
        const several = [rootsSeenBy(server), rootsSeenBy(server)];
        const asked = await question();
        several.push(rootsSeenBy(server));
        await clock.tick(1_000);
        assert.deepEqual(bed.rootsQuestions, [asked]);
        share(asked, api);
        assert.deepEqual(await Promise.all(several), [[api], [api], [api]]);
      });

      test('withdraws its question when it is stopped', async () => {
        const roots = rootsSeenBy(server);
        const asked = await question();
        const ended = assert.rejects(
          roots,
          (error: unknown) => error instanceof HostError && error.code === 'notRunning',
        );
        await bed.host.stop(server.definition.id);
        await ended;
        assert.deepEqual(bed.rootsQuestions, []);
        assert.equal(share(asked, api), false);
      });

      test('keeps no process when the host ends meanwhile', async () => {
        const ended = assert.rejects(rootsSeenBy(server));
        await question();
        await bed.host.close();
        await ended;
        assert.deepEqual(bed.rootsQuestions, []);
      });

      test('is asked about again when the answer could not be kept', async () => {
        const roots = rootsSeenBy(server);
        const asked = await question();
        bed.decisions.beforeSet = Promise.reject(new Error('the disk is full'));
        share(asked, api);
        await until(() => bed.rootsQuestions.length > 0, 'it is asked again', bed.questions.onDidChange);
        assert.ok(bed.logs.get('server')?.lines.some((line) => line.includes('the disk is full')));
        bed.decisions.beforeSet = Promise.resolve();
        const [again] = bed.rootsQuestions;
        assert.ok(again);
        share(again, api);
        assert.deepEqual(await roots, [api]);
      });

      test('does not time out while the user is asked', async () => {
        bed.settings.requestTimeout = () => 200;
        const roots = rootsSeenBy(server);
        const asked = await question();
        await delay(500);
        share(asked, api);
        assert.deepEqual(await roots, [api]);
      });
    });
  }

  suite('of the legacy era', () => {
    let server: ServerConnection;
    setup(async () => {
      [server] = (await undecided(legacyServer())) as [ServerConnection];
    });

    test('gets an empty list after 20 s, and one notification when the user decides', async () => {
      const roots = rootsSeenBy(server);
      const asked = await question();
      await clock.tick(18_999);
      assert.equal(await Promise.race([roots, delay(50, 'waits')]), 'waits');
      await clock.tick(1);
      assert.deepEqual(await roots, []);
      assert.deepEqual(bed.rootsQuestions, [asked]);
      share(asked, web);
      await untilTold(server, 1);
      assert.deepEqual(await rootsSeenBy(server), [web]);
      await expectTold(server, 'legacy', 1);
    });

    test('gets no notification after 20 s when nothing is shared, because it knows that already', async () => {
      const roots = rootsSeenBy(server);
      const asked = await question();
      await clock.tick(20_000);
      assert.deepEqual(await roots, []);
      share(asked);
      await until(() => bed.roots.isDecided(server.definition), 'it is decided', bed.roots.onDidChange);
      await expectTold(server, 'legacy', 0);
    });

    test('keeps its question when it takes its request back', async () => {
      const id = await textOf(server.callTool('askForRoots', {}));
      const asked = await question();
      await server.callTool('cancel', { id });
      await untilSeen(() => clock.pending === 0, 'nobody waits');
      assert.deepEqual(bed.rootsQuestions, [asked]);
      share(asked, api);
      await untilTold(server, 1);
      await expectTold(server, 'legacy', 1);
      assert.equal(await textOf(server.callTool('answers', {})), '{}');
    });
  });

  suite('of the modern era', () => {
    test('stops asking when every call that waited was cancelled', async () => {
      const [server] = (await undecided(modernServer())) as [ServerConnection];
      const aborts = [new AbortController(), new AbortController()];
      const calls = aborts.map(({ signal }) => server.callTool('roots', {}, {}, signal));
      const ends = calls.map((call) => assert.rejects(call, CancellationError));
      await untilAsked([server]);
      const asked = await question();
      aborts[0]?.abort();
      await ends[0];
      assert.deepEqual(bed.rootsQuestions, [asked]);
      aborts[1]?.abort();
      await ends[1];
      assert.deepEqual(bed.rootsQuestions, []);
    });

    test('is not asked about when the call was cancelled within the second', async () => {
      const [server] = (await undecided(modernServer())) as [ServerConnection];
      const abort = new AbortController();
      const call = server.callTool('roots', {}, {}, abort.signal);
      await untilSeen(() => clock.pending > 0, 'the server asks');
      abort.abort();
      await assert.rejects(call, CancellationError);
      await clock.tick(1_000);
      assert.deepEqual(bed.questions.questions, []);
    });
  });

  suite('with others within a second', () => {
    const three = ['one', 'two', 'three'].map((name) =>
      name === 'two' ? modernServer({ name }) : legacyServer([], { name }),
    );

    test('shares one question with them, and each gets the answer', async () => {
      const servers = await undecided(...three);
      const roots = servers.map(rootsSeenBy);
      await untilAsked(servers);
      const asked = await question();
      assert.deepEqual(asked.servers.map(({ label }) => label).toSorted(), ['one', 'three', 'two']);
      share(asked, web);
      assert.deepEqual(await Promise.all(roots), [[web], [web], [web]]);
      for (const server of servers) {
        await expectTold(server, server.definition.name === 'two' ? 'modern' : 'legacy', 0);
      }
    });

    test('leaves the question when it is stopped', async () => {
      const servers = await undecided(...three);
      const [first, ...others] = servers.map(rootsSeenBy);
      await untilAsked(servers);
      const asked = await question();
      const ended = assert.rejects(Promise.resolve(first));
      await bed.host.stop(three[0]?.id ?? '');
      await ended;
      const [left] = bed.rootsQuestions;
      assert.ok(left && left !== asked);
      assert.deepEqual(left.servers.map(({ label }) => label).toSorted(), ['three', 'two']);
      share(left, api);
      assert.deepEqual(await Promise.all(others), [[api], [api]]);
    });

    test('has a question of its own when it was offered something else', async () => {
      const origin = {
        scope: 'folder',
        format: 'mcpJson',
        place: `${web.uri}/.mcp.json`,
        folder: web,
      } as const;
      const ofFolder = legacyServer([], { name: 'own', origin, cwd: bed.bed.directory });
      const servers = await undecided(legacyServer([], { name: 'all' }), ofFolder);
      const roots = servers.map(rootsSeenBy);
      await untilAsked(servers);
      await clock.tick(1_000);
      assert.deepEqual(
        bed.rootsQuestions
          .map(({ servers, folders }) => `${servers[0]?.label}: ${folders.length}`)
          .toSorted(),
        ['all: 2', 'own: 1'],
      );
      bed.rootsQuestions.forEach((asked) => share(asked, web));
      assert.deepEqual(await Promise.all(roots), [[web], [web]]);
    });

    test('has a question of its own when it asks later', async () => {
      const [one, two] = (await undecided(...three.slice(0, 2))) as [ServerConnection, ServerConnection];
      const first = rootsSeenBy(one);
      const asked = await question();
      const second = rootsSeenBy(two);
      await untilSeen(() => clock.pending > 1, 'the other asks');
      await clock.tick(1_000);
      assert.equal(bed.rootsQuestions.length, 2);
      share(asked, api);
      assert.deepEqual(await first, [api]);
      bed.rootsQuestions.forEach((other) => share(other, web));
      assert.deepEqual(await second, [web]);
    });
  });
});

suite('A running server whose roots are withdrawn', () => {
  let clock: FakeClock;
  let bed: HostBed;
  setup(() => {
    clock = new FakeClock();
    bed = new HostBed({ after: clock.after });
    bed.folders = [api, web];
  });
  teardown(() => bed.close());

  for (const [era, definition] of [
    ['legacy', legacyServer()],
    ['modern', modernServer()],
  ] as const) {
    test(`may still use them until it lists again or is restarted: ${era}`, async () => {
      const [server] = (await bed.run(definition)) as [ServerConnection];
      const subject = { definition: server.definition, label: 'server' };
      let drawn = 0;
      bed.host.onDidChangeServer(() => (drawn += 1));
      assert.equal(server.rootsKnowledge.hasAsked, false);
      await rootsSeenBy(server);
      assert.ok(server.rootsKnowledge.hasAsked && drawn > 0);
      await bed.roots.setShared(subject, web.uri, false);
      await clock.tick(5_000);
      assert.deepEqual(server.rootsKnowledge.mayStillUse, [web]);
      assert.deepEqual(await rootsSeenBy(server), [api]);
      assert.deepEqual(server.rootsKnowledge.mayStillUse, []);
      await bed.roots.setShared(subject, api.uri, false);
      assert.deepEqual(await rootsSeenBy(server), []);
      assert.deepEqual(server.rootsKnowledge.mayStillUse, [api]);
      await bed.host.restart(definition.id);
      assert.deepEqual(server.rootsKnowledge.mayStillUse, []);
      assert.equal(server.rootsKnowledge.hasAsked, false);
    });
  }
});

/** A server asks before it answers what it is asked afterwards. */
async function untilAsked(servers: readonly ServerConnection[]): Promise<void> {
  await Promise.all(servers.map((server) => server.callTool('echo', { text: 'asked' })));
}

/** That nothing more is sent can only be seen once the time for it has passed: more than 250 ms. */
async function expectTold(server: ServerConnection, era: 'legacy' | 'modern', times: number): Promise<void> {
  await delay(350);
  if (era === 'legacy') {
    assert.equal((await receivedBy(server))[listChanged] ?? 0, times);
  }
}

function untilTold(server: ServerConnection, times: number): Promise<void> {
  return untilSeen(
    async () => (await receivedBy(server))[listChanged] === times,
    `the server is notified ${times} times`,
  );
}

async function rootsSeenBy(server: ServerConnection): Promise<unknown> {
  const { roots } = JSON.parse(await textOf(server.callTool('roots', {}))) as { readonly roots: unknown };
  return roots;
}
