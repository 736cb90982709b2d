import assert from 'node:assert/strict';
import type { ServerDefinition } from '../../../../src/host/config/serverDefinition.ts';
import type { ServerConnection } from '../../../../src/host/connection/serverConnection.ts';
import { isActive, type ConnectionState } from '../../../../src/host/state/connectionState.ts';
import type { Answer } from '../../../../src/host/decisions/decision.ts';
import { HostError } from '../../../../src/host/errors/hostError.ts';
import { fingerprintOf } from '../../../../src/host/launch/fingerprint.ts';
import type { LaunchApproval } from '../../../../src/host/launch/question/launchApproval.ts';
import {
  launchQuestions,
  type LaunchAnswer,
  type LaunchQuestion,
} from '../../../../src/host/launch/question/launchQuestion.ts';
import type { ResolvedLaunch } from '../../../../src/host/launch/resolvedLaunch.ts';
import { QuestionQueue } from '../../../../src/host/questions/questionQueue.ts';
import { Admission } from '../../../../src/host/servers/admission.ts';
import { stdioServer } from '../../support/definitions.ts';
import { launchOf } from '../../support/launches.ts';
import { ofKind } from '../../support/questions.ts';
import { RecordingLogger } from '../../support/recordingLogger.ts';

const running: ConnectionState = { kind: 'running', run: 1, era: 'legacy', revision: '2025-11-25' };
const one = launchOf(stdioServer(['one']));
const other = launchOf(stdioServer(['other']));
const allowed = { answer: 'allow', roots: [] } as const;

/** A server without a process, which starts and stops at once. */
class FakeServer {
  definition: ServerDefinition = one.definition;
  state: ConnectionState = { kind: 'stopped' };
  readonly logger = new RecordingLogger();
  readonly started: ResolvedLaunch[] = [];
  startFails = false;
  /** What each stop waits for. */
  stopped: Promise<void> = Promise.resolve();
  stops = 0;

  hold(state: ConnectionState): void {
    this.state = isActive(this.state) ? this.state : state;
  }

  start(launch: ResolvedLaunch): Promise<void> {
    this.started.push(launch);
    this.state = running;
    return this.startFails ? Promise.reject(new Error('no such command')) : Promise.resolve();
  }

  async stop(): Promise<void> {
    this.stops += 1;
    this.state = { kind: 'stopping' };
    await this.stopped;
    this.state = { kind: 'stopped' };
  }
}

/** What one admission decides by, in the test's hands. */
class Bed {
  isTrusted = true;
  autoStart = true;
  /** What would run now. */
  launch = one;
  /** What runs. */
  current: ResolvedLaunch | undefined;
  readonly answers = new Map<ResolvedLaunch, Answer>();
  /** A file that you have watched has changed since the launch was allowed. */
  hasFileChanged = false;
  /** Launches that the editor's settings don't let run. */
  readonly forbidden = new Map<ResolvedLaunch, HostError>();
  /** What each answer waits for before it is kept. */
  kept: Promise<void> = Promise.resolve();
  readonly server = new FakeServer();
  readonly questions = new QuestionQueue();
  readonly asked = new Map<LaunchQuestion, ResolvedLaunch>();
  readonly failures: unknown[] = [];
  readonly admission: Admission;
  #work: Promise<unknown> = Promise.resolve();

  constructor() {
    const trusted = (): boolean => this.isTrusted;
    const autoStart = (): boolean => this.autoStart;
    const none = { onDidChange: () => ({ dispose: () => undefined }) };
    this.admission = new Admission(this.server as unknown as ServerConnection, {
      ports: {
        trust: {
          get isTrusted() {
            return trusted();
          },
          onDidGrant: none.onDidChange,
        },
        settings: {
          get autoStart() {
            return autoStart();
          },
          rootsDefault: 'ask',
          requestTimeout: () => 60_000,
          onDidChange: none.onDidChange,
        },
        approval: {
          fingerprintOf: (launch: ResolvedLaunch) => fingerprintOf(launch),
          answerFor: (launch: ResolvedLaunch, { isRunning = false } = {}) =>
            this.hasFileChanged && !isRunning ? undefined : this.answers.get(launch),
          record: (question: LaunchQuestion, answer: LaunchAnswer) => this.#record(question, answer),
        } as unknown as LaunchApproval,
        questions: this.questions,
      },
      resolve: () => this.launch,
      current: () => this.current,
      refusalOf: (launch) => this.forbidden.get(launch),
      refusalOfCurrent: () => this.current && this.forbidden.get(this.current),
      questionAbout: (launch) => this.#questionAbout(launch),
      inBackground: (work) => {
        const done = work.catch((error: unknown) => this.failures.push(error));
        this.#work = Promise.all([this.#work, done]);
      },
    });
  }

