import assert from 'node:assert/strict';
import { Emitter } from '../../../../src/base/lifetime/event.ts';
import type { LogLevel } from '../../../../src/base/logging/logger.ts';
import {
  levelSource,
  isWanted,
  logLevelOf,
  messageLevels,
  type WantedLevel,
} from '../../../../src/host/connection/messages/logLevels.ts';
import type { ServerConnection } from '../../../../src/host/connection/serverConnection.ts';
import { ConnectionBed, textOf } from '../../support/connectionBed.ts';
import { legacyServer, unrulyServer, talkingServer } from '../../support/definitions.ts';
import { until } from '../../support/until.ts';

suite('The log level', () => {
  let bed: ConnectionBed;
  setup(() => {
    bed = new ConnectionBed();
    bed.logger.isTracing = true;
  });
  teardown(() => bed.close());

  /** The levels that were sent to legacy servers, in their order. */
  function sent(): readonly string[] {
    return bed.logger.lines.flatMap((line) => {
      const found = /^trace: → .*"method":"logging\/setLevel","params":\{"level":"(\w+)"/.exec(line)?.[1];
      return found === undefined ? [] : [found];
    });
  }

  async function said(connection: ServerConnection): Promise<readonly string[]> {
    bed.logger.lines.length = 0;
    for (const level of messageLevels) {
      await connection.callTool('say', { level, said: `this is ${level}` });
    }
    return bed.logger.lines.flatMap((line) => /^\w+: \[server\] this is (\w+)/.exec(line)?.[1] ?? []);
  }

  for (const era of ['legacy', 'modern'] as const) {
    for (const [shown, least] of [
      ['trace', 'debug'],
      ['debug', 'debug'],
      ['info', 'info'],
      ['warn', 'warning'],
      ['error', 'error'],
      ['off', undefined],
    ] as const) {
      test(`of a ${era} server is ${least ?? 'none'} when its log is at ${shown}`, async () => {
        bed.logger.level = shown;
        const connection = bed.connection(talkingServer(era));
        await connection.start();
        const levels: readonly string[] = messageLevels;
        assert.deepEqual(await said(connection), least ? levels.slice(levels.indexOf(least)) : []);
      });
    }

    test(`of a ${era} server follows the level of its log`, async () => {
      bed.logger.level = 'error';
      const connection = bed.connection(talkingServer(era));
      await connection.start();
      assert.deepEqual(await said(connection), ['error', 'critical', 'alert', 'emergency']);
      bed.logger.level = 'debug';
      assert.equal((await said(connection)).length, 8);
      bed.logger.level = 'off';
      assert.deepEqual(await said(connection), []);
    });
  }

  test('goes to a modern server with each request, and not when the log is off', async () => {
    const connection = bed.connection(talkingServer('modern'));
    await connection.start();
    bed.logger.lines.length = 0;
    await connection.callTool('talked', {});
    bed.logger.level = 'off';
    await connection.callTool('talked', {});
    const calls = bed.logger.lines.filter((line) => line.includes('→') && line.includes('tools/call'));
    assert.match(calls[0] ?? '', /"io\.modelcontextprotocol\/logLevel":"debug"/);
    assert.doesNotMatch(calls[1] ?? 'logLevel', /logLevel/);
    assert.deepEqual(sent(), []);
  });

  test('is sent to a legacy server once for many changes at a time, and not when it is the same', async () => {
    bed.logger.level = 'info';
    const connection = bed.connection(talkingServer('legacy'));
    await connection.start();
    await until(() => sent().length === 1, 'it is sent', bed.logger.onDidLog);
    const changes: readonly (LogLevel | 'off')[] = ['debug', 'warn', 'error', 'warn', 'off', 'error'];
    for (const level of changes) {
      bed.logger.level = level;
    }
    await textOf(connection.callTool('talked', {}));
    await until(() => sent().at(-1) === 'error', 'the last one is sent', bed.logger.onDidLog);
    bed.logger.level = 'error';
    await textOf(connection.callTool('talked', {}));
    assert.ok(sent().length <= 3, sent().join());
    assert.equal(sent()[0], 'info');
  });

  test('is the least there is for a legacy server whose log is off', async () => {
    bed.logger.level = 'off';
    await bed.connection(talkingServer('legacy')).start();
    await until(() => sent().length === 1, 'it is sent', bed.logger.onDidLog);
    assert.deepEqual(sent(), ['emergency']);
  });

  test('that a server rejects is logged at debug only', async () => {
    const connection = bed.connection(unrulyServer());
    await connection.start();
    await until(
      () => bed.logger.has('debug: The server rejected the log level debug'),
      'it is logged',
      bed.logger.onDidLog,
    );
    assert.ok(!bed.logger.lines.some((line) => /^(warn|error)/.test(line)));
  });

  test('is not sent to a server that has not declared logging', async () => {
    const connection = bed.connection(legacyServer(['--no-logging']));
    await connection.start();
    bed.logger.level = 'error';
    await connection.callTool('echo', { text: 'after it' });
    assert.deepEqual(sent(), []);
  });

  test('is sent again to a server that restarts', async () => {
    const connection = bed.connection(talkingServer('legacy'));
    await connection.start();
    await until(() => sent().length === 1, 'it is sent', bed.logger.onDidLog);
    await connection.restart();
    await until(() => sent().length === 2, 'it is sent again', bed.logger.onDidLog);
  });

  test('that you have chosen comes before that of the log', async () => {
    const onDidChange = new Emitter<void>();
    let chosen: WantedLevel | undefined = 'critical';
    const choices = { of: () => chosen, onDidChange: onDidChange.event };
    const definition = talkingServer('modern');
    const level = levelSource(definition.id, bed.logger, choices);
    const connection = bed.connection(definition, { level });
    await connection.start();
    assert.deepEqual(await said(connection), ['critical', 'alert', 'emergency']);
    chosen = 'off';
    onDidChange.fire();
    assert.deepEqual(await said(connection), []);
    chosen = undefined;
    assert.equal((await said(connection)).length, 8);
    assert.deepEqual([level.level, level.shown], ['debug', 'debug']);
  });
});

suite('A level', () => {
  const shownBy = (level: LogLevel | 'off'): WantedLevel =>
    levelSource(legacyServer().id, { level, onDidChangeLevel: () => ({ dispose: () => {} }) }, undefined)
      .shown;

  test('of the editor is the same there and back', () => {
    for (const [ours, theirs] of [
      ['debug', 'debug'],
      ['info', 'info'],
      ['warn', 'warning'],
      ['error', 'error'],
    ] as const) {
      assert.equal(shownBy(ours), theirs);
      assert.equal(logLevelOf(theirs), ours);
    }
    assert.equal(shownBy('trace'), 'debug');
    assert.equal(shownBy('off'), 'off');
  });

  test('is wanted from the wanted one upwards', () => {
    assert.ok(isWanted('notice', 'info'));
    assert.ok(isWanted('notice', 'notice'));
    assert.ok(!isWanted('info', 'notice'));
    assert.ok(!isWanted('emergency', 'off'));
  });
});
