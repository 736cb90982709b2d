import assert from 'node:assert/strict';
import type { RequestInFlight } from '../../src/host/connection/requests/requestsInFlight.ts';
import { packageScript, stdioServer } from '../unit/support/definitions.ts';
import { SamplingBed, untilPhase } from '../unit/support/samplingBed.ts';
import { perTest } from '../unit/support/perTest.ts';

/** Longer than the 60 s for which servers made with the SDK wait. */
const readingMs = 90_000;
const tool = 'trigger-sampling-request';

suite('A user who reads slowly', function () {
  this.timeout(2 * readingMs);
  let bed: SamplingBed;

  perTest(() => (bed = new SamplingBed()));

  test('delivers nothing to a server that has given up, and has the answer ready when its tool runs again', async () => {
    const everything = stdioServer([packageScript('@modelcontextprotocol/server-everything')]);
    const [connection] = await bed.hostBed.run(everything);
    assert.ok(connection);
    const sent: RequestInFlight[] = [];
    const onSent = (request: RequestInFlight): void => void sent.push(request);
    const first = connection.callTool(tool, { prompt: 'Hi.', maxTokens: 20 }, { onSent });
    const review = await bed.review();
    review.send(review.draft, 'once');
    await untilPhase(review, 'answer');

    assert.match(JSON.stringify(await first), /Request timed out/);
    assert.ok(sent[0]);
    assert.equal(bed.missed.lastOf(sent[0])?.question.review, review);
    assert.equal((await untilPhase(review, 'ended')).canRunAgain, true);
    review.deliver([]);
    assert.equal(review.state.kind, 'ended');

    review.runAgain([{ at: '0', text: 'Read at leisure.' }], review.draft);
    const [again] = bed.runAgain;
    assert.ok(again);
    const second = await connection.callTool(again.target, again.args ?? {});
    assert.match(JSON.stringify(second), /Read at leisure\./);
    assert.equal(bed.models.heard.length, 1);
  });
});
