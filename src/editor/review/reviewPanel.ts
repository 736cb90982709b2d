import * as vscode from 'vscode';
import type { Disposable } from '../../base/lifetime/disposable.ts';
import { ReviewSession, type ReviewSurface } from '../../host/review/reviewSession.ts';
import type { CardsPort, LiveCards } from '../../host/questions/liveCards.ts';
import type { Question } from '../../host/questions/question.ts';
import type { ServerId } from '../../host/config/serverDefinition.ts';
import { inNotification } from '../messages/plainText.ts';
import { messageOf } from '../../host/errors/hostError.ts';
import { openDefinition } from '../documents/openDefinition.ts';
import { placeText } from '../messages/words.ts';
import { PagePanel } from './pagePanel.ts';
import type { QuestionQueue } from '../../host/questions/questionQueue.ts';

/** Milliseconds for which "Nothing is waiting for you." stands before the panel closes. */
const FAREWELL_MS = 1_200;

/** The editor keeps under this name that you know what sharing a folder means. */
const SHARING_KNOWN = 'mcpHost.sharingKnown';

/** What a panel reports to its opener. */
interface PanelEvents {
  /** It has come into sight. */
  readonly shown: () => void;
  /** It did not report in time that it shows the questions. */
  readonly fail: () => void;
}

/** The panel in which you read and answer what is waiting; it lives as long as its tab. */
export class ReviewPanel implements Disposable {
  readonly #panel: PagePanel;
  readonly #session: ReviewSession;
  #farewell: NodeJS.Timeout | undefined;

  constructor(
    queue: QuestionQueue,
    extensionUri: vscode.Uri,
    cardsIn: (port: CardsPort) => LiveCards,
    { shown, fail }: PanelEvents,
    state: vscode.Memento,
    isBeside: boolean,
  ) {
    this.#panel = new PagePanel(extensionUri, 'review', 'Review Questions', isBeside);
    this.#panel.add({ dispose: () => clearTimeout(this.#farewell) });
    const surface: ReviewSurface = {
      post: (message) => this.#panel.post(message),
      placeOf: ({ origin }) => placeText(origin),
      openDefinition: (definition) => {
        openDefinition(definition.origin, definition.name).then(undefined, (error: unknown) =>
          vscode.window.showErrorMessage(
            inNotification(`The definition could not be opened: ${messageOf(error)}`),
          ),
        );
      },
      copy: (text) => void vscode.env.clipboard.writeText(text),
      get isSharingKnown() {
        return state.get<boolean>(SHARING_KNOWN) === true;
      },
      set isSharingKnown(isKnown) {
        void state.update(SHARING_KNOWN, isKnown);
      },
      finished: () => {
        clearTimeout(this.#farewell);
        this.#farewell = setTimeout(() => {
          if (this.#session.isEmpty) {
            this.dispose();
          }
        }, FAREWELL_MS);
      },
      failed: fail,
    };
    this.#session = new ReviewSession(queue, surface, cardsIn);
    this.#panel.load(this.#session, shown);
  }

  /** False as soon as the tab is closed. */
  get isOpen(): boolean {
    return this.#panel.isOpen;
  }

  /** True when nothing waits, and no card stays. */
  get isEmpty(): boolean {
    return this.#session.isEmpty;
  }

  /** True while the questions are visible. */
  get isVisible(): boolean {
    return this.#panel.isVisible;
  }

  dispose(): void {
    this.#panel.dispose();
  }

  /** Brings the panel to the front; see `ReviewSession.goTo`. */
  reveal(wanted: ServerId | Question | undefined, keepsFocus = false): void {
    this.#panel.reveal(keepsFocus);
    this.#session.goTo(wanted, keepsFocus);
  }

  /** Brings the panel to the front, at a question that no longer waits. */
  revealMissed(question: Question): void {
    this.#panel.reveal();
    this.#session.goToMissed(question);
  }
}
