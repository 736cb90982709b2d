import assert from 'node:assert/strict';
import { basisText, rootsSummary, standingText } from '../../../../src/host/roots/rootsSummary.ts';
import type { FolderProblem } from '../../../../src/host/folders/sharedRoot.ts';
import type { RootCandidate, RootsView } from '../../../../src/host/roots/rootsView.ts';

function candidate(name: string, isChosen: boolean, problem?: FolderProblem): RootCandidate {
  const root = { uri: `file:///projects/${name}`, name };
  return { root, isChosen, isProposed: true, ...(problem && { problem }) };
}

function viewOf(candidates: readonly RootCandidate[], more: Partial<RootsView> = {}): RootsView {
  const shared = candidates.filter(({ isChosen, problem }) => isChosen && !problem).map(({ root }) => root);
  return { basis: 'person', isForLater: true, shared, candidates, leftOut: [], ...more };
}

const missing: FolderProblem = { kind: 'missing', message: 'The folder is not there.' };

suite('What a server sees, in a few words', () => {
  const api = candidate('api', true);
  const web = candidate('web', true);
  const notWeb = candidate('web', false);
  const none = candidate('api', false);
  const memory = { uri: 'memfs:/notes', name: 'notes' };
  const many = ['a', 'b', 'c', 'd', 'e'].map((name) => candidate(name, true));
  const table: [string, RootsView][] = [
    ['api, web', viewOf([api, web])],
    ['api · 1 not shared', viewOf([api, notWeb])],
    ['none', viewOf([none, notWeb])],
    ['a, b, c and 2 more', viewOf(many)],
    ['api · 1 unavailable', viewOf([api, candidate('web', true, missing)])],
    ['none · 1 unavailable', viewOf([candidate('web', true, missing)])],
    ['not decided yet', viewOf([none, notWeb], { basis: 'undecided' })],
    ['api · by your settings', viewOf([api], { basis: 'setting' })],
    ['none · by its definition', viewOf([none], { basis: 'definition' })],
    ['api · 1 not shared', viewOf([api], { leftOut: [memory] })],
    ['none', viewOf([], { basis: 'undecided', leftOut: [memory] })],
    ['the workspace has no folders', viewOf([])],
    [String.raw`a\u{202E}b`, viewOf([candidate('a\u202Eb', true)])],
  ];
  for (const [text, view] of table) {
    test(text, () => assert.equal(rootsSummary(view), text));
  }

  test('marks a server that has not asked', () => {
    assert.equal(rootsSummary(viewOf([api]), true), 'api · has not asked for them');
  });

  test('gives the state of each folder', () => {
    const gone = candidate('gone', true, missing);
    const view = viewOf([api, notWeb, gone]);
    assert.equal(standingText(view, api), '');
    assert.equal(standingText(view, notWeb), 'not shared');
    assert.equal(standingText(view, gone), 'The folder is not there.');
    const moved = candidate('moved', true, { kind: 'moved', message: 'You shared /a, and now …' });
    assert.equal(standingText(view, moved), 'is another folder now');
    assert.equal(standingText({ ...view, basis: 'undecided' }, notWeb), 'not decided yet');
    assert.equal(standingText({ ...view, shared: [] }, api), 'not looked at yet');
  });

  test('says who decided, and what happens to folders that are added later', () => {
    const texts = (['person', 'definition', 'setting', 'undecided'] as const).map((basis) =>
      basisText(viewOf([], { basis, isForLater: basis === 'person' })),
    );
    assert.match(texts[0] ?? '', /^You decided this\. .* are shared, too/);
    assert.match(texts[1] ?? '', /definition.* wait until you share them/);
    assert.match(texts[2] ?? '', /mcpHost\.roots\.default/);
    assert.match(texts[3] ?? '', /no folder is shared, and you are asked/);
  });
});
