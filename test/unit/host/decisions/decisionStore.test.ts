import assert from 'node:assert/strict';
import fs, {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { rm } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { mock } from 'node:test';
import type { Answer, Decision } from '../../../../src/host/decisions/decision.ts';
import { entryFormat } from '../../../../src/host/decisions/decisionEntry.ts';
import { DecisionStore } from '../../../../src/host/decisions/decisionStore.ts';
import { snapshotOf } from '../../../../src/host/launch/question/launchSnapshot.ts';
import { legacyServer } from '../../support/definitions.ts';
import { sha256 } from '../../../../src/base/text/sha256.ts';
import { launchOf, testKey } from '../../support/launches.ts';
import { until } from '../../support/until.ts';
import { grantDecisionKind } from '../../../../src/host/gate/agentGrants.ts';
import { decisionKinds } from '../../../../src/host/review/decisionKinds.ts';
import {
  launchDecisionKind,
  launchKeyParts,
  type LaunchDecision,
} from '../../../../src/host/launch/question/launchDecision.ts';

function decisionOf(key: string, answer: Answer = 'allow', at = 1): LaunchDecision {
  return {
    kind: 'launch',
    key,
    answer,
    span: 'always',
    serverId: `user settings:user ${key}`,
    label: key,
    place: 'settings:user',
    at,
    fingerprint: 'f',
    snapshot: snapshotOf(launchOf(legacyServer(), { workingDirectory: '/w' }), testKey, 'salt'),
  };
}

function grantOf(key: string, at = 1): Decision & { readonly kind: 'grant' } {
  return { kind: 'grant', key, serverId: `user settings:user ${key}`, label: key, at };
}

const format = entryFormat(
  (name) => decisionKinds.find((kind) => kind.name === name),
  () => true,
);

function entryText(decision: Decision): string {
  return format.text({ over: [], decision });
}

function answerOf(decision: Decision | undefined): Answer | undefined {
  return decision && (decision as LaunchDecision).answer;
}

suite('The decisions on the disk', () => {
  let folder: string;
  let stores: DecisionStore[];

  setup(() => {
    folder = path.join(realpathSync(mkdtempSync(path.join(tmpdir(), 'mcp-host-'))), 'decisions');
    stores = [];
  });
  teardown(async () => {
    stores.forEach((store) => store.dispose());
    await rm(path.dirname(folder), { recursive: true, force: true });
  });

  const open = (): DecisionStore => {
    const store = new DecisionStore(decisionKinds, folder);
    stores.push(store);
    return store;
  };
  const files = (): string[] => readdirSync(folder).sort();
  const fileOf = (name = files()[0]): string => path.join(folder, name ?? '');
  /** The name of an entry of a key. */
  const nameOf = (key: string, end = 'x'): string => `${sha256(key).slice(0, 32)}-${end}.json`;
  /** Writes an entry as another window does. */
  const write = (name: string, decision: Decision): void => writeFileSync(fileOf(name), entryText(decision));

  test('have the keys that they have had since the first version', () => {
    const remote = new DecisionStore(decisionKinds, folder, 'ssh-remote');
    stores.push(remote);
    assert.equal(
      remote.keyOf(launchDecisionKind, 'user settings:user git', 'file:///projects/api', 'f'),
      'launch 149b4b75cdec8203ab981c3f17e647b8b8fd973c60c66365ebd7efcaca29bcaf',
    );
    assert.equal(
      open().keyOf(grantDecisionKind, 'user settings:user git'),
      'grant fc3fecee283c488aa98619ec6dcde3496eae4c06880ef05406dc1e6d8ed6d9a8',
    );
  });

  test('are there for the next window, the latest first', async () => {
    const store = open();
    await store.put(decisionOf('a', 'allow', 1));
    await store.put(decisionOf('b', 'deny', 2));
    const next = open();
    assert.deepEqual(
      next.all().map(({ key }) => key),
      ['b', 'a'],
    );
    assert.equal(answerOf(next.get('a')), 'allow');
    assert.equal(answerOf(next.get('b')), 'deny');
    assert.equal(next.get('c'), undefined);
  });

  test('are readable by their owner alone', async () => {
    await open().put(decisionOf('a'));
    assert.equal(statSync(folder).mode & 0o77, 0);
    assert.equal(statSync(fileOf()).mode & 0o77, 0);
  });

  test('take the place of those that were known', async () => {
    const store = open();
    await store.put(decisionOf('a', 'deny'));
    await store.put(decisionOf('a', 'allow'));
    assert.equal(answerOf(store.get('a')), 'allow');
    assert.equal(files().length, 1);
    assert.equal(answerOf(open().get('a')), 'allow');
  });

  test('are denials where two windows decided differently', async () => {
    const [one, other] = [open(), open()];
    await Promise.all([one.put(decisionOf('a', 'allow', 2)), other.put(decisionOf('a', 'deny', 1))]);
    one.refresh();
    other.refresh();
    assert.equal(answerOf(one.get('a')), 'deny');
    assert.equal(answerOf(other.get('a')), 'deny');
    assert.equal(one.all().length, 1);
    await one.put(decisionOf('a', 'allow', 3));
    assert.equal(answerOf(one.get('a')), 'allow', 'the user knew of the denial');
    other.refresh('a');
    assert.equal(answerOf(other.get('a')), 'allow');
  });

  test('hold although a window was killed before it removed what they replace', async () => {
    const store = open();
    await store.put(decisionOf('a', 'deny'));
    const [denial] = files();
    const text = readFileSync(fileOf(), 'utf8');
    await store.put(decisionOf('a', 'allow'));
    writeFileSync(fileOf(denial), text);
    assert.equal(answerOf(open().get('a')), 'allow');
  });

  test('are seen by other windows without being asked for', async () => {
    const [one, other] = [open(), open()];
    await one.put(decisionOf('a', 'deny'));
    await until(() => other.get('a') !== undefined, 'the other window sees it', other.onDidChange);
    await one.forget(one.all()[0]?.id ?? '');
    await until(() => other.get('a') === undefined, 'the other window forgets it', other.onDidChange);
  });

  test('are taken back with all that they replaced or contradicted', async () => {
    const [one, other] = [open(), open()];
    await Promise.all([one.put(decisionOf('a', 'allow')), other.put(decisionOf('a', 'deny'))]);
    await one.put(decisionOf('b'));
    one.refresh();
    await one.forget(one.get('a')?.id ?? '');
    assert.equal(open().get('a'), undefined);
    assert.equal(answerOf(open().get('b')), 'allow');
  });

  test('are all forgotten at once, also those that another window has just made', async () => {
    const [one, other] = [open(), open()];
    await one.put(decisionOf('a'));
    await other.put(decisionOf('b'));
    await one.forgetAll();
    assert.deepEqual(one.all(), []);
    assert.deepEqual(files(), []);
  });

  const unreadable: [string, (text: string) => string][] = [
    ['cut off', (text) => text.slice(0, text.length / 2)],
    ['empty', () => ''],
    ['no object', () => '[]'],
    ['without a version', (text) => text.replace('"version": 1,', '')],
    ['of a version that never was', (text) => text.replace('"version": 1', '"version": 0')],
    ['with another answer', (text) => text.replace('"allow"', '"maybe"')],
    ['of another key than its name says', (text) => text.replace('"key": "a"', '"key": "b"')],
    ['without what was shown', (text) => text.replace('"args"', '"arguments"')],
  ];
  for (const [what, change] of unreadable) {
    test(`mean that it is asked again when the file is ${what}, which is kept aside`, async () => {
      await open().put(decisionOf('a'));
      const [name = ''] = files();
      const changed = change(readFileSync(fileOf(name), 'utf8'));
      writeFileSync(fileOf(name), changed);
      const store = open();
      assert.equal(store.get('a'), undefined);
      assert.equal(store.get('b'), undefined);
      assert.deepEqual(store.all(), []);
      assert.deepEqual(files(), [`${name}.unreadable`]);
      assert.equal(readFileSync(fileOf(), 'utf8'), changed);
      await store.put(decisionOf('a'));
      assert.equal(answerOf(open().get('a')), 'allow', 'the new decision holds');
      assert.ok(files().includes(`${name}.unreadable`));
    });
  }

  test('ask again where one of two cannot be read: it may be a denial', async () => {
    const [one, other] = [open(), open()];
    await Promise.all([one.put(decisionOf('a', 'deny')), other.put(decisionOf('a', 'allow'))]);
    const denial = files().find((name) => readFileSync(fileOf(name), 'utf8').includes('"deny"'));
    writeFileSync(fileOf(denial), 'broken');
    assert.equal(open().get('a'), undefined);
    assert.deepEqual(open().all(), []);
  });

  const ofLater: [string, (text: string) => string][] = [
    ['of a newer version', (text) => text.replace('"version": 1', '"version": 2')],
    ['of a kind of a newer version', (text) => text.replace('"launch"', '"other"')],
  ];
  for (const [what, change] of ofLater) {
    test(`${what} are left alone, and asked again until you decide`, async () => {
      await open().put(decisionOf('a'));
      const [name = ''] = files();
      const newer = change(readFileSync(fileOf(name), 'utf8'));
      writeFileSync(fileOf(name), newer);
      const store = open();
      assert.equal(store.get('a'), undefined);
      assert.deepEqual(files(), [name]);
      await store.put(decisionOf('a', 'deny'));
      assert.equal(answerOf(open().get('a')), 'deny');
      assert.equal(readFileSync(fileOf(name), 'utf8'), newer);
      await store.forgetAll();
      assert.deepEqual(files(), [name], 'and not forgotten either');
    });
  }

  test('on roots are read with and without what was added to them, and not when that is malformed', () => {
    const roots = {
      kind: 'roots',
      key: 'a',
      serverId: 'a',
      label: 'a',
      folders: ['file:///projects/api'],
      offered: ['file:///projects/api'],
      at: 1,
    };
    const subfolder = { uri: 'file:///projects/api/src', within: 'file:///projects/api', isShared: true };
    const kindOf = (more: object): string =>
      format.read(JSON.stringify({ version: 1, over: [], decision: { ...roots, ...more } }), '').kind;
    for (const more of [{}, { subfolders: [subfolder] }, { realPaths: { 'file:///projects/api': '/x' } }]) {
      assert.equal(kindOf(more), 'value', JSON.stringify(more));
    }
    for (const more of [
      { subfolders: {} },
      { subfolders: [{ ...subfolder, isShared: 1 }] },
      { subfolders: [{ uri: 'x', isShared: true }] },
      { realPaths: [] },
      { realPaths: { x: 1 } },
    ]) {
      assert.equal(kindOf(more), 'unreadable', JSON.stringify(more));
    }
  });

  test('are found by their kind, their server and their key', async () => {
    const store = open();
    await store.put(decisionOf('a', 'deny', 1));
    await store.put(grantOf('b', 2));
    const keys = (found: readonly Decision[]): readonly string[] => found.map(({ key }) => key);
    assert.deepEqual(keys(store.all()), ['b', 'a']);
    assert.deepEqual(keys(store.allOf(launchDecisionKind)), ['a']);
    assert.deepEqual(keys(store.allAbout('user settings:user b')), ['b']);
    assert.equal(store.getOf(launchDecisionKind, 'a')?.answer, 'deny');
    assert.equal(store.getOf(launchDecisionKind, 'b'), undefined, 'it is of another kind');
    assert.equal(store.getOf(launchDecisionKind, 'c'), undefined);
  });

  test('have the key that their content makes, for a server and a remote', () => {
    const store = open();
    const decision = decisionOf('a');
    const { serverId } = decision;
    assert.equal(
      store.keyOfDecision(decision),
      store.keyOf(launchDecisionKind, serverId, ...launchKeyParts('/w', 'f')),
    );
    assert.equal(store.keyOfDecision(grantOf('a')), store.keyOf(grantDecisionKind, serverId));
    assert.notEqual(store.keyOfDecision(decision), store.keyOfDecision({ ...decision, serverId: 'b' }));
  });

  test('are denials, and have words, as their kind says', () => {
    const store = open();
    assert.equal(store.isDenial(decisionOf('a', 'deny')), true);
    assert.equal(store.isDenial(decisionOf('a', 'allow')), false);
    assert.equal(store.isDenial(grantOf('a')), false);
    assert.equal(store.wordsOf(grantOf('a')), grantDecisionKind.words);
    assert.throws(() => store.isDenial({ ...grantOf('a'), kind: 'other' }), /no kind of decision 'other'/);
  });

  test('are the later of two windows where both give the same', async () => {
    const [one, other] = [open(), open()];
    await Promise.all([
      one.put({ ...decisionOf('a', 'allow', 2), label: 'later' }),
      other.put({ ...decisionOf('a', 'allow', 1), label: 'earlier' }),
      one.put(grantOf('b', 1)),
      other.put({ ...grantOf('b', 2), label: 'later' }),
    ]);
    for (const store of [one, other, open()]) {
      store.refresh();
      assert.deepEqual(
        store.all().map(({ label }) => label),
        ['later', 'later'],
      );
    }
  });

  test('are stored only if they still apply when their turn comes', async () => {
    const store = open();
    const first = store.put(decisionOf('a', 'deny'));
    const asked: (Answer | undefined)[] = [];
    await store.put(decisionOf('a', 'allow'), () => {
      asked.push(answerOf(store.get('a')));
      return false;
    });
    await first;
    assert.deepEqual(asked, ['deny'], 'it is asked once the decision before is kept');
    assert.equal(answerOf(open().get('a')), 'deny');
    await store.put(decisionOf('a', 'allow'), () => true);
    assert.equal(answerOf(open().get('a')), 'allow');
  });

  test('that another window has just made are taken back with those that are known', async () => {
    const store = open();
    await store.put(decisionOf('a', 'deny'));
    const [name = ''] = files();
    const forgotten = store.forget(store.all()[0]?.id ?? '');
    writeFileSync(fileOf(name.replace('.json', '0.json')), entryText(decisionOf('a')));
    await forgotten;
    assert.deepEqual(files(), []);
  });

  test('are taken back with the permissions first, so that none counts again when that is cut short', async () => {
    const store = open();
    for (const forget of [() => store.forget(store.all()[0]?.id ?? ''), () => store.forgetAll()]) {
      await store.put(decisionOf('a', 'allow'));
      const [permission = ''] = files();
      const text = readFileSync(fileOf(permission), 'utf8');
      await store.put(decisionOf('a', 'deny'));
      // As a window leaves it that is killed before it removes what it replaced.
      writeFileSync(fileOf(permission), text);
      store.refresh();
      const forgotten = forget().then(() => true);
      const turn = (): Promise<false> => new Promise((resolve) => setImmediate(() => resolve(false)));
      while (!(await Promise.race([forgotten, turn()]))) {
        const left = files();
        assert.ok(left.length !== 1 || left[0] !== permission, 'the permission is alone');
      }
      assert.deepEqual(files(), []);
    }
  });

  test('are all forgotten, also where one that cannot be read is beside them', async () => {
    const store = open();
    await store.put(decisionOf('a', 'deny'));
    const [name = ''] = files();
    writeFileSync(fileOf(name), 'broken');
    const next = open();
    await next.put(decisionOf('a', 'allow'));
    await open().put(decisionOf('a', 'deny'));
    await open().forgetAll();
    assert.deepEqual(files(), [`${name}.unreadable`]);
  });

  test('that cannot be read are distinguished from missing ones', async () => {
    const store = open();
    await store.put(decisionOf('a', 'deny'));
    assert.equal(store.isUnreadable('a'), false);
    writeFileSync(fileOf(), 'broken');
    store.refresh('b');
    assert.equal(answerOf(store.get('a')), 'deny', 'only the key that is asked about is read again');
    store.refresh('a');
    assert.equal(store.isUnreadable('a'), true);
    assert.equal(store.isUnreadable('b'), false);
    assert.equal(open().isUnreadable('a'), true, 'also when it was set aside before');
  });

  test('that cannot be read for a moment are asked again, not set aside, and count afterwards', async () => {
    await open().put(decisionOf('a', 'deny'));
    const [name = ''] = files();
    const text = readFileSync(fileOf(name), 'utf8');
    await rm(fileOf(name));
    mkdirSync(fileOf(name));
    const store = open();
    assert.equal(store.isUnreadable('a'), true);
    assert.deepEqual(files(), [name]);
    await store.forget(name.replace('.json', ''));
    assert.deepEqual(files(), [name], 'what cannot be read is not taken back');
    rmSync(fileOf(name), { recursive: true });
    writeFileSync(fileOf(name), text);
    store.refresh('a');
    assert.equal(answerOf(store.get('a')), 'deny');
  });

  test('that cannot even be set aside are asked again', async () => {
    await open().put(decisionOf('a'));
    const [name = ''] = files();
    writeFileSync(fileOf(name), 'broken');
    mkdirSync(fileOf(`${name}.unreadable`));
    const store = open();
    assert.equal(store.isUnreadable('a'), true);
    assert.ok(files().includes(name));
  });

  test('are announced when they change, and not when they are only read again', async () => {
    const store = open();
    await store.put(decisionOf('a'));
    await Promise.resolve();
    let changes = 0;
    store.onDidChange(() => (changes += 1));
    store.refresh();
    store.refresh('a');
    await Promise.resolve();
    assert.equal(changes, 0);
    write(nameOf('b'), decisionOf('b'));
    store.refresh();
    rmSync(fileOf(nameOf('b')));
    store.refresh();
    assert.equal(changes, 0, 'a listener may read again');
    await Promise.resolve();
    assert.equal(changes, 1, 'both at once');
    write(nameOf('b'), decisionOf('b'));
    store.refresh();
    await Promise.resolve();
    assert.equal(changes, 2);
    await store.put(decisionOf('b'));
    assert.ok(changes > 2, 'also what is decided here');
    const before = changes;
    await store.forgetAll();
    assert.ok(changes > before);
  });

  test('are not announced to a window that is closed', async () => {
    const store = open();
    await store.put(decisionOf('a'));
    let changes = 0;
    store.onDidChange(() => (changes += 1));
    store.dispose();
    write(nameOf('b'), decisionOf('b'));
    store.refresh();
    await Promise.resolve();
    assert.equal(changes, 0);
  });

  const contradicting: [string, readonly [LaunchDecision, LaunchDecision]][] = [
    ['the denial', [decisionOf('a', 'deny', 1), decisionOf('a', 'allow', 2)]],
    ['the later one of two permissions', [decisionOf('a', 'allow', 2), decisionOf('a', 'allow', 1)]],
    ['the later one of two denials', [decisionOf('a', 'deny', 2), decisionOf('a', 'deny', 1)]],
  ];
  for (const [what, [counting, other]] of contradicting) {
    test(`that contradict each other: ${what} counts, whichever was seen first`, async () => {
      await open().put(decisionOf('b'));
      for (const both of [
        [counting, other],
        [other, counting],
      ]) {
        const store = open();
        both.forEach((decision, index) => {
          write(nameOf('a', String(index)), decision);
          store.refresh();
        });
        const { id: _, ...found } = store.get('a') ?? assert.fail('none counts');
        assert.deepEqual(found, counting);
        assert.equal(store.all().filter(({ key }) => key === 'a').length, 1);
        files()
          .filter((name) => name.startsWith(nameOf('a').slice(0, 32)))
          .forEach((name) => rmSync(fileOf(name)));
      }
    });
  }

  test('are read from files that have the names that they have had since the first version', async () => {
    await open().put(decisionOf('b'));
    const name = 'ca978112ca1bbdcafac231b39a23dc4d-f9e1728e-3726-4cae-bb64-ded492feb662.json';
    write(name, decisionOf('a'));
    assert.equal(answerOf(open().get('a')), 'allow');
    assert.ok(files().includes(name));
  });

  test('are not there when their file is gone at the moment when it is read', async () => {
    const store = open();
    await store.put(decisionOf('a'));
    const [name = ''] = files();
    // As a file that another window removes after the folder was listed.
    const vanish = (gone: string): void => symlinkSync(path.join(folder, 'nowhere'), fileOf(gone));
    rmSync(fileOf(name));
    vanish(name);
    vanish(nameOf('b'));
    store.refresh('a');
    assert.equal(store.get('a'), undefined);
    assert.equal(store.isUnreadable('a'), false);
    assert.equal(store.isUnreadable('b'), false);
  });

  test('are asked again when the folder is gone, and kept in a new one', async () => {
    const store = open();
    await store.put(decisionOf('a'));
    await rm(folder, { recursive: true });
    store.refresh('a');
    assert.equal(store.get('a'), undefined);
    await store.put(decisionOf('a', 'deny'));
    assert.equal(answerOf(open().get('a')), 'deny');
  });

  test('are not listed again while nothing changes, and a denial of another window still counts at once', async () => {
    const [store, other] = [open(), open()];
    await store.put(decisionOf('a'));
    let now = performance.now();
    mock.method(performance, 'now', () => now);
    const list = mock.method(fs, 'readdirSync');
    const look = mock.method(fs, 'statSync');
    syncBuiltinESMExports();
    try {
      store.refresh();
      now += 2001;
      store.refresh();
      list.mock.resetCalls();
      look.mock.resetCalls();
      store.refresh();
      store.refresh('none');
      store.refresh('a');
      assert.equal(list.mock.callCount(), 0);
      assert.equal(look.mock.callCount(), 3);
      await other.put(decisionOf('b', 'deny'));
      store.refresh('b');
      assert.equal(answerOf(store.get('b')), 'deny');
      write(nameOf('a'), decisionOf('a', 'deny'));
      store.refresh('a');
      assert.equal(answerOf(store.get('a')), 'deny');
    } finally {
      mock.restoreAll();
      syncBuiltinESMExports();
    }
  });

  test('are read once for a request in one turn, and again for another request, and in the next turn', async () => {
    const store = open();
    await store.put(decisionOf('other'));
    const [a, b, later] = [nameOf('a'), nameOf('b'), nameOf('later')];
    write(a, decisionOf('a'));
    write(b, decisionOf('b'));
    const answers = (): readonly unknown[] => ['a', 'b', 'later'].map((key) => answerOf(store.get(key)));
    let changes = 0;
    store.onDidChange(() => (changes += 1));
    const now = performance.now();
    mock.method(performance, 'now', () => now);
    try {
      const request = {};
      store.refreshFor(request, 'a');
      assert.deepEqual(answers(), ['allow', 'allow', undefined]);
      await Promise.resolve();
      assert.equal(changes, 1);
      write(a, decisionOf('a', 'deny'));
      write(b, decisionOf('b', 'deny'));
      write(later, decisionOf('later', 'deny'));
      store.refreshFor(request, 'a');
      assert.deepEqual(answers(), ['allow', 'allow', undefined], 'it has read them in this turn');
      await Promise.resolve();
      assert.equal(changes, 1);
      store.refreshFor(request, 'a', 'b');
      assert.deepEqual(answers(), ['allow', 'deny', undefined], 'a key that it had not asked for');
      await Promise.resolve();
      assert.equal(changes, 2);
      write(b, decisionOf('b'));
      store.refreshFor(request, 'b');
      assert.deepEqual(answers(), ['allow', 'deny', undefined], 'which counts as read, too');
      store.refreshFor({}, 'a');
      assert.deepEqual(answers(), ['deny', 'deny', 'deny']);
      await new Promise(setImmediate);
      store.refreshFor(request, 'b');
      assert.deepEqual(answers(), ['deny', 'allow', 'deny']);
    } finally {
      mock.restoreAll();
    }
  });

  test('say so when they cannot be kept', async () => {
    writeFileSync(folder, 'a file');
    const store = open();
    await assert.rejects(store.put(decisionOf('a')));
    assert.equal(store.get('a'), undefined);
    await rm(folder);
    await store.put(decisionOf('a'));
    assert.equal(answerOf(open().get('a')), 'allow', 'the next one is not lost with it');
  });

  test('ignore other files', async () => {
    const store = open();
    await store.put(decisionOf('a'));
    writeFileSync(path.join(folder, 'half.tmp'), '{');
    writeFileSync(path.join(folder, 'readme.txt'), '');
    const [name = ''] = files();
    for (const ending of ['.half.tmp', '.bak', 'x', '.unreadable.old']) {
      writeFileSync(path.join(folder, `${name}${ending}`), 'broken');
    }
    const left = path.join(folder, 'left.tmp');
    writeFileSync(left, '');
    utimesSync(left, 1, 1);
    store.refresh();
    assert.equal(store.isUnreadable('a'), false);
    assert.equal(open().all().length, 1);
    assert.ok(!files().includes('left.tmp'), 'it was left by a window that was killed');
    assert.ok(files().includes('half.tmp'), 'it may be written now');
  });
});
