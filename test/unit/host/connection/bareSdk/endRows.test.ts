import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import { serveScripted } from '../../../../fixtures/servers/scriptedHttp.ts';
import { httpServer, legacyServer } from '../../../support/definitions.ts';
import { isAlive } from '../../../support/until.ts';
import { testRows, type Row } from './rows.ts';

/** Milliseconds of the five seconds that the editor grants; the rest is for all else that has to end. */
const WELL_WITHIN_MS = 3_500;

const rows: readonly Row[] = [
  {
    requirement: 'knows with which code a server exited, and its error message',
    scenario: async (stage) => {
      const peer = await stage.connected(legacyServer());
      peer.callTool('die', { code: 3, stderr: 'Out of paint' }).catch(() => {});
      assert.match(
        await stage.atOnce('the end is noticed', peer.ended),
        /code 3: Out of paint/,
        'what is known',
      );
    },
    alone: /what is known/,
  },
  {
    requirement: 'ends what a server has started when it ends the server',
    scenario: async (stage) => {
      const peer = await stage.connected(legacyServer());
      const grandchild = stage.takeProcess(Number(await peer.callTool('spawn')));
      await peer.close();
      assert.ok(!isAlive(grandchild), 'a grandchild lives on');
    },
    alone: /a grandchild lives on/,
  },
  {
    requirement: 'ends servers that ignore everything well within the 5 s that the editor grants',
    scenario: async (stage) => {
      const stubborn = legacyServer(['--stubborn']);
      const peers = await Promise.all([stage.connected(stubborn), stage.connected(stubborn)]);
      const ended = Promise.all(peers.map((peer) => peer.close()));
      const isDone = await Promise.race([
        ended.then(() => true),
        delay(WELL_WITHIN_MS, false, { ref: false }),
      ]);
      assert.ok(isDone, 'they are still being ended');
    },
    alone: /they are still being ended/,
  },
  {
    requirement: 'ends its session at the server when it leaves',
    scenario: async (stage) => {
      const server = stage.bed.endLater(await serveScripted({}, { sessions: ['one'] }));
      const peer = await stage.connected(httpServer(server.url));
      await peer.close();
      assert.equal(server.received('DELETE').length, 1, 'ends of the session');
    },
    alone: /ends of the session/,
  },
];

suite('The end of a connection, which the SDK leaves to its host', () => testRows(rows));
