import type { Disposable } from '../../base/disposable.ts';
import type { ServerDefinition } from '../config/serverDefinition.ts';
import { isActive } from '../connection/connectionState.ts';
import type { ServerConnection } from '../connection/serverConnection.ts';
import type { HostPorts } from '../hostPorts.ts';
import type { Answer } from './decision.ts';
import type { LaunchAnswer, LaunchQuestion } from './questionQueue.ts';

/** What the admission of a server asks the host. */
export interface AdmissionContext {
  readonly ports: Pick<HostPorts, 'trust' | 'settings' | 'approval' | 'questions'>;
  /** The question about a launch, as it would be now. */
  questionAbout(definition: ServerDefinition): LaunchQuestion;
  workingDirectoryOf(definition: ServerDefinition): string;
  /** For work that nobody waits for but the end of the host. */
  inBackground(connection: ServerConnection, work: Promise<void>): void;
}

/** The question that waits: `dispose` withdraws it. */
interface AskedLaunch extends Disposable {
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

  /** The gate before every launch: also before one that follows a failure by itself. */
  get isAllowed(): boolean {
    const { trust, approval } = this.#context.ports;
    return trust.isTrusted && this.#answer === 'allow' && approval.needsNoFolders(this.#definition);
  }

  /** Starts a server that may start by itself, or says why it does not. */
  admit(): void {
    const { trust, settings } = this.#context.ports;
    if (this.#isDisposed) {
      return;
    }
    if (this.#definition.disabled) {
      this.#connection.hold({ kind: 'disabled' });
    } else if (!(this.#definition.autoStart ?? settings.autoStart)) {
      this.#connection.hold({ kind: 'stopped' });
    } else if (trust.isTrusted && this.#answer === 'deny') {
      this.#connection.hold({ kind: 'denied' });
    } else if (this.mayStart()) {
      this.#start();
    }
  }

  /** True when the workspace is trusted and this launch allowed; otherwise says so, and asks. */
  mayStart(): boolean {
    if (this.isAllowed) {
      return true;
    }
    if (this.#context.ports.trust.isTrusted) {
      this.#connection.hold({ kind: 'awaitingApproval' });
      this.#question ??= this.#ask();
    } else {
      this.#connection.hold({ kind: 'restricted' });
    }
    return false;
  }

  /** What was decided, here or in another window, holds at once: also for a server that runs. */
  decisionsChanged(): void {
    const { state, logger } = this.#connection;
    const answer = this.#answerFor({ isRunning: isActive(state) });
    if (isActive(state)) {
      if (answer !== 'allow' && state.kind !== 'stopping') {
        logger.log('info', 'Its launch is not allowed any more.');
        this.stopAndAdmit();
      }
    } else if (state.kind === 'awaitingApproval' && this.#question) {
      if (this.isAllowed || answer !== this.#question.answerBefore) {
        this.withdraw();
        this.#admitAsked();
      }
    } else if (state.kind === 'denied' && answer !== 'deny') {
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

  get #answer(): Answer | undefined {
    return this.#answerFor({ isRunning: false });
  }

  #answerFor(moment: { readonly isRunning: boolean }): Answer | undefined {
    const definition = this.#definition;
    const workingDirectory = this.#context.workingDirectoryOf(definition);
    return this.#context.ports.approval.answerFor(definition, workingDirectory, moment);
  }

  #ask(): AskedLaunch {
    const asked = this.#context.questionAbout(this.#definition);
    const question = this.#context.ports.questions.ask(asked, (answer) => {
      this.#question = undefined;
      this.#context.inBackground(this.#connection, this.#answered(asked, answer));
    });
    return {
      answerBefore: this.#answer,
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
        this.#admitAsked();
      }
    }
  }

  /** Goes on with a server that was waiting for an answer, whether or not it starts by itself. */
  #admitAsked(): void {
    if (this.#isDisposed) {
      return;
    }
    if (this.#answer === 'deny') {
      this.withdraw();
      this.#connection.hold({ kind: 'denied' });
    } else if (this.mayStart()) {
      this.withdraw();
      this.#start();
    }
  }

  #start(): void {
    // Why it could not start stands in its state and its log.
    this.#connection.start().catch(() => {});
  }
}
