import type { Disposable } from '../../base/lifetime/disposable.ts';
import type { Event } from '../../base/lifetime/event.ts';
import type { HostSettings } from '../config/settings.ts';
import type { ServerConnection } from '../connection/serverConnection.ts';
import { isActive, type IdleState } from '../state/connectionState.ts';
import type { Answer } from '../decisions/decision.ts';
import type { HostError } from '../errors/hostError.ts';
import type { LaunchApproval } from '../launch/question/launchApproval.ts';
import type { ResolvedLaunch } from '../launch/resolvedLaunch.ts';
import type { LaunchAnswer, LaunchQuestion } from '../launch/question/launchQuestion.ts';
import type { QuestionQueue } from '../questions/questionQueue.ts';

/** Whether you trust the workspace; without that, nothing starts. */
export interface WorkspaceTrust {
  readonly isTrusted: boolean;
  readonly onDidGrant: Event<void>;
}

export interface AdmissionPorts {
  readonly trust: WorkspaceTrust;
  readonly settings: HostSettings;
  readonly approval: LaunchApproval;
  readonly questions: QuestionQueue;
}

interface AdmissionContext {
  readonly ports: AdmissionPorts;
  /** What would run now. */
  resolve(): ResolvedLaunch;
  /** What runs, or the last launch that was to run. */
  current(): ResolvedLaunch | undefined;
  /** Why the editor's settings don't let this launch run; undefined if they do. */
  refusalOf(launch: ResolvedLaunch): HostError | undefined;
  /** The same of `current`, with its inputs. */
  refusalOfCurrent(): HostError | undefined;
  questionAbout(launch: ResolvedLaunch): LaunchQuestion;
  /** Runs work that only the end of the host waits for. */
  inBackground(work: Promise<void>): void;
}

/** The question that waits for your answer; `dispose` withdraws it. */
interface AskedLaunch extends Disposable {
  readonly fingerprint: string;
  readonly answerBefore: Answer | undefined;
}

/** Decides whether one server may start: by its settings, the editor's, the trust in the workspace, and your decisions. */
export class Admission implements Disposable {
  readonly #connection: ServerConnection;
  readonly #context: AdmissionContext;
  #question: AskedLaunch | undefined;
  /** Resolves when your last answer is kept, or can't be. */
  #kept: Promise<unknown> = Promise.resolve();
  #isDisposed = false;

  constructor(connection: ServerConnection, context: AdmissionContext) {
    this.#connection = connection;
    this.#context = context;
  }

  /** Withdraws the question; nothing starts after this. */
  dispose(): void {
    this.#isDisposed = true;
    this.withdraw();
  }

  /** Withdraws the question about the launch, if one waits. */
  withdraw(): void {
    this.#question?.dispose();
  }

  /** Starts a server that may start automatically, or sets the state that says why it does not. */
  admit(): void {
    if (this.#isDisposed) {
      return;
    }
    if (this.#startsAutomatically) {
      this.startIfAllowed();
    } else if (this.#connection.definition.disabled) {
      this.#connection.hold({ kind: 'disabled' });
    } else if (!this.#forbidNow()) {
      this.#connection.hold({ kind: 'stopped' });
    }
  }

  /** Starts a server that should run, or asks you; not if you denied it. */
  startIfAllowed(): void {
    if (this.#isDisposed) {
      return;
    }
    if (!this.#context.ports.trust.isTrusted) {
      this.#connection.hold({ kind: 'restricted' });
      return;
    }
    const launch = this.#context.resolve();
    if (this.#forbid(launch)) {
      return;
    }
    const answer = this.#context.ports.approval.answerFor(launch);
    if (answer === 'deny') {
      this.withdraw();
      this.#connection.hold({ kind: 'denied' });
    } else if (this.#unlessAsked(launch, answer)) {
      this.withdraw();
      this.#start(launch);
    }
  }

  /**
   * The launch, if the workspace is trusted and you have allowed it; otherwise sets the state, and asks you.
   *
   * @throws HostError `forbidden` when the editor's settings don't let it run.
   */
  launchToStart(): ResolvedLaunch | undefined {
    const { trust, approval } = this.#context.ports;
    if (!trust.isTrusted) {
      this.#connection.hold({ kind: 'restricted' });
      return undefined;
    }
    const launch = this.#context.resolve();
    const refusal = this.#forbid(launch);
    if (refusal) {
      throw refusal;
    }
    const allowed = this.#unlessAsked(launch, approval.answerFor(launch));
    if (allowed) {
      this.withdraw();
    }
    return allowed;
  }

  /** Why a start would not run the server now; undefined if it would. Asks you nothing. */
  get hindrance(): IdleState | undefined {
    const { trust, approval } = this.#context.ports;
    if (!trust.isTrusted) {
      return { kind: 'restricted' };
    }
    const launch = this.#context.resolve();
    const reason = this.#context.refusalOf(launch);
    const answer = reason ? undefined : approval.answerFor(launch);
    if (answer === 'allow') {
      return undefined;
    }
    return reason
      ? { kind: 'forbidden', reason }
      : { kind: answer === 'deny' ? 'denied' : 'awaitingApproval' };
  }

