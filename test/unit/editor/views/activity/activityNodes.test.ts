import assert from 'node:assert/strict';
import { ActivityNodes, noFilter } from '../../../../../src/editor/views/activity/activityNodes.ts';
import type { ActivityNode } from '../../../../../src/editor/nodes/activityNode.ts';
import { anEnd, aRequest, LedgerBed } from '../../../support/ledgerBed.ts';

suite('The list of activity', () => {
  let bed: LedgerBed;
  setup(() => {
    bed = new LedgerBed();
  });
  teardown(() => bed.dispose());

  const named = (nodes: readonly ActivityNode[]): readonly string[] =>
    nodes.map((node) => {
      switch (node.kind) {
        case 'running':
          return `running ${node.request.target}`;
        case 'entry':
          return node.entry.target;
        case 'more':
          return `${node.hidden} more`;
      }
    });

  test('has running requests on top, and then the newest', () => {
    const ledger = bed.open();
    bed.write(ledger, { target: 'first' });
    bed.write(ledger, { target: 'second' });
    ledger.begin({ ...aRequest, target: 'third' }, () => {});
    ledger.begin({ ...aRequest, target: 'fourth' }, () => {});
    const rows = new ActivityNodes(ledger);
    assert.equal(rows.update(), 'all');
    assert.deepEqual(named(rows.nodes), ['running fourth', 'running third', 'second', 'first']);
  });

  test('keeps the rows that stay, and draws only what has changed', () => {
    const ledger = bed.open();
    bed.write(ledger, { target: 'first' });
    const open = ledger.begin(aRequest, () => {});
    const rows = new ActivityNodes(ledger);
    rows.update();
    const before = rows.nodes;
    assert.deepEqual(rows.update(), []);
    open.sent();
    assert.deepEqual(rows.update(), [before[0]]);
    assert.equal(before[0]?.kind === 'running' && before[0].request.isSent, true);
    open.end(anEnd);
    assert.equal(rows.update(), 'all');
    assert.equal(rows.nodes[1], before[1]);
  });

  test('shows five hundred, and then five hundred more', () => {
    const ledger = bed.open();
    for (let count = 0; count < 1_200; count += 1) {
      bed.write(ledger);
    }
    const rows = new ActivityNodes(ledger);
    rows.update();
    assert.equal(rows.nodes.length, 501);
    assert.deepEqual(named(rows.nodes).at(-1), '700 more');
    rows.showMore();
    assert.equal(rows.update(), 'all');
    assert.deepEqual(named(rows.nodes).at(-1), '200 more');
    assert.deepEqual(rows.update(), []);
    rows.showMore();
    rows.update();
    assert.equal(rows.nodes.length, 1_200);
  });

  test('is filtered by kind, including running requests', () => {
    const ledger = bed.open();
    bed.write(ledger, { target: 'a' });
    const asked = { caller: { kind: 'server' }, method: 'sampling/createMessage' } as const;
    bed.write(ledger, { ...asked, target: 'b' });
    bed.write(ledger, { ...asked, target: 'c' }, { outcome: 'refused' });
    ledger.begin({ ...aRequest, ...asked, target: 'd' }, () => {});
    ledger.begin({ ...aRequest, target: 'e' }, () => {});
    const rows = new ActivityNodes(ledger);
    rows.filter = { ...noFilter, servers: [], methods: ['sampling/createMessage'], outcomes: [] };
    rows.update();
    assert.deepEqual(named(rows.nodes), ['running d', 'c', 'b']);
    assert.equal(rows.isFiltered, true);
    rows.filter = {
      ...noFilter,
      servers: [],
      methods: ['sampling/createMessage', 'tools/call'],
      outcomes: ['done'],
    };
    rows.update();
    assert.deepEqual(named(rows.nodes), ['running e', 'running d', 'b', 'a']);
  });

  test('has the requests of this workspace, or of all if you choose that', async () => {
    const here = bed.open();
    bed.write(here, { target: 'mine' });
    const there = bed.open({}, 'file:///projects/other');
    bed.write(there, { target: 'theirs' });
    await Promise.all([here.flush(), there.flush()]);
    const later = bed.open();
    await later.load();
    const rows = new ActivityNodes(later);
    rows.update();
    assert.deepEqual(named(rows.nodes), ['mine']);
    assert.deepEqual([rows.inScope, rows.others, rows.isFiltered], [1, 1, false]);
    rows.filter = { ...noFilter, workspaces: 'all' };
    rows.update();
    assert.deepEqual(named(rows.nodes), ['theirs', 'mine']);
    assert.deepEqual([rows.inScope, rows.others, rows.isFiltered], [2, 0, false]);
    assert.deepEqual(
      later.entries.map((entry) => rows.shows(entry)),
      [true, true],
    );
  });

  test('is filtered by server and outcome', () => {
    const ledger = bed.open();
    bed.write(ledger, { target: 'a', server: 'git' });
    bed.write(ledger, { target: 'b', server: 'git' }, { outcome: 'failed' });
    bed.write(ledger, { target: 'c', server: 'notes' }, { outcome: 'failed' });
    ledger.begin({ ...aRequest, target: 'd', server: 'notes' }, () => {});
    const rows = new ActivityNodes(ledger);
    const shown = (servers: readonly string[], outcomes: readonly 'failed'[]): readonly string[] => {
      rows.filter = { ...noFilter, servers, methods: [], outcomes };
      rows.update();
      return named(rows.nodes);
    };
    assert.deepEqual(shown(['git'], []), ['b', 'a']);
    assert.deepEqual(shown([], ['failed']), ['running d', 'c', 'b']);
    assert.deepEqual(shown(['git'], ['failed']), ['b']);
    assert.equal(rows.matching, 1);
    assert.equal(rows.isFiltered, true);
    assert.deepEqual(shown([], []), ['running d', 'c', 'b', 'a']);
    assert.equal(rows.isFiltered, false);
  });
});
