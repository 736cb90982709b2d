import * as vscode from 'vscode';
import { DisposableStore, type Disposable } from '../../base/disposable.ts';
import { launchText } from '../../host/approval/launchText.ts';
import type { Question, QuestionQueue } from '../../host/approval/questionQueue.ts';
import { visibleText } from '../../host/approval/visibleText.ts';
import type { ServerId } from '../../host/config/serverDefinition.ts';
import { inNotification } from '../plainText.ts';
import type { ViewDocuments } from '../documents/viewDocuments.ts';
import { placeText } from '../words.ts';

/** Longer text pushes a modal's buttons off the screen. */
const MODAL_CHARACTERS = 600;
/** Milliseconds for which questions are gathered before they are announced together. */
const GATHER_MS = 300;

/** Announces waiting questions, at most one notification at a time, and asks them when the person says so. */
export class LaunchReview implements Disposable {
  readonly #queue: QuestionQueue;
  readonly #documents: ViewDocuments;
  readonly #store = new DisposableStore();
  readonly #announced = new Set<Question>();
  #isAnnouncing = false;
  #isReviewing = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(queue: QuestionQueue, documents: ViewDocuments) {
    this.#queue = queue;
    this.#documents = documents;
    this.#store.add(queue.onDidChange(() => this.#announceSoon()));
  }

  dispose(): void {
    clearTimeout(this.#timer);
    this.#store.dispose();
  }

  /** Asks what is waiting, one after the other; looking away leaves the rest waiting. */
  async review(id?: ServerId): Promise<void> {
    if (this.#isReviewing) {
      return;
    }
    this.#isReviewing = true;
    try {
      const questions = this.#queue.questions.filter(({ definition }) => !id || definition.id === id);
      for (const question of questions) {
        this.#announced.add(question);
        if (!(await this.#ask(question))) {
          return;
        }
      }
    } finally {
      this.#isReviewing = false;
    }
  }

  async #ask(question: Question): Promise<boolean> {
    const { definition, label, workingDirectory } = question;
    const message = `Start the MCP server '${visibleText(label)}'?`;
    const whole = [
      launchText(definition, workingDirectory),
      `Defined in: ${visibleText(placeText(definition.origin))}`,
    ].join('\n');
    let detail = whole;
    if (message.length + whole.length > MODAL_CHARACTERS) {
      await this.#documents.showText(`${visibleText(label)} launch`, `${message}\n\n${whole}\n`);
      detail = 'The whole launch is too long for this dialog: it is open in the editor behind it.';
    }
    const allow: vscode.MessageItem = { title: 'Allow' };
    const deny: vscode.MessageItem = { title: "Don't Allow" };
    const chosen = await vscode.window.showWarningMessage(message, { modal: true, detail }, allow, deny);
    if (!chosen) {
      return false;
    }
    this.#queue.answer(
      question,
      chosen === allow
        ? { answer: 'allow', roots: question.folders.filter((one) => one.isProposed).map(({ uri }) => uri) }
        : { answer: 'deny' },
    );
    return true;
  }

  #announceSoon(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      void this.#announce();
    }, GATHER_MS);
  }

  async #announce(): Promise<void> {
    const waiting = this.#queue.questions;
    const isNew = waiting.some((question) => !this.#announced.has(question));
    if (!isNew || this.#isAnnouncing || this.#isReviewing) {
      return;
    }
    waiting.forEach((question) => this.#announced.add(question));
    this.#isAnnouncing = true;
    const review = 'Review';
    const text =
      waiting.length === 1
        ? inNotification(`The MCP server '${waiting[0]?.label ?? ''}' is waiting for your decision.`)
        : `${waiting.length} MCP servers are waiting for your decision.`;
    const chosen = await vscode.window.showInformationMessage(text, review, 'Later');
    this.#isAnnouncing = false;
    if (chosen === review) {
      await this.review();
    } else {
      // Meanwhile others may have come.
      this.#announceSoon();
    }
  }
}
