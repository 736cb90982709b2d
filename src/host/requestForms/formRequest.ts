import { CancellationError } from '../../base/lifetime/cancellation.ts';
import type { Disposable } from '../../base/lifetime/disposable.ts';
import { visibleParts } from '../../base/text/visibleText.ts';
import type { After } from '../../base/time/clock.ts';
import { duration } from '../documents/resultDocument.ts';
import { plain } from '../questions/panelText.ts';
import { AskedMeanwhile } from './askedMeanwhile.ts';
import type { RequestEvents, RequestFormPort, RequestOutcome } from './requestFormPort.ts';
import type { SentArguments } from './sentArguments.ts';
import type { RequestTarget, RunMessage, RunView, ToRequestForm } from './requestFormProtocol.ts';
import { RequestProgress } from './requestProgress.ts';
import { failureView } from './requestViews.ts';

const RUNNING = 'Running…';

/** The page that shows a request. */
interface RequestPage {
  /** Does nothing while the page is out of sight. */
  post(message: ToRequestForm): void;
  isReady(): boolean;
}

/** What is sent, and what to remark above its result, a sentence each. */
interface ToSend {
  readonly sent: SentArguments;
  readonly remarks?: readonly string[];
}

/** The request of a form that is under way, or the last one with its result. */
export class FormRequest implements Disposable {
  readonly #of: RequestTarget;
  readonly #port: RequestFormPort;
  readonly #page: RequestPage;
  readonly #progress: RequestProgress;
  #run: RunView = { kind: 'none' };
  #status = '';
  #outcome: RequestOutcome | undefined;
  #abort: AbortController | undefined;
  /** While the request is under way. */
  #asked: AskedMeanwhile | undefined;
  /** You are where questions are answered, and want to come back. */
  #isReviewing = false;
  #runningSince = 0;
  #isDisposed = false;

  constructor(of: RequestTarget, port: RequestFormPort, page: RequestPage, after: After) {
    this.#of = of;
    this.#port = port;
    this.#page = page;
    this.#progress = new RequestProgress((progress) => page.post({ type: 'progress', progress }), after);
  }

  /** Ends the request, too. */
  dispose(): void {
    this.#isDisposed = true;
    this.#progress.dispose();
    this.#abort?.abort();
  }

  get isRunning(): boolean {
    return this.#abort !== undefined;
  }

  /** As it is now. */
  get view(): RunView {
    return this.#run.kind === 'running'
      ? {
          ...this.#run,
          elapsedMs: performance.now() - this.#runningSince,
          progress: this.#progress.shown,
          asked: this.#asked?.view,
        }
      : this.#run;
  }

  get status(): string {
    return this.#status;
  }

  /**
   * Sends what `read` gives, unless a request is under way; nothing if that is undefined. Resolves at the end. `isReviewed`
   * if you have come from the answer to a question, and want to come back.
   */
  async send(read: () => Promise<ToSend | undefined>, isReviewed = false): Promise<void> {
    if (this.#abort) {
      return;
    }
    const abort = new AbortController();
    this.#abort = abort;
    try {
      const given = await read();
      if (given && !this.#isDisposed) {
        this.#isReviewing = isReviewed;
        await this.#call(given, abort.signal);
      }
    } finally {
      this.#abort = undefined;
    }
  }

  /** Does what you chose in the page. */
  take(message: RunMessage): void {
    const outcome = this.#outcome;
    switch (message.type) {
      case 'cancel':
        this.#abort?.abort();
        return;
      case 'review': {
        const question = this.#asked?.first;
        if (question) {
          this.#isReviewing = true;
          this.#port.review(question);
        }
        return;
      }
      case 'open': {
        const openable = outcome?.openables[message.index];
        if (openable) {
          outcome?.open(openable);
        }
        return;
      }
      case 'use':
        if (outcome?.actions.some(({ action }) => action === message.action)) {
          outcome.use(message.action);
        }
    }
  }

  /** Shows how a request has ended, or why none was sent. */
  end(run: RunView, status: string): void {
    if (this.#isDisposed) {
      return;
    }
    this.#setRun(run, status);
    if (!this.#page.isReady() && run.kind !== 'cancelled') {
      this.#port.finished(run.kind === 'failed');
    }
  }

  async #call({ sent, remarks = [] }: ToSend, signal: AbortSignal): Promise<void> {
    this.#runningSince = performance.now();
    this.#outcome = undefined;
    this.#progress.begin();
    this.#setRun({ kind: 'running', elapsedMs: 0, progress: {} }, RUNNING);
    const asked = new AskedMeanwhile(this.#port.questions, this.#of, (isAnswered) =>
      this.#askedChanged(asked, isAnswered),
    );
    this.#asked = asked;
    const events: RequestEvents = {
      onProgress: (progress) => this.#progress.take(progress),
      onSent: (request) => asked.sent(request),
    };
    try {
      const outcome = await this.#port.send(sent, events, signal);
      const took = duration(performance.now() - this.#runningSince);
      this.#outcome = outcome;
      const { view: result, words, notes, actions } = outcome;
      if (!result) {
        this.#setRun({ kind: 'none' }, words);
        return;
      }
      this.end(
        { kind: 'result', result, took, notes: [...remarks, ...notes].map(visibleParts), actions },
        `${words} after ${took}.`,
      );
    } catch (error) {
      if (error instanceof CancellationError || signal.aborted) {
        this.end({ kind: 'cancelled' }, 'Cancelled.');
      } else {
        this.end(failureView(this.#port.failure(error, sent), error), 'Failed.');
      }
    } finally {
      this.#progress.end();
      asked.dispose();
      this.#asked = undefined;
      this.#isReviewing = false;
    }
  }

  /** The server asks you something, or goes on. */
  #askedChanged({ view }: AskedMeanwhile, isAnswered: boolean): void {
    this.#status = view ? `${plain(view.text)} Select "Review" to answer.` : RUNNING;
    this.#page.post({ type: 'asked', asked: view, status: this.#status });
    if (!view && this.#isReviewing) {
      this.#isReviewing = false;
      if (isAnswered && !this.#isDisposed) {
        this.#port.answered();
      }
    }
  }

  #setRun(run: RunView, status: string): void {
    this.#run = run;
    this.#status = status;
    this.#page.post({ type: 'run', run, status });
  }
}
