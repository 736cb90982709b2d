import assert from 'node:assert/strict';
import { RequestsInFlight } from '../../../../../src/host/connection/requests/requestsInFlight.ts';

suite('A request in flight', () => {
  const request = { method: 'tools/call', target: 'echo' } as const;

  test('aborts its signal when it ends', async () => {
    const [tracked, signal] = await new RequestsInFlight().track(request, (one) => {
      const { ended } = one;
      assert.equal(ended.aborted, false);
      assert.equal(one.ended, ended);
      return Promise.resolve([one, ended] as const);
    });
    assert.equal(signal.aborted, true);
    assert.equal(signal.reason, 'ended');
    assert.equal(tracked.ended, signal);
  });

  test('has an aborted signal for later callers', async () => {
    const tracked = await new RequestsInFlight().track(request, (one) => Promise.resolve(one));
    assert.equal(tracked.ended.aborted, true);
    assert.equal(tracked.ended.reason, 'ended');
  });
});