  /** The launches that you are asked about. */
  get waiting(): readonly (ResolvedLaunch | undefined)[] {
    return ofKind(this.questions.questions, launchQuestions).map((question) => this.asked.get(question));
  }

  answer(answer: LaunchAnswer): void {
    const [question] = ofKind(this.questions.questions, launchQuestions);
    assert.ok(question && this.questions.answer(question, answer));
  }

  /** Runs the server with this launch. */
  run(launch: ResolvedLaunch): void {
    this.answers.set(launch, 'allow');
    this.current = launch;
    this.server.state = running;
  }

  /** Resolved when everything in the background has ended. */
  async settled(): Promise<void> {
    for (let work; work !== this.#work;) {
      work = this.#work;
      await work;
    }
  }

  async #record(question: LaunchQuestion, { answer }: LaunchAnswer): Promise<void> {
    await this.kept;
    this.answers.set(this.asked.get(question) ?? assert.fail('it was not asked'), answer);
  }

  #questionAbout(launch: ResolvedLaunch): LaunchQuestion {
    const question = {
      kind: launchQuestions,
      definition: launch.definition,
      label: 'server',
      workingDirectory: launch.workingDirectory,
      warnings: [],
      notes: [],
      changes: [],
      folders: [],
    };
    this.asked.set(question, launch);
    return question;
  }
}

