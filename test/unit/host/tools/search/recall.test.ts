import assert from 'node:assert/strict';
import { recallRequests, recallTools } from '../../../../recall/recallSet.ts';
import { recallOf, searchesOver } from '../../../../recall/searches.ts';

/** How many of thirty requests must find their tool by the query of a model. */
const least = { tuning: 28, sealed: 25 };

suite('Among the first five tools that are found', () => {
  for (const set of ['tuning', 'sealed'] as const) {
    const requests = recallRequests(set);
    if (!requests) {
      continue;
    }

    test(`is the right one, by the query of a model (${set})`, async () => {
      const { ours, bm25, substring } = await searchesOver(recallTools());
      const found = await recallOf(ours, requests, 'query');
      assert.ok(found >= least[set], `${found}`);
      assert.ok(found >= (await recallOf(bm25, requests, 'query')));
      assert.ok(found > (await recallOf(substring, requests, 'query')));
    });

    test(`is the right one half again as often as by plain BM25, by the words as typed (${set})`, async () => {
      const { ours, bm25 } = await searchesOver(recallTools());
      const found = await recallOf(ours, requests, 'typed');
      assert.ok(found >= 1.5 * (await recallOf(bm25, requests, 'typed')), `${found}`);
      assert.ok(found >= (set === 'tuning' ? 22 : 1), `${found}`);
    });
  }
});
