import type { QuestionQueue } from '../../../src/host/questions/questionQueue.ts';
import { reviewCards } from '../../../src/host/review/reviewCards.ts';
import { ReviewSession } from '../../../src/host/review/reviewSession.ts';
import { MissedRequests } from '../../../src/host/sampling/review/missedRequests.ts';
import { ReviewPanel } from '../../editor/reviewPanel.ts';
import { PanelPage } from './panelPage.ts';

/** A window with a review panel, which can be closed and opened again. */
export class ReviewBed {
  /** What was copied to the clipboard. */
  readonly copied: string[] = [];
  /** Servers whose definitions were opened. */
  readonly opened: string[] = [];
  /** How often nothing was left to answer. */
  finished = 0;
  readonly #queue: QuestionQueue;
  readonly #missed: MissedRequests;
  #panel: PanelPage | undefined;
  #review: ReviewPanel | undefined;
  #session: ReviewSession | undefined;

  constructor(queue: QuestionQueue, missed = new MissedRequests()) {
    this.#queue = queue;
    this.#missed = missed;
  }

  get panel(): PanelPage {
    return opened(this.#panel);
  }

  /** The driver of the panel that is open. */
  get review(): ReviewPanel {
    return opened(this.#review);
  }

  get session(): ReviewSession {
    return opened(this.#session);
  }

  /** Opens the panel, as "Review Questions" does. */
  async open(): Promise<ReviewPanel> {
    const panel = await PanelPage.open('review');
    this.#panel = panel;
    const session = new ReviewSession(
      this.#queue,
      {
        post: (message) => panel.post(message),
        placeOf: () => 'your user settings',
        openDefinition: ({ name }) => this.opened.push(name),
        copy: (text) => this.copied.push(text),
        isSharingKnown: false,
        finished: () => (this.finished += 1),
        failed: () => {
          throw new Error('The panel is not ready.');
        },
      },
      (port) => reviewCards(this.#missed, Date.now, port),
      2 ** 30, // only a defect is never ready
    );
    this.#session = session;
    session.goTo(undefined);
    await panel.show(session);
    this.#review = new ReviewPanel(panel);
    return this.#review;
  }

  /** Closes the panel, which is not an answer. */
  async close(): Promise<void> {
    this.#session?.dispose();
    const panel = this.#panel;
    this.#panel = undefined;
    await panel?.close();
  }
}

function opened<T>(part: T | undefined): T {
  if (part === undefined) {
    throw new Error('No panel is open.');
  }
  return part;
}
