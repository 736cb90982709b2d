import assert from 'node:assert/strict';
import { mkdirSync, rmSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { URI } from 'vscode-uri';
import type { ServerDefinition } from '../../../../src/host/config/serverDefinition.ts';
import { LocalDisk, type FolderState } from '../../../../src/host/folders/folderDisk.ts';
import type { SharedRoot, WorkspaceFolder } from '../../../../src/host/folders/sharedRoot.ts';
import { truthOf } from '../../../../src/host/roots/rootTruth.ts';
import type { RootCandidate } from '../../../../src/host/roots/rootsView.ts';
import { ConsentBed, type Window } from '../../support/consentBed.ts';
import { stdioServer } from '../../support/definitions.ts';
import { until } from '../../support/until.ts';
import { pathOnDisk, uriOnDisk } from '../../support/onDisk.ts';

suite('What a server sees is what was consented to, on a real disk', () => {
  let bed: ConsentBed;
  let window: Window;
  let api: WorkspaceFolder;
  const definition = stdioServer([]);
  const subject = { definition, label: 'server' };
  const at = (...names: string[]): string => path.join(bed.directory, ...names);
  const folderAt = (name: string): WorkspaceFolder => ({ uri: URI.file(at(name)).toString(), name });

  setup(() => {
    bed = new ConsentBed();
    window = bed.open({ disk: new LocalDisk() });
    mkdirSync(at('api', 'src'), { recursive: true });
    mkdirSync(at('api-secret', 'src'), { recursive: true });
    mkdirSync(at('secret', 'src'), { recursive: true });
    api = folderAt('api');
    window.folders = [api];
    window.roots.follow([definition]);
  });
  teardown(() => bed.close());

  const seen = async (one: ServerDefinition = definition, where = window): Promise<string[]> => {
    await where.roots.check(one);
    return where.roots.viewOf(one).shared.map(({ name }) => name);
  };
  const problemOf = (name: string, where = window): RootCandidate['problem'] =>
    where.roots.viewOf(definition).candidates.find(({ root }) => root.name === name)?.problem;
  const untilSeen = (...names: readonly string[]): Promise<void> =>
    until(
      () =>
        window.roots
          .viewOf(definition)
          .shared.map(({ name }) => name)
          .join() === names.join(),
      `the server sees ${names.join()}`,
      window.roots.onDidChange,
    );
  const retarget = (link: string, target: string): void => {
    unlinkSync(at(link));
    symlinkSync(at(target), at(link), 'junction');
  };

  test('a deleted folder is withdrawn with the reason, and comes back automatically', async () => {
    await window.roots.choose(subject, [api.uri]);
    assert.deepEqual(await seen(), ['api']);
    rmSync(at('api'), { recursive: true });
    await untilSeen();
    assert.equal(problemOf('api')?.kind, 'missing');
    writeFileSync(at('api'), '');
    await until(() => problemOf('api')?.kind === 'notAFolder', 'it is a file', window.roots.onDidChange);
    unlinkSync(at('api'));
    mkdirSync(at('api'));
    await untilSeen('api');
    assert.equal(problemOf('api'), undefined);
  });

  test('a deleted folder that comes back as a link to another one stays withdrawn', async () => {
    await window.roots.choose(subject, [api.uri]);
    rmSync(at('api'), { recursive: true });
    assert.deepEqual(await seen(), []);
    symlinkSync(at('secret'), at('api'), 'junction');
    assert.deepEqual(await seen(), []);
    assert.equal(problemOf('api')?.kind, 'moved');
    assert.match(problemOf('api')?.message ?? '', /You shared .*api, and now it leads to .*secret\.$/);
  });

  test('a target that is swapped after consent ends the sharing, in every window, until shared again', async () => {
    symlinkSync(at('api'), at('link'), 'junction');
    const link = folderAt('link');
    window.folders = [link];
    await window.roots.choose(subject, [link.uri]);
    assert.deepEqual(await seen(), ['link']);
    retarget('link', 'secret');
    assert.deepEqual(await seen(), []);
    const reopened = bed.open({ disk: new LocalDisk() });
    reopened.folders = [link];
    assert.deepEqual(await seen(definition, reopened), []);
    assert.equal(problemOf('link', reopened)?.kind, 'moved');
    await window.roots.setShared(subject, link.uri, true);
    assert.deepEqual(await seen(), ['link']);
    retarget('link', 'api');
    assert.deepEqual(await seen(), [], 'what was shared before is no longer shared');
  });

  test('a target that is swapped and swapped back is shared again automatically', async () => {
    symlinkSync(at('api'), at('link'), 'junction');
    window.folders = [folderAt('link')];
    await window.roots.choose(subject, [folderAt('link').uri]);
    retarget('link', 'secret');
    assert.deepEqual(await seen(), []);
    retarget('link', 'api');
    assert.deepEqual(await seen(), ['link']);
  });

  test('"Share Again" shares the target that the user saw, and not what it leads to since', async () => {
    symlinkSync(at('api'), at('link'), 'junction');
    const link = folderAt('link');
    window.folders = [link];
    await window.roots.choose(subject, [link.uri]);
    retarget('link', 'api-secret');
    assert.deepEqual(await seen(), []);
    retarget('link', 'secret');
    await window.roots.setShared(subject, link.uri, true);
    assert.deepEqual(await seen(), []);
    assert.match(
      problemOf('link')?.message ?? '',
      /You shared .*api-secret, and now it leads to .*secret\.$/,
    );
  });

  test('choosing again what is shared consents to no target that it was swapped for meanwhile', async () => {
    symlinkSync(at('api'), at('link'), 'junction');
    const link = folderAt('link');
    window.folders = [api, link];
    await window.roots.choose(subject, [link.uri]);
    assert.deepEqual(await seen(), ['link']);
    retarget('link', 'secret');
    await window.roots.choose(subject, [api.uri, link.uri]);
    assert.deepEqual(await seen(), ['api']);
    assert.equal(problemOf('link')?.kind, 'moved');
    await window.roots.setShared(subject, api.uri, false);
    assert.deepEqual(await seen(), [], 'nor does a word on another folder');
  });

  for (const basis of ['all', 'definition'] as const) {
    test(`a target is held to what it was first, where it is shared by ${basis}`, async () => {
      symlinkSync(at('api'), at('link'), 'junction');
      const one = basis === 'all' ? definition : { ...definition, roots: 'all' as const };
      window.rootsDefault = basis === 'all' ? 'all' : 'ask';
      window.folders = [folderAt('link')];
      window.roots.follow([one]);
      assert.deepEqual(await seen(one), ['link']);
      retarget('link', 'secret');
      assert.deepEqual(await seen(one), []);
    });
  }

  test('a folder added to "all" is held to what it was then, also after reopening', async () => {
    await window.roots.choose(subject, [api.uri]);
    symlinkSync(at('api-secret'), at('link'), 'junction');
    const link = folderAt('link');
    window.folders = [api, link];
    assert.deepEqual(await seen(), ['api', 'link']);
    await window.close();
    retarget('link', 'secret');
    window = bed.open({ disk: new LocalDisk() });
    window.folders = [link];
    assert.deepEqual(await seen(), []);
    assert.equal(problemOf('link')?.kind, 'moved');
    assert.ok(window.roots.isDecided(definition), 'the user need not be asked again about what was added');
  });

  test('a sub-folder that is a link out of its folder is refused', async () => {
    symlinkSync(at('secret'), at('api', 'out'), 'junction');
    symlinkSync(at('api-secret', 'src'), at('api', 'twin'), 'junction');
    symlinkSync(at('api'), at('api', 'self'), 'junction');
    for (const name of ['out', 'twin', 'self']) {
      await assert.rejects(window.roots.addSubfolder(subject, at('api', name)), /leads out of 'api'/);
    }
    await assert.rejects(window.roots.addSubfolder(subject, at('api', 'gone')), /not there/);
    await assert.rejects(
      window.roots.addSubfolder(subject, at('api-secret', 'src')),
      /inside a folder of the workspace/,
    );
    assert.deepEqual(window.decisions.all(), []);
  });

  test('a sub-folder that becomes a link out of its folder is withdrawn', async () => {
    await window.roots.addSubfolder(subject, at('api', 'src'));
    assert.deepEqual(await seen(), ['api/src']);
    rmSync(at('api', 'src'), { recursive: true });
    symlinkSync(at('secret', 'src'), at('api', 'src'), 'junction');
    assert.deepEqual(await seen(), []);
    assert.equal(problemOf('api/src')?.kind, 'outside');
  });

  test('a sub-folder whose parent becomes a link is withdrawn', async () => {
    await window.roots.addSubfolder(subject, at('api', 'src'));
    rmSync(at('api'), { recursive: true });
    symlinkSync(at('secret'), at('api'), 'junction');
    assert.deepEqual(await seen(), []);
    assert.equal(problemOf('api/src')?.kind, 'moved');
  });

  test('a sub-folder that a definition proposes through a link out is never shared', async () => {
    symlinkSync(at('secret'), at('api', 'docs'), 'junction');
    const one = { ...definition, roots: ['${workspaceFolder}/docs', '${workspaceFolder}/../secret', '~/x'] };
    assert.deepEqual(await seen(one), []);
    const { candidates } = window.roots.viewOf(one);
    assert.deepEqual(
      candidates.map(({ root, problem }) => [root.name, problem?.kind]),
      [
        ['api', undefined],
        ['api/docs', 'outside'],
        ['${workspaceFolder}/../secret', 'outside'],
        ['~/x', 'refused'],
      ],
    );
  });

  test('a folder that is missing when it is chosen is held to what it is when it comes', async () => {
    const late = folderAt('late');
    window.folders = [late];
    await window.roots.choose(subject, [late.uri]);
    assert.deepEqual(await seen(), []);
    symlinkSync(at('api'), at('late'), 'junction');
    assert.deepEqual(await seen(), ['late']);
    retarget('late', 'secret');
    assert.deepEqual(await seen(), []);
  });

  test('a folder with #, ?, % and letters of other alphabets is itself', async () => {
    const names = ['a#b', 'a?b', '100%', '%41', 'été', '日本', 'a b', '~'];
    names.forEach((name) => mkdirSync(at(name)));
    window.folders = names.map(folderAt);
    const { candidates } = window.roots.viewOf(definition);
    await window.roots.choose(
      subject,
      candidates.map(({ root }) => root.uri),
    );
    assert.deepEqual(await seen(), names);
  });
});

suite('What the disk says of a folder', () => {
  const rootAt = (name: string): SharedRoot => ({ uri: uriOnDisk(`/projects/${name}`), name });
  const [api, src] = [rootAt('api'), rootAt('api/src')];
  const missing: FolderState = { kind: 'none', problem: { kind: 'missing', message: 'It is missing.' } };
  const folderAt = (realPath: string): FolderState => ({ kind: 'folder', realPath });
  const truth = (looks: Readonly<Record<string, FolderState>>, within?: SharedRoot, consented?: string) =>
    truthOf({ root: within ? src : api, ...(within && { within }) }, consented, (path) => looks[path]);

  test('is unknown before it and the folder around it were looked at', () => {
    assert.deepEqual(truth({}), { kind: 'unknown' });
    assert.deepEqual(truth({ [pathOnDisk('/projects/api')]: missing }, api), { kind: 'unknown' });
    assert.deepEqual(truth({ [pathOnDisk('/projects/api/src')]: missing }, api), { kind: 'unknown' });
  });

  test('is true where it is itself, and where no path was consented to', () => {
    const looks = { [pathOnDisk('/projects/api')]: folderAt('/real/api') };
    assert.deepEqual(truth(looks), { kind: 'true', realPath: '/real/api' });
    assert.deepEqual(truth(looks, undefined, '/real/api'), { kind: 'true', realPath: '/real/api' });
    const moved = truth(looks, undefined, '/real/other');
    assert.equal(moved.kind === 'problem' && moved.problem.kind, 'moved');
  });

  test('is its own problem, or that of the folder around it', () => {
    const problem = { kind: 'problem', problem: missing.problem };
    assert.deepEqual(truth({ [pathOnDisk('/projects/api')]: missing }), problem);
    const inside = folderAt('/real/api/src');
    assert.deepEqual(
      truth({ [pathOnDisk('/projects/api')]: missing, [pathOnDisk('/projects/api/src')]: inside }, api),
      problem,
    );
    assert.deepEqual(
      truth(
        { [pathOnDisk('/projects/api')]: folderAt('/real/api'), [pathOnDisk('/projects/api/src')]: missing },
        api,
      ),
      problem,
    );
  });

  test('is true of a subfolder only inside its folder', () => {
    const around = { [pathOnDisk('/projects/api')]: folderAt('/real/api') };
    assert.equal(
      truth({ ...around, [pathOnDisk('/projects/api/src')]: folderAt('/real/api/src') }, api).kind,
      'true',
    );
    const outside = truth(
      { ...around, [pathOnDisk('/projects/api/src')]: folderAt('/real/api-secret') },
      api,
    );
    assert.equal(outside.kind === 'problem' && outside.problem.kind, 'outside');
  });
});
