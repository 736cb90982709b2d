import type { Disposable } from '../../base/lifetime/disposable.ts';
import type { AskingServer } from '../questions/question.ts';
import type { QuestionQueue } from '../questions/questionQueue.ts';
import { scopeText } from './tokens/scopes.ts';
import { signInQuestions, type SignInQuestion } from './signInQuestion.ts';

/** The question about the sign-in of one server, and what you have answered "Not Now" to. */
export class SignInAsking {
  readonly #questions: QuestionQueue;
  readonly #server: () => AskingServer;
  /** Scopes that you refused to grant, as texts. */
  readonly #refused = new Set<string>();
  #question: Disposable | undefined;
  /** You answered "Not Now": you are not asked again until you start the server, or say so. */
  #isDeclined = false;

  constructor(questions: QuestionQueue, server: () => AskingServer) {
    this.#questions = questions;
    this.#server = server;
  }

  hasRefused(scopes: readonly string[]): boolean {
    return this.#refused.has(textOf(scopes));
  }

  /** Asks you, unless you are being asked or answered "Not Now". The second function is called if you refuse. */
  ask(
    { plan, reason }: Pick<SignInQuestion, 'plan' | 'reason'>,
    agreed: () => void,
    refused: () => void,
  ): void {
    if (this.#isDeclined || this.#question) {
      return;
    }
    const question: SignInQuestion = { kind: signInQuestions, server: this.#server(), plan, reason };
    const asked = this.#questions.ask(question, (answer) => {
      this.#question = undefined;
      if (answer === 'signIn') {
        agreed();
      } else if (plan.required) {
        this.#refused.add(textOf(plan.required));
        refused();
      } else {
        this.#isDeclined = true;
      }
    });
    // It may have been answered at once.
    this.#question = this.#questions.questions.includes(question) ? asked : undefined;
  }

  withdraw(): void {
    this.#question?.dispose();
    this.#question = undefined;
  }

  /** You may be asked again, whatever you answered. */
  forget(): void {
    this.forgetDeclined();
    this.forgetRefused();
  }

  /** You may be asked again for a first sign-in. */
  forgetDeclined(): void {
    this.#isDeclined = false;
  }

  /** You may be asked again for permissions. */
  forgetRefused(): void {
    this.#refused.clear();
  }
}

function textOf(scopes: readonly string[]): string {
  return scopeText([...scopes].sort()) ?? '';
}
