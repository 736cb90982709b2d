import type { Disposable } from '../../base/disposable.ts';
import type { ServerDefinition } from '../config/serverDefinition.ts';
import { isActive } from '../connection/state/connectionState.ts';
import type { ServerConnection } from '../connection/serverConnection.ts';
import type { HostPorts } from './hostPorts.ts';
import type { ResolvedLaunch } from '../launch/resolvedLaunch.ts';
import type { Answer } from '../decisions/decision.ts';
import type { LaunchAnswer, LaunchQuestion } from '../launch/question/launchQuestion.ts';

/** What the admission of a server asks the host. */
export interface AdmissionContext {
  readonly ports: Pick<HostPorts, 'trust' | 'settings' | 'approval' | 'questions'>;
  /** What would run at this moment. */
  resolve(definition: ServerDefinition): ResolvedLaunch;
  /** What runs, or was to run last. */
  current(): ResolvedLaunch | undefined;
  questionAbout(launch: ResolvedLaunch): LaunchQuestion;
  /** For work that nobody waits for but the end of the host. */
  inBackground(connection: ServerConnection, work: Promise<void>): void;
}

/** The question that waits: `dispose` withdraws it. */
interface AskedLaunch extends Disposable {
  readonly fingerprint: string;
  readonly answerBefore: Answer | undefined;
}

/** Decides when one server may start: by what is configured, by the workspace's trust, by the person. */
export class Admission implements Disposable {
  readonly #connection: ServerConnection;
  readonly #context: AdmissionContext;
  #question: AskedLaunch | undefined;
  #isDisposed = false;

  constructor(connection: ServerConnection, context: AdmissionContext) {
    this.#connection = connection;
    this.#context = context;
  }

  /** Withdraws the question; nothing is started any more. */
  dispose(): void {
    this.#isDisposed = true;
    this.withdraw();
  }

  /** Takes back the question about this launch, if one waits. */
  withdraw(): void {
    this.#question?.dispose();
  }

  /** Starts a server that may start by itself, or says why it does not. */
  admit(): void {
    const { settings } = this.#context.ports;
    if (this.#isDisposed) {
      return;
    }
    if (this.#definition.disabled) {
      this.#connection.hold({ kind: 'disabled' });
    } else if (!(this.#definition.autoStart ?? settings.autoStart)) {
      this.#connection.hold({ kind: 'stopped' });
    } else {
      this.goOn();
    }
  }

  /** Goes on with a server that is wanted: it starts, is denied, or waits for an answer. */
  goOn(): void {
    if (this.#isDisposed) {
      return;
    }
    if (!this.#context.ports.trust.isTrusted) {
      this.#connection.hold({ kind: 'restricted' });
      return;
    }
    const launch = this.#launchNow();
    const answer = this.#context.ports.approval.answerFor(launch);
    if (answer === 'deny') {
      this.withdraw();
      this.#connection.hold({ kind: 'denied' });
    } else if (this.#unlessAsked(launch, answer)) {
      this.withdraw();
      this.#start(launch);
    }
  }

  /** The launch of this moment, if the workspace is trusted and it is allowed; otherwise says so, and asks. */
  launchToStart(): ResolvedLaunch | undefined {
    const { trust, approval } = this.#context.ports;
    if (!trust.isTrusted) {
      this.#connection.hold({ kind: 'restricted' });
      return undefined;
    }
    const launch = this.#launchNow();
    const allowed = this.#unlessAsked(launch, approval.answerFor(launch));
    if (allowed) {
      this.withdraw();
    }
    return allowed;
  }

  /**
   * What was decided, here or in another window, holds at once: also for a server that runs. A question that waits is
   * about what would run now.
   */
  decisionsChanged(): void {
    const { state, logger } = this.#connection;
    const { approval } = this.#context.ports;
    if (isActive(state)) {
      const launch = this.#context.current();
      if (
        state.kind !== 'stopping' &&
        launch &&
        approval.answerFor(launch, { isRunning: true }) !== 'allow'
      ) {
        logger.log('info', 'Its launch is not allowed any more.');
        this.stopAndAdmit();
      }
    } else if (state.kind === 'awaitingApproval' && this.#question) {
      const launch = this.#launchNow();
      const answer = approval.answerFor(launch);
      if (answer === this.#question.answerBefore) {
        this.#unlessAsked(launch, answer);
      } else {
        this.withdraw();
        this.goOn();
      }
    } else if (state.kind === 'denied' && approval.answerFor(this.#launchNow()) !== 'deny') {
      this.admit();
    }
  }

  /** Ends the launch that runs or waits; what holds now decides about the next. */
  stopAndAdmit(): void {
    this.withdraw();
    this.#context.inBackground(
      this.#connection,
      this.#connection.stop().then(() => this.admit()),
    );
  }

  get #definition(): ServerDefinition {
    return this.#connection.definition;
  }

  #launchNow(): ResolvedLaunch {
    return this.#context.resolve(this.#definition);
  }

  /** The launch, if it is allowed; otherwise the person is asked about exactly that one. */
  #unlessAsked(launch: ResolvedLaunch, answer: Answer | undefined): ResolvedLaunch | undefined {
    if (answer === 'allow') {
      return launch;
    }
    this.#connection.hold({ kind: 'awaitingApproval' });
    const { approval } = this.#context.ports;
    if (this.#question?.fingerprint !== approval.fingerprintOf(launch)) {
      this.withdraw();
      this.#question = this.#ask(launch, answer);
    }
    return undefined;
  }

  #ask(launch: ResolvedLaunch, answerBefore: Answer | undefined): AskedLaunch {
    const asked = this.#context.questionAbout(launch);
    const question = this.#context.ports.questions.ask(asked, (answer) => {
      this.#question = undefined;
      this.#context.inBackground(this.#connection, this.#answered(asked, answer));
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
      // While that was written, the server may have been stopped, or become another launch than was asked about.
      if (this.#connection.state.kind === 'awaitingApproval') {
        this.goOn();
      }
    }
  }

  #start(launch: ResolvedLaunch): void {
    // Why it could not start stands in its state and its log.
    this.#connection.start(launch).catch(() => {});
  }
}