  /**
   * Applies your decisions, made here or in another window, at once, even to a running server. A question that waits
   * is replaced if the launch has changed.
   */
  decisionsChanged(): void {
    const { state, logger } = this.#connection;
    const { approval } = this.#context.ports;
    if (isActive(state)) {
      const launch = this.#context.current();
      if (state.kind === 'stopping' || !launch) {
        return;
      }
      const refusal = this.#context.refusalOfCurrent();
      if (refusal || approval.answerFor(launch, { isRunning: true }) !== 'allow') {
        logger.log(
          'info',
          refusal ? `No longer allowed: ${refusal.message}.` : 'Its launch is no longer allowed.',
        );
        this.stopAndAdmit();
      }
    } else if (state.kind === 'awaitingApproval' && this.#question) {
      const launch = this.#context.resolve();
      const answer = approval.answerFor(launch);
      if (answer === this.#question.answerBefore) {
        this.#unlessAsked(launch, answer);
      } else {
        this.withdraw();
        this.startIfAllowed();
      }
    } else if (state.kind === 'denied' && approval.answerFor(this.#context.resolve()) !== 'deny') {
      this.admit();
    } else if (state.kind === 'forbidden' && !this.#forbidNow()) {
      this.admit();
    }
  }

  /** Applies changed settings of the editor at once, even to a running server. */
  rulesChanged(): void {
    const { state } = this.#connection;
    if (isActive(state) || state.kind === 'forbidden') {
      this.decisionsChanged();
    } else if (state.kind !== 'disabled') {
      this.#forbidNow();
    }
  }

  /** Stops the server, and starts it again if that is still allowed. What must be asked is asked before it has stopped. */
  stopAndAdmit(): void {
    const { trust, approval, questions } = this.#context.ports;
    const stopped = this.#connection.stop();
    questions.inOneChange(() => {
      this.withdraw();
      const launch = this.#startsAutomatically && trust.isTrusted ? this.#context.resolve() : undefined;
      if (launch && !this.#context.refusalOf(launch) && approval.answerFor(launch) === undefined) {
        this.#question = this.#ask(launch, undefined);
      }
    });
    this.#context.inBackground(
      stopped.then(async () => {
        await this.#kept;
        this.admit();
      }),
    );
  }

  get #startsAutomatically(): boolean {
    const { disabled, autoStart = this.#context.ports.settings.autoStart } = this.#connection.definition;
    return !disabled && autoStart;
  }

  /** Sets the state of a server that the editor's settings don't let run as it would now; returns the reason. */
  #forbidNow(): HostError | undefined {
    return this.#context.ports.trust.isTrusted ? this.#forbid(this.#context.resolve()) : undefined;
  }

  #forbid(launch: ResolvedLaunch): HostError | undefined {
    const reason = this.#context.refusalOf(launch);
    if (reason) {
      this.withdraw();
      this.#connection.hold({ kind: 'forbidden', reason });
    }
    return reason;
  }

  /** The launch, if it is allowed; otherwise asks you about exactly this launch. */
  #unlessAsked(launch: ResolvedLaunch, answer: Answer | undefined): ResolvedLaunch | undefined {
    if (answer === 'allow') {
      return launch;
    }
    this.#connection.hold({ kind: 'awaitingApproval' });
    const { approval, questions } = this.#context.ports;
    if (this.#question?.fingerprint !== approval.fingerprintOf(launch)) {
      questions.inOneChange(() => {
        this.withdraw();
        this.#question = this.#ask(launch, answer);
      });
    }
    return undefined;
  }

  #ask(launch: ResolvedLaunch, answerBefore: Answer | undefined): AskedLaunch {
    const asked = this.#context.questionAbout(launch);
    const question = this.#context.ports.questions.ask(asked, (answer) => {
      this.#question = undefined;
      const kept = this.#answered(asked, answer);
      this.#kept = Promise.allSettled([kept]);
      this.#context.inBackground(kept);
    });
    return {
      fingerprint: this.#context.ports.approval.fingerprintOf(launch),
      answerBefore,
      dispose: () => {
        this.#question = undefined;
        question.dispose();
      },
    };
  }

  async #answered(asked: LaunchQuestion, answer: LaunchAnswer): Promise<void> {
    try {
      await this.#context.ports.approval.record(asked, answer);
    } finally {
      // In the meantime, the server may have been stopped, or its launch may have changed.
      if (this.#connection.state.kind === 'awaitingApproval') {
        this.startIfAllowed();
      }
    }
  }

  #start(launch: ResolvedLaunch): void {
    // The state and the log say why it could not start.
    this.#connection.start(launch).catch(() => {});
  }
}
