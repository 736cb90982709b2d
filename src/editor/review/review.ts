import * as vscode from 'vscode';
import { DisposableStore, type Disposable } from '../../base/lifetime/disposable.ts';
import type { CardsPort } from '../../host/questions/liveCards.ts';
import { reviewCards } from '../../host/review/reviewCards.ts';
import { announcementText } from '../../host/review/questionWords.ts';
import type { ServerId } from '../../host/config/serverDefinition.ts';
import type { MissedRequests } from '../../host/sampling/review/missedRequests.ts';
import type { ViewDocuments } from '../documents/viewDocuments.ts';
import { inNotification } from '../messages/plainText.ts';
import { AnnouncementToast } from './announcementToast.ts';
import { askInModal } from './modalReview.ts';
import { ReviewPanel } from './reviewPanel.ts';
import { type Question, isAbout } from '../../host/questions/question.ts';
import type { QuestionQueue } from '../../host/questions/questionQueue.ts';
import type { SamplingQuestion } from '../../host/sampling/review/samplingReview.ts';

/** Milliseconds for which questions are gathered before they are announced together. */
const GATHER_MS = 300;

/** Announces waiting questions, at most one notification at a time, and asks them when you say so. */
export class Review implements Disposable {
  readonly #queue: QuestionQueue;
  readonly #documents: ViewDocuments;
  readonly #extensionUri: vscode.Uri;
  readonly #store = new DisposableStore();
  readonly #missed: MissedRequests;
  readonly #state: vscode.Memento;
  readonly #followed = new WeakSet<Question>();
  /** Questions, and steps of them. */
  readonly #announced = new WeakSet<object>();
  #panel: ReviewPanel | undefined;
  readonly #toast = this.#store.add(new AnnouncementToast());
  #isAsking = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(
    queue: QuestionQueue,
    documents: ViewDocuments,
    extensionUri: vscode.Uri,
    missed: MissedRequests,
    state: vscode.Memento,
  ) {
    this.#queue = queue;
    this.#documents = documents;
    this.#extensionUri = extensionUri;
    this.#missed = missed;
    this.#state = state;
    this.#store.add(this.#toast.onDidGo(() => this.#announceSoon()));
    this.#store.add(
      queue.onDidChange(() => {
        queue.questions.forEach((question) => this.#follow(question));
        if (queue.questions.length === 0) {
          this.#toast.hide();
        }
        this.#announceSoon();
      }),
    );
  }

  dispose(): void {
    clearTimeout(this.#timer);
    this.#panel?.dispose();
    this.#store.dispose();
  }

  /** True while the panel is in sight. */
  get isVisible(): boolean {
    return this.#panel?.isVisible === true;
  }

  /** True while the panel shows something to read or to answer, which nothing should cover. */
  get isInUse(): boolean {
    return this.isVisible && this.#panel?.isEmpty === false;
  }

  /** Opens the panel with what is waiting, at that question, or at the one about that server if there is one. */
  review(wanted?: ServerId | Question): void {
    const { questions } = this.#queue;
    if (this.#isAsking) {
      return;
    }
    if (wanted !== undefined && !questions.some((question) => isWanted(question, wanted))) {
      return; // it runs already, or has its answer
    }
    if (questions.length === 0 && this.#panel?.isOpen && !this.#panel.isEmpty) {
      this.#panel.reveal(undefined); // a card has stayed
      return;
    }
    const { last } = this.#missed;
    if (questions.length === 0 && last) {
      this.reviewMissed(last); // what was announced has ended meanwhile
      return;
    }
    if (questions.length === 0) {
      void vscode.window.showInformationMessage('Nothing is waiting for you.');
      return;
    }
    questions.forEach((question) => this.#announced.add(toAnnounce(question)));
    this.#openPanel(wanted).reveal(wanted);
  }

  /** Opens the panel at a question beside what you work in, unless you are using the panel already. */
  showBeside(question: Question): void {
    if (!this.isInUse && !this.#isAsking) {
      this.#announced.add(toAnnounce(question));
      this.#openPanel(question, true).reveal(question, true);
    }
  }

  /** Call when another message has just shown what this server asks: it is not announced as well. */
  shown(id: ServerId): void {
    const { questions } = this.#queue;
    const others = questions.filter((question) => !isAbout(question, id));
    questions
      .filter((question) => isAbout(question, id))
      .forEach((question) => this.#announced.add(toAnnounce(question)));
    if (others.length === 0) {
      this.#toast.hide();
    }
  }

  /** Opens the panel at a request for a model that ended without an answer; says so when it is gone. */
  reviewMissed(question: SamplingQuestion): void {
    if (this.#missed.has(question)) {
      this.#openPanel(question.server.definition.id).revealMissed(question);
    } else {
      void vscode.window.showInformationMessage(
        'The request for a language model is gone. Run the tool again, and the server asks again.',
      );
    }
  }

  #openPanel(wanted: ServerId | Question | undefined, isBeside = false): ReviewPanel {
    if (!this.#panel?.isOpen) {
      const fail = () => void this.#askWithoutPanel(wanted);
      const shown = () => this.#toast.hide();
      const cardsIn = (port: CardsPort) => reviewCards(this.#missed, Date.now, port);
      this.#panel = new ReviewPanel(
        this.#queue,
        this.#extensionUri,
        cardsIn,
        { shown, fail },
        this.#state,
        isBeside,
      );
    }
    return this.#panel;
  }

  /** The panel did not come up: one dialog after the other; closing one leaves the rest waiting. */
  async #askWithoutPanel(wanted: ServerId | Question | undefined): Promise<void> {
    this.#panel?.dispose();
    this.#isAsking = true;
    try {
      for (const question of this.#queue.questions) {
        const isMeant = wanted === undefined || isWanted(question, wanted);
        if (isMeant && !(await askInModal(this.#queue, this.#documents, question))) {
          return;
        }
      }
    } finally {
      this.#isAsking = false;
    }
  }

  /** Announces a question that is asked in steps again at a step that you have not seen. */
  #follow(question: Question): void {
    const { steps } = question.kind;
    if (!steps || this.#followed.has(question)) {
      return;
    }
    this.#followed.add(question);
    // The listener ends with what it listens to.
    steps.changes(question)(() => {
      if (!this.#store.isDisposed && !this.#announced.has(steps.current(question))) {
        this.#announceSoon();
      }
    });
  }

  #announceSoon(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      void this.#announce();
    }, GATHER_MS);
  }

  async #announce(): Promise<void> {
    const waiting = this.#queue.questions;
    const isNew = waiting.some((question) => !this.#announced.has(toAnnounce(question)));
    if (!isNew || this.#isAsking) {
      return;
    }
    if (this.#toast.isUp) {
      return; // when it goes, this comes again
    }
    waiting.forEach((question) => this.#announced.add(toAnnounce(question)));
    if (this.#panel?.isVisible) {
      return; // the panel shows it
    }
    if (await this.#toast.show(inNotification(announcementText(waiting)), 'Review')) {
      this.review();
    }
  }
}

function isWanted(question: Question, wanted: ServerId | Question): boolean {
  return typeof wanted === 'string' ? isAbout(question, wanted) : question === wanted;
}

/** What is announced once: a question, or the step that it is at. */
function toAnnounce(question: Question): object {
  return question.kind.steps?.current(question) ?? question;
}
