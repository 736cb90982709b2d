import assert from 'node:assert/strict';
import { recallRequests, recallTools, sharesNoWord } from '../../../../recall/recallSet.ts';

const tools = recallTools();
const byId = new Map(tools.map((tool) => [tool.id, tool]));

suite('The requests by which the search over tools is measured', () => {
  for (const set of ['tuning', 'sealed'] as const) {
    const requests = recallRequests(set);
    if (!requests) {
      continue;
    }
    const rightOf = (ids: readonly string[]) => ids.flatMap((id) => byId.get(id) ?? []);

    test(`are thirty, over the tools of ten servers (${set})`, () => {
      assert.equal(requests.length, 30);
      assert.equal(new Set(tools.map(({ server }) => server)).size, 10);
      for (const { tools: ids } of requests) {
        assert.deepEqual(
          ids.filter((id) => !byId.has(id)),
          [],
        );
        assert.ok(ids.length > 0);
      }
    });

    test(`share no word with the right tool, at least half of them (${set})`, () => {
      const without = requests.filter(({ typed, tools: ids }) => sharesNoWord(typed, rightOf(ids)));
      assert.ok(without.length >= 15, `${without.length}`);
    });

    test(`are in several languages (${set})`, () => {
      assert.ok(new Set(requests.map(({ language }) => language)).size >= 4);
    });
  }
});
