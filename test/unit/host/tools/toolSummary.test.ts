import assert from 'node:assert/strict';
import type { HostTool } from '../../../../src/host/tools/hostTool.ts';
import { inOrderOfConcern, toolSummary } from '../../../../src/host/tools/toolSummary.ts';
import { shortNumber } from '../../../../src/base/text/words.ts';

const toolOf = (name: string, more: Partial<HostTool> = {}): HostTool => {
  const tool = { name, description: 'x'.repeat(400), inputSchema: { type: 'object' } } as const;
  return { serverId: 'server', tool, offered: tool, standing: { kind: 'known' }, isExposed: true, ...more };
};
const added: Partial<HostTool> = { standing: { kind: 'added' } };
const changed: Partial<HostTool> = { standing: { kind: 'changed', before: { name: 'c', inputSchema: {} } } };

suite('What models may use of the tools of a server', () => {
  const cases = [
    [[], /^none$/],
    [[toolOf('a')], /^1 on · ≈ 1\d\d tokens$/],
    [[toolOf('a'), toolOf('b', { isExposed: false })], /^1 of 2 on · ≈ 1\d\d tokens$/],
    [[toolOf('a', { isExposed: false })], /^none of 1 on$/],
    [[toolOf('a'), toolOf('c', changed)], /^1 tool changed · 1 of 2 on · /],
    [[toolOf('c', changed), toolOf('d', changed)], /^2 tools changed · none of 2 on$/],
    [[toolOf('a'), toolOf('b', added)], /^1 tool new · 1 of 2 on · /],
    [
      [toolOf('a', changed), toolOf('b', added), toolOf('c', added)],
      /^1 tool changed · 2 tools new · none of 3 on$/,
    ],
    [[toolOf('a', { standing: { kind: 'unseen' } })], /^1 on · /],
  ] as const;
  for (const [tools, wanted] of cases) {
    test(`is summarized as ${wanted}`, () => assert.match(toolSummary(tools).text, wanted));
  }

  test('is in the order of the server, after what waits for your review', () => {
    const tools = [toolOf('a'), toolOf('c', changed), toolOf('b'), toolOf('d', added)];
    assert.deepEqual(
      inOrderOfConcern(tools).map(({ tool }) => tool.name),
      ['c', 'd', 'a', 'b'],
    );
  });

  for (const [count, text] of [
    [0, '0'],
    [999, '999'],
    [1_000, '1.0k'],
    [9_949, '9.9k'],
    [9_950, '10k'],
    [41_400, '41k'],
  ] as const) {
    test(`writes ${count} as ${text}`, () => assert.equal(shortNumber(count), text));
  }
});
