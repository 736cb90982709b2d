import assert from 'node:assert/strict';
import { CancellationError } from '../../../../src/base/lifetime/cancellation.ts';
import type { Disposable } from '../../../../src/base/lifetime/disposable.ts';
import type { RunningState } from '../../../../src/host/state/connectionState.ts';
import type { RequestOptions } from '../../../../src/host/connection/requests/sendRequest.ts';
import type { ServerConnection } from '../../../../src/host/connection/serverConnection.ts';
import { ConnectionBed, namesOf, textOf } from '../../support/connectionBed.ts';
import { loadedSdk } from '../../support/program.ts';
import { realServers } from '../../support/realServers/realServers.ts';
import { scriptedSampling } from '../../support/realServers/scriptedSampling.ts';
import { startServer, type StartedServer } from '../../support/realServers/startServer.ts';
import { shown, shownContents } from '../../support/shownContent.ts';
import { isAlive, until } from '../../support/until.ts';

for (const server of realServers) {
  for (const way of server.ways) {
    suite(`${server.name} over ${way.name}`, () => {
      let bed: ConnectionBed;
      let started: StartedServer;
      let connection: ServerConnection;
      let recording: Disposable;
      const asked: unknown[] = [];

      // One connection for all tests, as in an editor; the last one ends it.
      suiteSetup(async () => {
        bed = new ConnectionBed();
        bed.logger.isTracing = true;
        bed.roots = [{ uri: 'file:///projects/api', name: 'api' }];
        started = await startServer(bed, way);
        connection = bed.connection(started.definition, { sampling: scriptedSampling(asked) });
        recording = connection.traffic.record();
        await connection.start();
      });
      suiteTeardown(() => bed.close());

      test(`speaks ${server.revision}`, () => {
        const { era, revision } = connection.state as RunningState;
        assert.deepEqual({ era, revision }, { era: server.era, revision: server.revision });
        assert.deepEqual([...loadedSdk(bed)], [server.sdk]);
      });

      test('lists all that it has', async () => {
        const { lists } = server;
        const { onDidChangeCatalogue } = connection;
        const has = (): number | undefined => connection.catalogue?.tools.length;
        await until(() => has() === lists.tools.length, 'all tools are listed', onDidChangeCatalogue);
        const { tools, resources, resourceTemplates, prompts } = connection.catalogue ?? {};
        assert.deepEqual(namesOf(tools), lists.tools);
        assert.deepEqual(namesOf(resources), lists.resources);
        assert.deepEqual(namesOf(resourceTemplates), lists.templates);
        assert.deepEqual(namesOf(prompts), lists.prompts);
      });

      for (const { tool, args = {}, gives, structured } of server.calls) {
        test(`answers a call of ${tool}`, async () => {
          const { content, structuredContent, isError } = await connection.callTool(tool, args);
          assert.deepEqual(content.map(shown), gives);
          assert.deepEqual(structuredContent, structured);
          assert.ok(!isError);
        });
      }

      test('has its traffic recorded, as long as somebody wants to see it', async () => {
        const { traffic } = connection;
        const faults = traffic.entries.flatMap((entry) => entry.faults);
        assert.deepEqual(
          faults.filter(({ isAdvice }) => !isAdvice),
          [],
        );
        traffic.clear();
        await echo();
        recording.dispose();
        await echo();
        const messages = traffic.entries.filter((entry) => entry.kind === 'message');
        const calls = messages.filter(({ method }) => method === 'tools/call');
        assert.deepEqual(
          calls.map(({ is, target }) => [is, target]),
          [
            ['request', 'echo'],
            ['result', 'echo'],
          ],
        );
        assert.equal(calls[0]?.answer, calls[1]?.number);
        assert.equal(calls[0]?.exchange?.method, way.reach.type === 'stdio' ? undefined : 'POST');
        traffic.clear();
      });

      const echo = (): Promise<string> => textOf(connection.callTool('echo', { message: 'Hello' }));

      test('reports the progress of a long call, and answers another one in the meantime', async () => {
        const steps: number[] = [];
        const begun = Promise.withResolvers<void>();
        const options: RequestOptions = {
          onProgress: ({ progress, total }) => {
            assert.equal(total, 5);
            steps.push(progress);
            begun.resolve();
          },
        };
        const args = { duration: 0.3, steps: 5 };
        const long = textOf(connection.callTool(server.slow.tool, args, options));
        await begun.promise;
        assert.equal(await echo(), 'Echo: Hello');
        assert.equal(await long, 'Long running operation completed. Duration: 0.3 seconds, Steps: 5.');
        const inOrder = [...new Set(steps)].toSorted((a, b) => a - b);
        assert.deepEqual(steps, inOrder);
        assert.ok((steps.at(-1) ?? 0) >= way.lastStep, String(steps));
      });

      test('is notified that a call is cancelled, and goes on', async () => {
        const abort = new AbortController();
        const begun = Promise.withResolvers<void>();
        const options = { onProgress: () => begun.resolve() };
        const args = { duration: 30, steps: 300 };
        const long = connection.callTool(server.slow.tool, args, options, abort.signal);
        await begun.promise;
        abort.abort();
        await assert.rejects(long, CancellationError);
        await started.untilSeen(server.slow.cancelled);
        assert.equal(await echo(), 'Echo: Hello');
      });

      test('gets the answer of a language model', async () => {
        const { tool, asks, gives } = server.sampling;
        assert.equal(await textOf(connection.callTool(tool, { prompt: 'Say hello.' })), gives);
        assert.deepEqual(asked, [asks]);
      });

      for (const { uri, gives } of server.reads) {
        test(`gives the resource ${uri}`, async () => {
          const { contents } = await connection.readResource(uri);
          assert.deepEqual(contents.map(shownContents), [gives]);
        });
      }

      for (const { name, args, gives } of server.prompts) {
        test(`gives the prompt ${name}`, async () => {
          const { messages } = await connection.getPrompt(name, args);
          assert.deepEqual(
            messages.map(({ role, content }) => `${role}: ${shown(content)}`),
            gives,
          );
        });
      }

      for (const { params, gives } of server.completions) {
        test(`completes the argument ${params.argument.name} of a ${params.ref.type}`, async () => {
          assert.ok(connection.canComplete);
          const { completion } = (await connection.complete(params)) as { completion: { values: unknown } };
          assert.deepEqual(completion.values, gives);
        });
      }

      for (const says of way.logs) {
        test('has its messages in the log', () => started.untilLogged(says));
      }

      for (const { tool, logs } of server.roots) {
        test('sees the folders, and one that is added', async () => {
          const before = await textOf(connection.callTool(tool, {}));
          assert.match(before, /file:\/\/\/projects\/api/);
          assert.doesNotMatch(before, /file:\/\/\/projects\/web/);
          bed.roots = [...bed.roots, { uri: 'file:///projects/web', name: 'web' }];
          connection.rootsChanged();
          await Promise.all(logs.map((says) => started.untilLogged(says)));
          const after = await textOf(connection.callTool(tool, {}));
          assert.match(after, /file:\/\/\/projects\/api/);
          assert.match(after, /file:\/\/\/projects\/web/);
        });
      }

      for (const { uri, tool } of way.updates) {
        test('says that a resource has changed', async () => {
          const { resourceWatch } = connection;
          const updated = new Promise((resolve) => resourceWatch.onDidUpdate(resolve));
          resourceWatch.watch(uri);
          await until(() => resourceWatch.isLive(uri), 'it is subscribed', resourceWatch.onDidChangeLive);
          await connection.callTool(tool, {});
          assert.equal(await updated, uri);
        });
      }

      test('ends without a process, a session or a warning left behind', async () => {
        const { pid } = connection.state as RunningState;
        await connection.stop();
        assert.ok(pid === undefined || !isAlive(pid));
        await Promise.all(way.left.map((sign) => started.untilSeen(sign)));
        await started.untilIdle();
        assert.deepEqual(
          bed.logger.lines.filter((line) => /^(?:warn|error): (?!\[server)/.test(line)),
          [],
          'nothing was amiss',
        );
      });
    });
  }
}
