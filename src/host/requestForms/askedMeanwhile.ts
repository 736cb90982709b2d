import { visibleParts } from '../../base/text/visibleText.ts';
import { DisposableStore, type Disposable } from '../../base/lifetime/disposable.ts';
import type { RequestInFlight } from '../connection/requests/requestsInFlight.ts';
import { isAddressQuestion } from '../elicitation/addressQuestion.ts';
import { isElicitationQuestion } from '../elicitation/elicitationQuestion.ts';
import { isAbout, type Question } from '../questions/question.ts';
import type { QuestionQueue } from '../questions/questionQueue.ts';
import { announcementText } from '../review/questionWords.ts';
import { rootsQuestions } from '../roots/rootsQuestion.ts';
import { isSamplingQuestion } from '../sampling/review/samplingQuestion.ts';
import type { AskedView, RequestTarget } from './requestFormProtocol.ts';

interface Asked {
  readonly question: Question;
  /** When it came, as `performance.now()`. */
  readonly since: number;
}

/** The questions that a request of a form waits for, as they come and go. */
export class AskedMeanwhile implements Disposable {
  readonly #queue: Pick<QuestionQueue, 'questions' | 'onDidChange'>;
  readonly #of: RequestTarget;
  readonly #changed: (isAnswered: boolean) => void;
  readonly #store = new DisposableStore();
  #asked: readonly Asked[] = [];
  #text: string | undefined;
  #request: RequestInFlight | undefined;

  /** `changed` is called when `view` is another; `isAnswered` if the last question has gone because you answered it. */
  constructor(
    queue: Pick<QuestionQueue, 'questions' | 'onDidChange'>,
    of: RequestTarget,
    changed: (isAnswered: boolean) => void,
  ) {
    this.#queue = queue;
    this.#of = of;
    this.#changed = changed;
    this.#store.add(queue.onDidChange(() => this.#update()));
  }

  dispose(): void {
    this.#store.dispose();
  }

  /** The request has gone to the server. */
  sent(request: RequestInFlight): void {
    this.#request = request;
    this.#update();
  }

  /** The question that has waited longest. */
  get first(): Question | undefined {
    return this.#asked[0]?.question;
  }

  get view(): AskedView | undefined {
    const [first] = this.#asked;
    if (!first || this.#text === undefined) {
      return undefined;
    }
    const isCertain = this.#asked.every(({ question }) => {
      const [reason, ...others] = this.#reasonsOf(question) ?? [];
      return reason !== undefined && reason === this.#request && others.length === 0;
    });
    const whose = isCertain ? [] : ['It may be for another request that the server is handling.'];
    return {
      text: visibleParts(this.#text),
      hint: [...whose, 'The time limit of the request is paused, but the server may stop waiting.'].join(' '),
      waitedMs: performance.now() - first.since,
    };
  }

  #update(): void {
    const before = this.#asked;
    // One that has its answer is withdrawn next.
    const now = this.#queue.questions.filter((question) => this.#isFor(question) && !endOf(question));
    this.#asked = now.map(
      (question) => before.find((one) => one.question === question) ?? { question, since: performance.now() },
    );
    for (const { question } of this.#asked) {
      if (!before.some((one) => one.question === question)) {
        const following = question.kind.steps?.changes(question)(() => this.#update());
        if (following) {
          this.#store.add(following);
        }
      }
    }
    const text = textOf(now);
    if (text !== this.#text) {
      this.#text = text;
      const gone = before.at(-1)?.question;
      // A kind that says nothing about its end is withdrawn only with its server.
      const hasAnswer = gone && (gone.kind.withdrawn === undefined || endOf(gone)?.isAnswered);
      this.#changed(now.length === 0 && hasAnswer === true);
    }
  }

  /** Whether a question may have come because of the request. */
  #isFor(question: Question): boolean {
    const reasons = this.#reasonsOf(question);
    if (reasons) {
      // Which one a form opens is not known where it reads through a cache.
      return this.#of.kind === 'template'
        ? isAbout(question, this.#of.server) && reasons.some(({ method }) => method === 'resources/read')
        : reasons.some((reason) => reason === this.#request);
    }
    return question.kind === rootsQuestions && isAbout(question, this.#of.server);
  }

  /** The requests that a question may have come from; undefined for a question that says nothing about that. */
  #reasonsOf(question: Question): readonly RequestInFlight[] | undefined {
    if (isSamplingQuestion(question)) {
      return question.review.subject.requests;
    }
    return isElicitationQuestion(question) || isAddressQuestion(question) ? question.requests : undefined;
  }
}

function textOf(questions: readonly Question[]): string | undefined {
  if (questions.length === 0) {
    return undefined;
  }
  return questions.length === 1 ? announcementText(questions) : `${questions.length} questions are waiting.`;
}

/** How a question has ended; undefined while it waits, and for a kind that does not say so. */
function endOf(question: Question): { readonly isAnswered: boolean } | undefined {
  return question.kind.withdrawn?.(question);
}