suite('Whether a server starts', () => {
  let bed: Bed;
  setup(() => {
    bed = new Bed();
  });

  /** What is left of it all: the state, what has started, and what you are asked about. */
  const seen = (): unknown => [bed.server.state.kind, bed.server.started, bed.waiting];

  suite('automatically', () => {
    const rows: [string, Partial<Pick<Bed, 'isTrusted' | 'autoStart'>>, Partial<ServerDefinition>, string][] =
      [
        ['it is disabled', {}, { disabled: true, autoStart: true }, 'disabled'],
        [
          'it is disabled in a workspace that is not trusted',
          { isTrusted: false },
          { disabled: true },
          'disabled',
        ],
        ['your settings start none', { autoStart: false }, {}, 'stopped'],
        ['its definition says so', {}, { autoStart: false }, 'stopped'],
        ['the workspace is not trusted', { isTrusted: false }, {}, 'restricted'],
      ];
    for (const [what, ports, definition, state] of rows) {
      test(`it does not, and you are not asked, where ${what}`, () => {
        Object.assign(bed, ports);
        bed.server.definition = { ...one.definition, ...definition } as ServerDefinition;
        bed.answers.set(one, 'allow');
        bed.admission.admit();
        assert.deepEqual(seen(), [state, [], []]);
        bed.answers.clear();
        bed.admission.admit();
        assert.deepEqual(seen(), [state, [], []]);
      });
    }

    test('it does where you allowed it, also where only its definition says that it starts', () => {
      bed.autoStart = false;
      bed.server.definition = { ...one.definition, autoStart: true };
      bed.answers.set(one, 'allow');
      bed.admission.admit();
      assert.deepEqual(seen(), ['running', [one], []]);
    });

    test('it does not where you denied it', () => {
      bed.answers.set(one, 'deny');
      bed.admission.admit();
      assert.deepEqual(seen(), ['denied', [], []]);
    });

    test('you are asked once where you have not answered', () => {
      bed.admission.admit();
      bed.admission.admit();
      assert.deepEqual(seen(), ['awaitingApproval', [], [one]]);
    });

    for (const [answer, state] of [
      ['allow', 'running'],
      ['deny', 'denied'],
    ] as const) {
      test(`you are no longer asked where it would start as something else, which has its answer: ${answer}`, () => {
        bed.admission.admit();
        bed.launch = other;
        bed.answers.set(other, answer);
        bed.admission.admit();
        assert.deepEqual(seen(), [state, answer === 'allow' ? [other] : [], []]);
      });
    }

    test('its start can fail, which its state says', async () => {
      bed.answers.set(one, 'allow');
      bed.server.startFails = true;
      bed.admission.admit();
      await new Promise((resolve) => setImmediate(resolve));
      assert.deepEqual(bed.server.started, [one]);
    });
  });

  suite('because you asked for it', () => {
    test('it does not in a workspace that is not trusted', () => {
      bed.isTrusted = false;
      bed.answers.set(one, 'allow');
      assert.equal(bed.admission.launchToStart(), undefined);
      assert.deepEqual(seen(), ['restricted', [], []]);
    });

    test('you are asked where you denied it, or have not answered', () => {
      for (const answer of ['deny', undefined] as const) {
        bed = new Bed();
        bed.server.definition = { ...one.definition, disabled: true };
        if (answer) {
          bed.answers.set(one, answer);
        }
        assert.equal(bed.admission.launchToStart(), undefined);
        assert.deepEqual(seen(), ['awaitingApproval', [], [one]]);
      }
    });

    test('it starts as it was allowed, and you are no longer asked about another launch', () => {
      bed.admission.admit();
      bed.launch = other;
      bed.answers.set(other, 'allow');
      assert.equal(bed.admission.launchToStart(), other);
      assert.deepEqual(bed.waiting, []);
    });
  });

  suite('that the settings of the editor forbid', () => {
    const refusal = new HostError('forbidden', 'the setting chat.mcp.access turns off MCP servers');
    setup(() => {
      bed.forbidden.set(one, refusal);
      bed.answers.set(one, 'allow');
    });

    test('it does not, and you are not asked, whether or not you allowed it', () => {
      for (const answer of ['allow', 'deny', undefined] as const) {
        bed.answers.clear();
        if (answer) {
          bed.answers.set(one, answer);
        }
        bed.admission.admit();
        assert.deepEqual(bed.server.state, { kind: 'forbidden', reason: refusal });
        assert.throws(() => bed.admission.launchToStart(), refusal);
        assert.deepEqual(seen(), ['forbidden', [], []]);
      }
    });

    test('its row says so also where it does not start automatically, but not where it is disabled', () => {
      bed.autoStart = false;
      bed.admission.admit();
      assert.deepEqual(seen(), ['forbidden', [], []]);
      bed.server.definition = { ...one.definition, disabled: true };
      bed.admission.admit();
      bed.admission.rulesChanged();
      assert.deepEqual(seen(), ['disabled', [], []]);
    });

    test('it does not read what would run in a workspace that is not trusted', () => {
      bed.isTrusted = false;
      bed.admission.admit();
      bed.admission.rulesChanged();
      assert.deepEqual(seen(), ['restricted', [], []]);
    });

    for (const change of ['rulesChanged', 'decisionsChanged'] as const) {
      test(`one that runs stops, and starts when it may again (${change})`, async () => {
        bed.run(one);
        bed.admission[change]();
        await bed.settled();
        assert.deepEqual(seen(), ['forbidden', [], []]);
        assert.ok(bed.server.logger.has(`info: No longer allowed: ${refusal.message}.`));
        bed.forbidden.clear();
        bed.admission[change]();
        assert.deepEqual(seen(), ['running', [one], []]);
      });
    }

    test('one that runs stops without a question about what it would start as', async () => {
      bed.run(one);
      bed.launch = other;
      bed.forbidden.set(other, refusal);
      bed.admission.rulesChanged();
      assert.deepEqual(bed.waiting, []);
      await bed.settled();
      assert.deepEqual(seen(), ['forbidden', [], []]);
    });

    test('a question about it is withdrawn, and asked again when it may run', () => {
      bed.answers.clear();
      bed.forbidden.clear();
      bed.admission.admit();
      bed.forbidden.set(one, refusal);
      bed.admission.rulesChanged();
      assert.deepEqual(seen(), ['forbidden', [], []]);
      bed.forbidden.clear();
      bed.admission.rulesChanged();
      assert.deepEqual(seen(), ['awaitingApproval', [], [one]]);
    });

    test('one that you stopped shows it, and its reason changes with the settings', () => {
      bed.admission.rulesChanged();
      assert.deepEqual(bed.server.state, { kind: 'forbidden', reason: refusal });
      const reason = new HostError('forbidden', 'the setting chat.mcp.deniedServers has an entry for it');
      bed.forbidden.set(one, reason);
      bed.admission.rulesChanged();
      assert.deepEqual(bed.server.state, { kind: 'forbidden', reason });
    });
  });

  suite('with your answer', () => {
    setup(() => bed.admission.admit());

    test('it does when you allow it', async () => {
      bed.answer(allowed);
      assert.deepEqual(seen(), ['awaitingApproval', [], []], 'nothing starts before the answer is kept');
      await bed.settled();
      assert.deepEqual(seen(), ['running', [one], []]);
    });

    test('it does not when you deny it', async () => {
      bed.answer({ answer: 'deny' });
      await bed.settled();
      assert.deepEqual(seen(), ['denied', [], []]);
    });

    test('it does not when it was stopped while the answer is kept', async () => {
      bed.answer(allowed);
      bed.server.state = { kind: 'stopped' };
      await bed.settled();
      assert.deepEqual(seen(), ['stopped', [], []]);
    });

    test('it does not as something else: you are asked about what its launch has become', async () => {
      bed.answer(allowed);
      bed.launch = other;
      await bed.settled();
      assert.deepEqual(seen(), ['awaitingApproval', [], [other]]);
    });

    test('it does not when the answer cannot be kept: you are asked again', async () => {
      bed.kept = Promise.reject(new Error('the disk is full'));
      bed.answer(allowed);
      await bed.settled();
      assert.deepEqual(seen(), ['awaitingApproval', [], [one]]);
      assert.match(String(bed.failures), /the disk is full/);
    });

    test('it does not when it was removed while the answer is kept', async () => {
      bed.answer(allowed);
      bed.admission.dispose();
      await bed.settled();
      assert.deepEqual(seen(), ['awaitingApproval', [], []]);
    });
  });

  suite('after a decision elsewhere', () => {
    test('one that runs and is still allowed goes on', async () => {
      bed.run(one);
      bed.admission.decisionsChanged();
      await bed.settled();
      assert.deepEqual(seen(), ['running', [], []]);
      assert.equal(bed.server.stops, 0);
    });

    test('one that runs goes on where a file has changed that its next start asks about', async () => {
      bed.run(one);
      bed.hasFileChanged = true;
      bed.admission.decisionsChanged();
      await bed.settled();
      assert.equal(bed.server.stops, 0);
    });

    for (const answer of ['deny', undefined] as const) {
      test(`one that runs stops where its launch is ${answer ? 'denied' : 'no longer allowed'}`, async () => {
        bed.run(one);
        bed.answers.clear();
        if (answer) {
          bed.answers.set(one, answer);
        }
        bed.admission.decisionsChanged();
        await bed.settled();
        assert.equal(bed.server.stops, 1);
        assert.deepEqual(seen(), answer ? ['denied', [], []] : ['awaitingApproval', [], [one]]);
        assert.ok(bed.server.logger.has('info: Its launch is no longer allowed.'));
      });
    }

    test('one that runs stops where what runs is no longer allowed, and starts as what is', async () => {
      bed.run(one);
      bed.answers.clear();
      bed.answers.set(other, 'allow');
      bed.launch = other;
      bed.admission.decisionsChanged();
      await bed.settled();
      assert.deepEqual(seen(), ['running', [other], []]);
    });

    test('one that stops already, or has no launch yet, is left alone', async () => {
      bed.server.state = { kind: 'starting' };
      bed.admission.decisionsChanged();
      bed.run(one);
      bed.answers.clear();
      bed.server.state = { kind: 'stopping' };
      bed.admission.decisionsChanged();
      await bed.settled();
      assert.equal(bed.server.stops, 0);
    });

    test('a question stays as long as its launch does, and is replaced with it', () => {
      bed.admission.admit();
      const [before] = bed.questions.questions;
      bed.admission.decisionsChanged();
      assert.equal(bed.questions.questions[0], before);
      bed.launch = other;
      bed.admission.decisionsChanged();
      assert.deepEqual(seen(), ['awaitingApproval', [], [other]]);
    });

    test('a question about what was denied, and no longer is, is withdrawn when it is denied again', () => {
      bed.answers.set(one, 'deny');
      bed.admission.launchToStart();
      bed.answers.clear();
      bed.admission.decisionsChanged();
      assert.deepEqual(seen(), ['awaitingApproval', [], [one]]);
      bed.answers.set(one, 'deny');
      bed.admission.decisionsChanged();
      assert.deepEqual(seen(), ['denied', [], []]);
    });

    test('a question about what you denied stays until that is allowed', () => {
      bed.answers.set(one, 'deny');
      bed.admission.launchToStart();
      bed.admission.decisionsChanged();
      assert.deepEqual(seen(), ['awaitingApproval', [], [one]]);
      bed.answers.set(one, 'allow');
      bed.admission.decisionsChanged();
      assert.deepEqual(seen(), ['running', [one], []]);
    });

    for (const [answer, state] of [
      ['allow', 'running'],
      ['deny', 'denied'],
    ] as const) {
      test(`a question that another window answers is withdrawn: ${answer}`, () => {
        bed.admission.admit();
        bed.answers.set(one, answer);
        bed.admission.decisionsChanged();
        assert.deepEqual(seen(), [state, answer === 'allow' ? [one] : [], []]);
      });
    }

    test('nothing is asked a second time while an answer is kept', async () => {
      bed.admission.admit();
      bed.answer(allowed);
      bed.admission.decisionsChanged();
      assert.deepEqual(seen(), ['awaitingApproval', [], []]);
      await bed.settled();
      assert.deepEqual(seen(), ['running', [one], []]);
    });

    test('one that you denied stays so until that is taken back, and then starts only if it may', () => {
      bed.answers.set(one, 'deny');
      bed.admission.admit();
      bed.admission.decisionsChanged();
      assert.deepEqual(seen(), ['denied', [], []]);
      bed.answers.clear();
      bed.admission.decisionsChanged();
      assert.deepEqual(seen(), ['awaitingApproval', [], [one]]);
      bed = new Bed();
      bed.answers.set(one, 'deny');
      bed.admission.admit();
      bed.autoStart = false;
      bed.admission.decisionsChanged();
      assert.deepEqual(seen(), ['denied', [], []]);
      bed.answers.set(one, 'allow');
      bed.admission.decisionsChanged();
      assert.deepEqual(seen(), ['stopped', [], []]);
    });

    test('one that you stopped stays stopped', () => {
      bed.answers.set(one, 'allow');
      bed.admission.decisionsChanged();
      assert.deepEqual(seen(), ['stopped', [], []]);
    });
  });

  suite('after it was stopped for another definition', () => {
    test('it does once it has ended, and you are no longer asked what you were', async () => {
      const ended = Promise.withResolvers<void>();
      bed.admission.admit();
      bed.server.stopped = ended.promise;
      bed.launch = other;
      bed.answers.set(other, 'allow');
      bed.admission.stopAndAdmit();
      assert.deepEqual(seen(), ['stopping', [], []]);
      ended.resolve();
      await bed.settled();
      assert.deepEqual(seen(), ['running', [other], []]);
    });

    test('you are asked in one change before it has ended, and not a second time', async () => {
      const ended = Promise.withResolvers<void>();
      bed.admission.admit();
      bed.server.stopped = ended.promise;
      bed.launch = other;
      let changes = 0;
      bed.questions.onDidChange(() => (changes += 1));
      bed.admission.stopAndAdmit();
      assert.deepEqual(seen(), ['stopping', [], [other]]);
      ended.resolve();
      await bed.settled();
      assert.deepEqual(seen(), ['awaitingApproval', [], [other]]);
      assert.equal(changes, 1);
      bed.answer(allowed);
      await bed.settled();
      assert.deepEqual(seen(), ['running', [other], []]);
    });

    for (const [order, endsFirst] of [
      ['before it has ended', false],
      ['after it has ended', true],
    ] as const) {
      test(`it does with an answer that you give meanwhile, and that is kept ${order}`, async () => {
        const [ended, kept] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
        bed.run(one);
        bed.server.stopped = ended.promise;
        bed.kept = kept.promise;
        bed.launch = other;
        bed.admission.stopAndAdmit();
        bed.answer(allowed);
        for (const step of endsFirst ? [ended, kept] : [kept, ended]) {
          assert.deepEqual([bed.server.started, bed.waiting], [[], []]);
          step.resolve();
          await new Promise((resolve) => setImmediate(resolve));
        }
        await bed.settled();
        assert.deepEqual(seen(), ['running', [other], []]);
      });
    }

    for (const [what, change] of [
      ['the workspace is not trusted', () => (bed.isTrusted = false)],
      ['it does not start automatically', () => (bed.autoStart = false)],
      ['it is disabled', () => (bed.server.definition = { ...one.definition, disabled: true })],
      ['you denied it', () => bed.answers.set(other, 'deny')],
    ] as const) {
      test(`you are not asked before it has ended where ${what}`, async () => {
        bed.run(one);
        bed.launch = other;
        change();
        bed.admission.stopAndAdmit();
        assert.deepEqual(bed.waiting, []);
        await bed.settled();
        assert.deepEqual(bed.waiting, []);
      });
    }

    test('you are asked again about a launch whose question was withdrawn', () => {
      bed.admission.admit();
      bed.admission.withdraw();
      assert.deepEqual(bed.waiting, []);
      bed.admission.startIfAllowed();
      assert.deepEqual(bed.waiting, [one]);
    });

    test('you are no longer asked about it once it is removed', () => {
      bed.admission.admit();
      bed.admission.dispose();
      assert.deepEqual(bed.waiting, []);
    });

    test('it does not, and you are not asked, once it is removed', async () => {
      bed.run(one);
      bed.admission.stopAndAdmit();
      bed.admission.dispose();
      await bed.settled();
      assert.deepEqual(seen(), ['stopped', [], []]);
      bed.server.definition = { ...one.definition, disabled: true };
      bed.admission.admit();
      bed.admission.startIfAllowed();
      assert.deepEqual(seen(), ['stopped', [], []]);
    });
  });
});
