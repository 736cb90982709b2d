import assert from 'node:assert/strict';
import { IdlePing } from '../../../../src/host/connection/idlePing.ts';
import { FakeClock } from '../../support/fakeClock.ts';

suite('A ping', () => {
  let clock: FakeClock;
  let peer: ScriptedPeer;
  let ping: IdlePing;
  setup(() => {
    clock = new FakeClock();
    peer = new ScriptedPeer();
    ping = new IdlePing(peer, { quietMs: 30_000, answerMs: 10_000 }, clock);
  });
  /** The first ping is answered, 30 s after the beginning; the next one is due 30 s after that. */
  async function answered(): Promise<void> {
    await clock.tick(30_000);
    peer.pings[0]?.resolve(true);
    await clock.tick(0);
  }
  teardown(() => {
    ping.dispose();
    assert.equal(clock.pending, 0, 'no timer is left');
  });

  test('goes to a server that has been silent for its time', async () => {
    await clock.tick(29_999);
    assert.equal(peer.pings.length, 0);
    await clock.tick(1);
    assert.equal(peer.pings.length, 1);
    assert.equal(clock.pending, 1, 'one timer at a time');
  });

  test('costs one timer for all the time that a server is silent', async () => {
    const before = clock.set;
    await clock.tick(29_999);
    assert.equal(clock.set, before);
  });

  test('does not go to a server that sends messages', async () => {
    for (let minute = 0; minute < 10; minute += 1) {
      await clock.tick(20_000);
      ping.received();
    }
    assert.equal(peer.pings.length, 0);
  });

  test('that is answered is followed by the next', async () => {
    for (let times = 1; times <= 5; times += 1) {
      await clock.tick(30_000);
      assert.equal(peer.pings.length, times);
      ping.received();
      peer.pings[times - 1]?.resolve(true);
      await clock.tick(0);
    }
    assert.equal(peer.losses, 0);
  });

  test('that is not answered means that the server is lost', async () => {
    await answered();
    await clock.tick(39_999);
    assert.equal(peer.losses, 0);
    await clock.tick(1);
    assert.equal(peer.losses, 1);
    await clock.tick(1_000_000);
    assert.equal(peer.losses, 1);
    assert.equal(peer.pings.length, 2);
  });

  test('that is never answered is the last one, because the server does not support it', async () => {
    await clock.tick(39_999);
    assert.equal(peer.isMute, false);
    await clock.tick(1);
    assert.equal(peer.isMute, true);
    ping.received();
    await clock.tick(1_000_000);
    assert.deepEqual([peer.losses, peer.pings.length], [0, 1]);
  });

  test('is answered by an error, too, and not by what could not be sent', async () => {
    await clock.tick(30_000);
    peer.pings[0]?.resolve(false);
    await clock.tick(40_000);
    assert.deepEqual([peer.losses, peer.isMute], [0, true]);
  });

  test('needs no answer if the server sends anything else', async () => {
    await answered();
    await clock.tick(30_000);
    await clock.tick(9_000);
    ping.received();
    await clock.tick(9_000);
    assert.equal(peer.losses, 0);
  });

  test('that could not be sent does not count as silence', async () => {
    await clock.tick(30_000);
    peer.pings[0]?.reject(new Error('No network.'));
    await clock.tick(0);
    await clock.tick(20_000);
    assert.equal(peer.losses, 0);
    await clock.tick(10_000);
    assert.equal(peer.pings.length, 2);
  });

  test('waits while the server handles a request, and decides afterwards', async () => {
    await answered();
    peer.isBusy = true;
    await clock.tick(600_000);
    assert.equal(peer.pings.length, 1);
    peer.isBusy = false;
    await clock.tick(40_000);
    assert.equal(peer.losses, 1);
  });

  test('gives more time to a server that got a request right after it', async () => {
    await answered();
    await clock.tick(30_000);
    peer.isBusy = true;
    await clock.tick(600_000);
    assert.equal(peer.losses, 0);
  });

  test('leaves time for an answer when the machine has slept', async () => {
    await answered();
    await clock.tick(30_000);
    clock.sleep(8 * 3_600_000);
    await clock.tick(0);
    assert.equal(peer.losses, 0);
    ping.received();
    await clock.tick(9_000);
    assert.equal(peer.losses, 0);
  });
});

class ScriptedPeer {
  readonly pings: PromiseWithResolvers<boolean>[] = [];
  isBusy = false;
  losses = 0;
  isMute = false;

  isIdle(): boolean {
    return !this.isBusy;
  }

  ping(): Promise<boolean> {
    const ping = Promise.withResolvers<boolean>();
    this.pings.push(ping);
    return ping.promise;
  }

  lost(): void {
    this.losses += 1;
  }

  neverAnswers(): void {
    this.isMute = true;
  }
}
