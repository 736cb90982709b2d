import assert from 'node:assert/strict';
import type { DefinitionOrigin, ServerDefinition } from '../../../../src/host/config/serverDefinition.ts';
import type { WorkspaceFolder } from '../../../../src/host/folders/sharedRoot.ts';
import { ConsentBed, type Window } from '../../support/consentBed.ts';
import { stdioServer } from '../../support/definitions.ts';
import { until } from '../../support/until.ts';
import { rootsDecisionKind } from '../../../../src/host/roots/rootsDecisions.ts';
import { pathOnDisk, uriOnDisk } from '../../support/onDisk.ts';

const api = { uri: uriOnDisk('/projects/api'), name: 'api' };
const web = { uri: uriOnDisk('/projects/web'), name: 'web' };
const docs = { uri: uriOnDisk('/other/docs'), name: 'docs' };
const ofWorkspace: DefinitionOrigin = { scope: 'workspace', format: 'settings', place: 'file:///w' };

suite('Which folders a server may see', () => {
  let bed: ConsentBed;
  let window: Window;
  const definition = stdioServer([], { origin: ofWorkspace });
  const subject = { definition, label: 'server' };

  setup(() => {
    bed = new ConsentBed();
    window = bed.open();
  });
  teardown(() => bed.close());

  const seen = async (one: ServerDefinition = definition): Promise<string[]> => {
    await window.roots.check(one);
    return window.roots.viewOf(one).shared.map(({ name }) => name);
  };
  const choose = (...folders: readonly WorkspaceFolder[]): Promise<void> =>
    window.roots.choose(
      subject,
      folders.map(({ uri }) => uri),
    );

  suite('by the decision of the user', () => {
    test('is nothing before', () => {
      window.folders = [api];
      const view = window.roots.viewOf(definition);
      assert.equal(view.basis, 'undecided');
      assert.deepEqual(view.candidates, [{ root: api, isChosen: false, isProposed: true }]);
      assert.deepEqual(view.shared, []);
      assert.ok(!window.roots.isDecided(definition));
    });

    test('is all when all were chosen, also what is added later', async () => {
      window.folders = [api, web];
      await choose(api, web);
      window.folders = [api, web, docs];
      assert.deepEqual(await seen(), ['api', 'web', 'docs']);
      window.folders = [web];
      assert.deepEqual(await seen(), ['web']);
    });

    test('is what was chosen; a folder that is added later waits', async () => {
      window.folders = [api, web];
      await choose(web);
      assert.deepEqual(await seen(), ['web']);
      window.folders = [docs, api, web];
      assert.deepEqual(await seen(), ['web']);
      assert.ok(window.roots.isDecided(definition));
      const { candidates } = window.roots.viewOf(definition);
      assert.deepEqual(
        candidates.map(({ isProposed }) => isProposed),
        [false, false, true],
        'what was left out is not proposed again',
      );
    });

    test('follows one checkbox, which says nothing of other or later folders', async () => {
      window.folders = [api, web];
      await window.roots.setShared(subject, api.uri, true);
      assert.deepEqual(await seen(), ['api']);
      await window.roots.setShared(subject, web.uri, true);
      assert.deepEqual(await seen(), ['api', 'web']);
      window.folders = [api, web, docs];
      assert.deepEqual(await seen(), ['api', 'web']);
      await window.roots.setShared(subject, api.uri, false);
      assert.deepEqual(await seen(), ['web']);
    });

    test('keeps every one of several checkboxes that are clicked at once', async () => {
      window.folders = [api, web, docs];
      await Promise.all([api, web, docs].map(({ uri }) => window.roots.setShared(subject, uri, true)));
      assert.deepEqual(await seen(), ['api', 'web', 'docs']);
    });

    test('says nothing of another workspace, and is not lost when that is decided', async () => {
      window.folders = [api, web];
      await choose(api, web);
      window.folders = [docs];
      assert.deepEqual(await seen(), []);
      assert.ok(!window.roots.isDecided(definition));
      await choose();
      assert.ok(window.roots.isDecided(definition));
      window.folders = [api, web];
      assert.deepEqual(await seen(), ['api', 'web']);
      window.folders = [docs];
      await choose(docs);
      assert.deepEqual(await seen(), ['docs']);
    });

    test('is forgotten for this workspace alone', async () => {
      window.folders = [docs];
      await choose();
      window.folders = [api, web];
      await choose(api);
      await window.roots.reset(subject);
      assert.ok(!window.roots.isDecided(definition));
      window.folders = [docs];
      assert.ok(window.roots.isDecided(definition));
      await window.roots.reset(subject);
      assert.deepEqual(window.decisions.all(), []);
    });

    test('is not asked where there is no folder', async () => {
      assert.ok(window.roots.isDecided(definition));
      window.folders = [{ uri: 'vscode-vfs://github/owner/name', name: 'remote' }];
      assert.ok(window.roots.isDecided(definition));
      assert.deepEqual(await seen(), []);
      assert.equal(window.roots.viewOf(definition).leftOut.length, 1);
    });
  });

  suite('stays as it was decided', () => {
    setup(async () => {
      window.folders = [api, web];
      await choose(web);
      await window.roots.addSubfolder(subject, pathOnDisk('/projects/api/src'));
    });
    const changes: [string, () => readonly WorkspaceFolder[], string[]][] = [
      ['after reopening', () => [api, web], ['api/src', 'web']],
      ['when a folder is added', () => [docs, api, web], ['api/src', 'web']],
      [
        'when folders are renamed',
        () => [
          { ...api, name: 'web' },
          { ...web, name: 'api' },
        ],
        ['web/src', 'api'],
      ],
      ['when folders are reordered', () => [web, api], ['web', 'api/src']],
      ['when a folder is removed', () => [api, docs], ['api/src']],
      ['when a twin is added', () => [api, { uri: `${web.uri}-secret`, name: 'web' }], ['api/src']],
      [
        'when a parent is added',
        () => [{ uri: uriOnDisk('/projects'), name: 'p' }, api, web],
        ['api/src', 'web'],
      ],
    ];
    for (const [what, next, expected] of changes) {
      test(what, async () => {
        await window.close();
        window = bed.open();
        window.folders = next();
        assert.deepEqual(await seen(), expected);
      });
    }

    test('when a folder is removed and comes back', async () => {
      window.folders = [web];
      assert.deepEqual(await seen(), ['web']);
      window.folders = [api, web];
      assert.deepEqual(await seen(), ['api/src', 'web']);
    });

    test('in another window at once, and not on another remote', async () => {
      const other = bed.open();
      other.folders = [api, web];
      await window.roots.setShared(subject, web.uri, false);
      await until(
        () =>
          other.roots
            .viewOf(definition)
            .candidates.every(({ isChosen, within }) => isChosen === (within !== undefined)),
        'the other window knows',
        other.roots.onDidChange,
      );
      const remote = bed.open({ remoteName: 'ssh' });
      remote.folders = [api, web];
      assert.equal(remote.roots.viewOf(definition).basis, 'undecided');
    });

    test('for each server separately', async () => {
      const other = stdioServer([], { name: 'other', origin: ofWorkspace });
      assert.equal(window.roots.viewOf(other).basis, 'undecided');
      await window.roots.setShared({ definition: other, label: 'other' }, api.uri, true);
      assert.deepEqual(await seen(other), ['api']);
      assert.deepEqual(await seen(), ['api/src', 'web']);
    });
  });

  test('is read from a decision that knows neither sub-folders nor real paths', async () => {
    window.folders = [api, web];
    await choose(web);
    const [kept] = window.decisions.allOf(rootsDecisionKind);
    assert.ok(kept);
    const { id: _, subfolders: __, realPaths: ___, ...old } = kept;
    await window.decisions.put(old);
    assert.deepEqual(await seen(), ['web']);
    window.roots.follow([definition]);
    await until(
      () => {
        const [decision] = window.decisions.allOf(rootsDecisionKind);
        return decision?.realPaths?.[web.uri] === pathOnDisk('/projects/web');
      },
      'what it is about is kept with it',
      window.decisions.onDidChange,
    );
  });

  suite('of sub-folders', () => {
    setup(() => {
      window.folders = [api, web];
    });

    test('is what was added, after its folder, until it is taken out', async () => {
      await choose(web);
      const added = await window.roots.addSubfolder(subject, pathOnDisk('/projects/api/src'));
      assert.deepEqual(added, { uri: uriOnDisk('/projects/api/src'), name: 'api/src' });
      assert.deepEqual(await seen(), ['api/src', 'web']);
      await window.roots.setShared(subject, added.uri, false);
      assert.deepEqual(await seen(), ['web']);
      const names = window.roots.viewOf(definition).candidates.map(({ root }) => root.name);
      assert.deepEqual(names, ['api', 'api/src', 'web']);
      await window.roots.removeSubfolder(subject, added.uri);
      assert.equal(window.roots.viewOf(definition).candidates.length, 2);
    });

    const refused: [string, RegExp][] = [
      [pathOnDisk('/projects'), /inside a folder of the workspace/],
      [pathOnDisk('/projects/api-secret'), /inside a folder of the workspace/],
      [pathOnDisk('/projects/api'), /a folder of the workspace itself/],
      [pathOnDisk('/projects/api/../web/x'), /contains "\." or "\.\."/],
      [pathOnDisk('/projects/api/\0/x'), /NUL/],
      ['src', /not absolute/],
      ['~/api', /"~" stands for no folder/],
    ];
    for (const [outside, why] of refused) {
      test(`is never ${JSON.stringify(outside)}`, async () => {
        await assert.rejects(window.roots.addSubfolder(subject, outside), why);
        assert.deepEqual(window.decisions.all(), []);
      });
    }
  });

  suite('by what decides beforehand', () => {
    const own = (roots: NonNullable<ServerDefinition['roots']>): ServerDefinition =>
      stdioServer([], { roots });

    test("is the user's own definition, before the setting", async () => {
      window.folders = [api, web];
      window.rootsDefault = 'all';
      const one = own(['${workspaceFolder:web}', '${workspaceFolder}/src', '/elsewhere']);
      assert.equal(window.roots.viewOf(one).basis, 'definition');
      assert.deepEqual(await seen(one), ['api/src', 'web']);
      assert.deepEqual(await seen(own('none')), []);
      assert.deepEqual(await seen(own('all')), ['api', 'web']);
      await window.roots.setShared({ definition: one, label: 'one' }, web.uri, false);
      assert.equal(window.roots.viewOf(one).basis, 'person');
      assert.deepEqual(await seen(one), ['api/src']);
    });

    test("is nothing where the user's own definition says nothing about folders", async () => {
      window.folders = [api];
      const silent = stdioServer([]);
      assert.equal(window.roots.viewOf(silent).basis, 'undecided');
      assert.deepEqual(await seen(silent), []);
    });

    test('shares whole folders by the setting; subfolders wait until you add them', async () => {
      window.folders = [api, web];
      window.rootsDefault = 'all';
      const proposing = { ...definition, roots: ['${workspaceFolder:web}/src'] };
      assert.deepEqual(await seen(proposing), ['api', 'web']);
      const subfolder = window.roots.viewOf(proposing).candidates.at(-1);
      assert.equal(subfolder?.root.name, 'web/src');
      assert.ok(!subfolder.isChosen);
    });

    const later: [string, (one: ServerDefinition) => Promise<void>, ServerDefinition, string[]][] = [
      [
        'waits when the definition names folders',
        async () => {},
        own([pathOnDisk('/projects/api'), pathOnDisk('/projects/web')]),
        [],
      ],
      ['is shared when the definition names all', async () => {}, own('all'), ['docs']],
      ['is shared when all were chosen', () => choose(api, web), definition, ['docs']],
    ];
    for (const [what, decide, one, expected] of later) {
      test(`what is added later ${what}, also after a subfolder was added`, async () => {
        window.folders = [api, web];
        await decide(one);
        await window.roots.addSubfolder({ definition: one, label: 'one' }, pathOnDisk('/projects/api/src'));
        assert.deepEqual(await seen(one), ['api', 'api/src', 'web']);
        window.folders = [api, web, docs];
        assert.deepEqual(await seen(one), ['api', 'api/src', 'web', ...expected]);
      });
    }

    test('offers a subfolder that a definition proposes later beside one that was added', async () => {
      window.folders = [api, web];
      await window.roots.addSubfolder(subject, pathOnDisk('/projects/api/src'));
      const proposing = { ...definition, roots: ['${workspaceFolder:web}/src'] };
      const { candidates } = window.roots.viewOf(proposing);
      assert.deepEqual(
        candidates.map(({ root, isChosen }) => [root.name, isChosen]),
        [
          ['api', false],
          ['api/src', true],
          ['web', false],
          ['web/src', false],
        ],
      );
    });

    test('shows what can never be shared, and neither shares nor proposes it', async () => {
      window.folders = [api, { uri: uriOnDisk('/projects/a%00b'), name: 'odd' }];
      window.rootsDefault = 'all';
      const leading = { ...definition, roots: ['../elsewhere'] };
      assert.deepEqual(await seen(leading), ['api']);
      const refused = window.roots.viewOf(leading).candidates.filter(({ problem }) => problem);
      assert.deepEqual(
        refused.map(({ root, isChosen, isProposed }) => [root.name, isChosen, isProposed]),
        [
          ['odd', false, false],
          ['../elsewhere', false, false],
        ],
      );
    });

    test('is the setting, at once, and never the definition of a workspace', async () => {
      window.folders = [api];
      const proposing = { ...definition, roots: 'all' } as const;
      assert.deepEqual(await seen(proposing), []);
      let changes = 0;
      window.roots.onDidChange(() => (changes += 1));
      window.rootsDefault = 'all';
      assert.equal(window.roots.viewOf(proposing).basis, 'setting');
      assert.deepEqual(await seen(proposing), ['api']);
      window.rootsDefault = 'none';
      assert.deepEqual(await seen(proposing), []);
      assert.ok(window.roots.isDecided(proposing));
      assert.ok(changes >= 2);
    });
  });

  const proposals: [ServerDefinition['roots'], string[]][] = [
    [undefined, ['api', 'web']],
    ['all', ['api', 'web']],
    ['none', []],
    [[], []],
    [['${workspaceFolder}'], ['api']],
    [['${workspaceFolder:web}/'], ['web']],
    [['${workspaceFolder}/src'], ['api/src']],
    [[pathOnDisk('/projects/web')], ['web']],
    [
      ['../web', '.'],
      ['api', 'web'],
    ],
    [['${env:X}'], []],
  ];
  for (const [roots, expected] of proposals) {
    test(`is proposed by a definition of the workspace: ${JSON.stringify(roots)}`, () => {
      window.folders = [api, web];
      const { candidates } = window.roots.viewOf(roots === undefined ? definition : { ...definition, roots });
      assert.deepEqual(
        candidates.filter(({ isProposed }) => isProposed).map(({ root }) => root.name),
        expected,
      );
      assert.ok(candidates.every(({ isChosen }) => !isChosen));
    });
  }
});
