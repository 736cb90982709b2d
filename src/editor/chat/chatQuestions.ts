import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import type { Disposable } from '../../base/lifetime/disposable.ts';
import { callLine, callQuestions, onceAnswers, type CallQuestion } from '../../host/gate/callQuestion.ts';
import type { Question } from '../../host/questions/question.ts';
import type { QuestionQueue } from '../../host/questions/questionQueue.ts';
import { commandTo } from '../commands/commandList.ts';
import { registerCommand } from '../commands/commands.ts';
import { appendWords } from '../messages/plainText.ts';
import type { Review } from '../review/review.ts';

/** Milliseconds after a question has appeared in which no click counts: it was meant for what was there before. */
const QUIET_MS = 500;

interface Shown {
  readonly question: CallQuestion;
  readonly sinceMs: number;
}

/**
 * Shows where you are what a model in chat asks for: a short call of @mcp by buttons in its answer, anything else in the
 * panel beside what you work in, which keeps the focus.
 */
export class ChatQuestions implements Disposable {
  readonly #queue: QuestionQueue;
  readonly #review: Review;
  readonly #seen = new WeakSet<Question>();
  /** The answers of @mcp that wait for a call, the latest last. */
  readonly #waiting: vscode.ChatResponseStream[] = [];
  /** By the key that only the buttons have. */
  readonly #shown = new Map<string, Shown>();
  readonly #subscriptions: readonly Disposable[];

  constructor(queue: QuestionQueue, review: Review) {
    this.#queue = queue;
    this.#review = review;
    this.#subscriptions = [
      queue.onDidChange(() => this.#update()),
      registerCommand('answerCall', (key, answer) => this.#answer(key, answer)),
    ];
  }

  dispose(): void {
    this.#subscriptions.forEach((one) => one.dispose());
  }

  /** Shows in this answer what is asked while `call` runs. */
  async during<T>(stream: vscode.ChatResponseStream, call: () => Thenable<T>): Promise<T> {
    this.#waiting.push(stream);
    try {
      return await call();
    } finally {
      this.#waiting.splice(this.#waiting.indexOf(stream), 1);
    }
  }

  #update(): void {
    const { questions } = this.#queue;
    for (const [key, { question }] of this.#shown) {
      if (!questions.includes(question)) {
        this.#shown.delete(key);
      }
    }
    questions.filter(isOfChat).forEach((question) => {
      if (!this.#seen.has(question)) {
        this.#seen.add(question);
        this.#show(question);
      }
    });
  }

  #show(question: CallQuestion): void {
    const { caller } = question;
    // What asks from elsewhere must not look as if the model of this answer asked.
    const stream = caller.kind === 'chat' && caller.isInChat ? this.#waiting.at(-1) : undefined;
    const line = callLine(question);
    if (!stream || line === undefined) {
      this.#review.showBeside(question);
      return;
    }
    const key = randomUUID();
    this.#shown.set(key, { question, sinceMs: performance.now() });
    this.#review.shown(question.server.definition.id);
    const words = new vscode.MarkdownString('\n\n');
    appendWords(words, `Waiting for your answer: ${line}`);
    stream.markdown(words);
    stream.button(commandTo('answerCall', 'Allow', key, 'allow'));
    stream.button(commandTo('answerCall', "Don't Allow", key, 'refuse'));
    stream.button(commandTo('answerCall', 'More…', key, 'review'));
  }

  #answer(key: string, answer: keyof typeof onceAnswers | 'review'): void {
    const shown = this.#shown.get(key);
    if (!shown) {
      void vscode.window.showInformationMessage('This question is over.');
    } else if (answer === 'review') {
      this.#review.review(shown.question);
    } else if (performance.now() - shown.sinceMs >= QUIET_MS && Object.hasOwn(onceAnswers, answer)) {
      this.#queue.answer(shown.question, onceAnswers[answer]);
    }
  }
}

function isOfChat(question: Question): question is CallQuestion {
  return question.kind.name === callQuestions.name && (question as CallQuestion).caller.kind === 'chat';
}
