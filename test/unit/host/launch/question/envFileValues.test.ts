import assert from 'node:assert/strict';
import { existsSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type {
  DefinitionOrigin,
  InputDeclaration,
  StdioServerDefinition,
} from '../../../../../src/host/config/serverDefinition.ts';
import type { WorkspaceFolder } from '../../../../../src/host/folders/sharedRoot.ts';
import { valueDecisionKind } from '../../../../../src/host/launch/question/envFileValues.ts';
import { launchQuestions } from '../../../../../src/host/launch/question/launchQuestion.ts';
import { legacyServer, ofUser, serverUrl, stdioServer } from '../../../support/definitions.ts';
import { HostBed } from '../../../support/hostBed.ts';
import { until } from '../../../support/until.ts';

const token: InputDeclaration = { type: 'promptString', id: 'token', password: true };

suite('The values in an envFile', () => {
  let bed: HostBed;
  let folder: WorkspaceFolder;
  let mcpJson: DefinitionOrigin;
  let one: StdioServerDefinition;

  setup(() => {
    bed = new HostBed();
    bed.rootsDefault = 'none';
    folder = { uri: pathToFileURL(inBed('project')).href, name: 'project' };
    mkdirSync(inBed('project'));
    mkdirSync(inBed('elsewhere'));
    mcpJson = { scope: 'folder', format: 'mcpJson', place: `${folder.uri}/.mcp.json`, folder };
    bed.folders = [folder];
    one = legacyServer([], { envFile: '.env', origin: mcpJson });
  });
  teardown(() => bed.close());

  const inBed = (...names: readonly string[]): string => path.join(bed.bed.directory, ...names);
  const write = (text: string, ...names: readonly string[]): void =>
    writeFileSync(inBed(...(names.length > 0 ? names : ['project', '.env'])), text);

  /** Starts it again: it waits for an answer, and says why. */
  async function isAsked(definition: StdioServerDefinition, ...changes: readonly string[]): Promise<void> {
    const before = bed.bed.pids.length;
    await bed.host.restart(definition.id);
    assert.equal(bed.stateOf(definition), 'awaitingApproval');
    assert.deepEqual(bed.launches[0]?.changes, changes);
    assert.equal(bed.bed.pids.length, before, 'nothing has started');
  }

  async function startsUnasked(definition: StdioServerDefinition): Promise<void> {
    await bed.host.restart(definition.id);
    assert.equal(bed.stateOf(definition), 'running');
  }

  async function allow(definition: StdioServerDefinition, values?: readonly string[]): Promise<void> {
    const [question] = bed.launches;
    assert.ok(question);
    bed.questions.answer(question, { answer: 'allow', roots: [], ...(values && { values }) });
    await bed.until(definition, 'running');
  }

  const letChange = () => bed.decisions.allOf(valueDecisionKind).map(({ variable }) => variable);

  test('ask again if a program that no list knows would run by another one', async () => {
    const mark = inBed('attacked');
    for (const [where, does] of [
      ['elsewhere', ''],
      ['project', `writeFileSync(${JSON.stringify(mark)}, '');`],
    ] as const) {
      const code = `import { writeFileSync } from 'node:fs'; ${does} await import(${JSON.stringify(serverUrl('legacyServer'))});`;
      write(code, where, 'server.mjs');
    }
    write(
      `import { pathToFileURL } from 'node:url'; await import(pathToFileURL(process.env.TOOL_HOME + '/server.mjs'));`,
      'runner.mjs',
    );
    const runner = stdioServer([inBed('runner.mjs')], { envFile: '.env', origin: mcpJson });
    write(`TOOL_HOME='${inBed('elsewhere')}'\n`);
    await bed.run(runner);
    write(`TOOL_HOME='${inBed('project')}'\n`);
    await isAsked(runner, 'The value of TOOL_HOME in ".env" has changed.');
    assert.ok(!existsSync(mark), 'the attack has run');
    await allow(runner);
    assert.ok(existsSync(mark), 'the attack would have worked');
  });

  const changes: [string, string, string[]][] = [
    ['changed', 'KEY=two\nLEVEL=3\n', ['The value of KEY in ".env" has changed.']],
    ['added', 'KEY=one\nLEVEL=3\nMORE=x\n', ['New environment variable in ".env": MORE.']],
    ['removed', 'LEVEL=3\n', ['The environment variable in ".env" KEY is gone.']],
    ['empty', 'KEY=\nLEVEL=3\n', ['The value of KEY in ".env" has changed.']],
    [
      'exchanged',
      'KEY=3\nLEVEL=one\n',
      ['The value of KEY in ".env" has changed.', 'The value of LEVEL in ".env" has changed.'],
    ],
  ];
  for (const [what, text, sentences] of changes) {
    test(`ask again when one is ${what}, and once`, async () => {
      write('KEY=one\nLEVEL=3\n');
      await bed.run(one);
      write('# the same\nLEVEL=3\nKEY="one"\n');
      await startsUnasked(one);
      write(text);
      await isAsked(one, ...sentences);
      await allow(one);
      await startsUnasked(one);
    });
  }

  test('that decide what runs are pointed out', async () => {
    write('NPM_CONFIG_PREFIX=/one\n');
    await bed.run(one);
    write('NPM_CONFIG_PREFIX=/two\n');
    await isAsked(
      one,
      'The value of NPM_CONFIG_PREFIX in ".env" has changed: it decides where packages come from.',
    );
  });

  test('are those that are read for this start, and no later ones', async () => {
    const values = ['one', 'one', 'two', 'three'];
    Object.defineProperty(bed, 'envFile', { get: () => ({ KEY: values[bed.envFileReads - 1] }) });
    await bed.run(one);
    await isAsked(one, 'The value of KEY in ".env" has changed.');
    assert.equal(bed.envFileReads, 3);
    bed.answerAll('allow');
    await bed.decisions.settled();
    assert.equal(bed.stateOf(one), 'awaitingApproval', 'what was allowed is not what is there now');
  });

  test('do not stop a server that runs with the old ones', async () => {
    write('KEY=one\n');
    await bed.run(one);
    write('KEY=two\n');
    bed.folders = [folder, { uri: pathToFileURL(inBed('elsewhere')).href, name: 'elsewhere' }];
    assert.equal(bed.stateOf(one), 'running');
  });

  test('count for each server of yours whose file is in an open folder, also by a link', async () => {
    write('KEY=one\n');
    write('KEY=one\n', 'elsewhere', 'shared.env');
    symlinkSync(inBed('project', '.env'), inBed('elsewhere', 'leads-in.env'));
    symlinkSync(inBed('elsewhere', 'shared.env'), inBed('project', 'leads-out.env'));
    const files = [
      inBed('project', '.env'),
      inBed('elsewhere', 'leads-in.env'),
      inBed('project', 'leads-out.env'),
    ];
    const servers = files.map((envFile, index) => legacyServer([], { name: `server-${index}`, envFile }));
    await bed.run(...servers);
    write('KEY=two\n');
    write('KEY=two\n', 'elsewhere', 'shared.env');
    for (const [index, server] of servers.entries()) {
      await isAsked(server, `The value of KEY in ${JSON.stringify(files[index])} has changed.`);
      await allow(server);
    }
  });

  test('count when the folder itself is opened by a link', async () => {
    symlinkSync(inBed('project'), inBed('linked'));
    bed.folders = [{ uri: pathToFileURL(inBed('linked')).href, name: 'linked' }];
    const mine = legacyServer([], { envFile: inBed('project', '.env') });
    write('KEY=one\n');
    await bed.run(mine);
    write('KEY=two\n');
    await bed.host.restart(mine.id);
    assert.equal(bed.stateOf(mine), 'awaitingApproval');
  });

  test('outside of all folders count only where they decide what runs', async () => {
    const mine = legacyServer([], { envFile: inBed('elsewhere', '.env') });
    write('KEY=one\nNO_PROXY=a\n', 'elsewhere', '.env');
    await bed.run(mine);
    write('KEY=two\nNO_PROXY=a\n', 'elsewhere', '.env');
    await startsUnasked(mine);
    write('KEY=three\nNO_PROXY=b\n', 'elsewhere', '.env');
    await bed.host.restart(mine.id);
    assert.equal(bed.stateOf(mine), 'awaitingApproval');
    assert.deepEqual(bed.launches[0]?.notes, []);
    assert.deepEqual(bed.launches[0]?.values, undefined);
  });

  test('that were allowed elsewhere are compared as soon as their folder is open', async () => {
    const mine = legacyServer([], { envFile: inBed('project', '.env') });
    bed.folders = [];
    write('KEY=one\n');
    await bed.run(mine);
    bed.folders = [folder];
    await startsUnasked(mine);
    write('KEY=two\n');
    await bed.host.restart(mine.id);
    assert.equal(bed.stateOf(mine), 'awaitingApproval');
  });

  test('behind a path with an input in it are compared before each start', async () => {
    bed.inputs.set('token', inBed('project', '.env'));
    const named = legacyServer([], { envFile: '${input:token}', inputs: [token], autoStart: false });
    write('KEY=one\n');
    bed.configure([named]);
    await bed.host.start(named.id);
    await allowUntilRunning(named);
    await startsUnasked(named);
    write('KEY=two\n');
    await assert.rejects(bed.host.restart(named.id), { code: 'notAllowed' });
    await bed.until(named, 'awaitingApproval');
    assert.deepEqual(bed.launches[0]?.changes, ['The value of KEY in "${input:token}" has changed.']);
    await allow(named, ['KEY']);
    write('KEY=three\n');
    await startsUnasked(named);
    assert.doesNotMatch(JSON.stringify(bed.decisions.allOf(valueDecisionKind)), /project/);
  });

  test('that change while you are asked for an input are asked about at the next start', async () => {
    bed.inputs.set('token', 'x');
    const named = { ...one, env: { TOKEN: '${input:token}' }, inputs: [token] };
    write('KEY=one\n');
    await bed.run(named);
    bed.inputs.get = () => {
      write('KEY=two\n');
      return 'x';
    };
    await startsUnasked(named);
    await isAsked(named, 'The value of KEY in ".env" has changed.');
  });

  suite('that you let change', () => {
    setup(async () => {
      write('KEY=one\nLEVEL=3\nNODE_OPTIONS=--no-warnings\n');
      await bed.run(one);
      write('KEY=two\nLEVEL=3\nNODE_OPTIONS=--no-warnings\n');
      await isAsked(one, 'The value of KEY in ".env" has changed.');
      assert.deepEqual(bed.launches[0]?.values, ['KEY']);
      await allow(one, ['KEY']);
    });

    test('cause no question, but the others still do', async () => {
      write('KEY=three\nLEVEL=3\nNODE_OPTIONS=--no-warnings\n');
      await startsUnasked(one);
      write('KEY=four\nLEVEL=4\nNODE_OPTIONS=--no-warnings\n');
      await isAsked(one, 'The value of LEVEL in ".env" has changed.');
      assert.deepEqual(bed.launches[0]?.values, ['LEVEL']);
    });

    test('are never those that decide what runs', async () => {
      write('KEY=two\nLEVEL=3\nNODE_OPTIONS=--trace-warnings\n');
      await isAsked(
        one,
        'The value of NODE_OPTIONS in ".env" has changed: it decides which code programs load.',
      );
      const [question] = bed.launches;
      assert.ok(question);
      assert.equal(question.values, undefined);
      const given = { answer: 'allow', roots: [], values: ['NODE_OPTIONS'] };
      assert.equal(launchQuestions.readAnswer(question, given), undefined, 'it was not offered');
    });

    test('still ask once a newer version knows that they decide what runs', async () => {
      const [decision] = bed.decisions.allOf(valueDecisionKind);
      assert.ok(decision);
      const { id: _, ...kept } = decision;
      const variable = 'NODE_OPTIONS';
      const key = bed.decisions.keyOf(valueDecisionKind, one.id, decision.pathHash, variable);
      const later = { ...kept, key, variable };
      await bed.decisions.put(later);
      write('KEY=two\nLEVEL=3\nNODE_OPTIONS=--trace-warnings\n');
      await isAsked(
        one,
        'The value of NODE_OPTIONS in ".env" has changed: it decides which code programs load.',
      );
    });

    test('are those of one server and one file', async () => {
      const other = { ...one, id: 'other', name: 'other' };
      const elsewhere = legacyServer([], { envFile: inBed('project', 'x.env'), origin: ofUser, name: 'x' });
      write('KEY=two\n', 'project', 'x.env');
      await bed.run(one, other, elsewhere);
      write('KEY=three\nLEVEL=3\nNODE_OPTIONS=--no-warnings\n');
      write('KEY=three\n', 'project', 'x.env');
      await startsUnasked(one);
      for (const server of [other, elsewhere]) {
        await bed.host.restart(server.id);
        assert.equal(bed.stateOf(server), 'awaitingApproval');
        await bed.host.stop(server.id);
      }
      const moved = legacyServer([], { envFile: 'x.env', origin: mcpJson });
      bed.configure([moved]);
      await bed.until(moved, 'awaitingApproval');
      await allow(moved);
      write('KEY=four\n', 'project', 'x.env');
      await isAsked(moved, 'The value of KEY in "x.env" has changed.');
    });

    test('are among your decisions, and asked about again when you take that back', async () => {
      const [decision] = bed.decisions.allOf(valueDecisionKind);
      assert.ok(decision);
      const words = bed.decisions.wordsOf(decision);
      assert.equal(words?.what(decision), 'may start when the value of KEY has changed');
      assert.match(words.detail(decision, { uri: String, place: String }), /project.*\.env/);
      write('KEY=three\nLEVEL=3\nNODE_OPTIONS=--no-warnings\n');
      await bed.decisions.forget(decision.id);
      assert.equal(bed.stateOf(one), 'running');
      await isAsked(one, 'The value of KEY in ".env" has changed.');
    });

    test('end when the variable is no longer in the file', async () => {
      write('LEVEL=3\nNODE_OPTIONS=--no-warnings\n');
      await isAsked(one, 'The environment variable in ".env" KEY is gone.');
      await until(() => letChange().length === 0, 'it has ended', bed.decisions.onDidChange);
      write('KEY=evil\nLEVEL=3\nNODE_OPTIONS=--no-warnings\n');
      await bed.host.stop(one.id);
      await bed.host.start(one.id);
      assert.equal(bed.stateOf(one), 'awaitingApproval');
    });

    test('stay while the file cannot be read', async () => {
      rmSync(inBed('project', '.env'));
      await bed.host.restart(one.id);
      assert.match(bed.launches[0]?.changes.join() ?? '', /can no longer be read/);
      write('KEY=three\nLEVEL=3\nNODE_OPTIONS=--no-warnings\n');
      await bed.host.stop(one.id);
      await bed.host.start(one.id);
      assert.equal(bed.stateOf(one), 'running');
    });
  });

  async function allowUntilRunning(definition: StdioServerDefinition): Promise<void> {
    const asked = bed.questions.onDidChange(() => queueMicrotask(() => bed.answerAll('allow')));
    bed.answerAll('allow');
    await bed.until(definition, 'running');
    asked.dispose();
  }
});
