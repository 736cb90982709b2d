import { html } from 'lit';
import { keyed } from 'lit/directives/keyed.js';
import { live } from 'lit/directives/live.js';
import { repeat } from 'lit/directives/repeat.js';
import type { PanelText } from '../../host/questions/panelText.ts';
import type {
  AnswerView,
  ChoiceView,
  EditedView,
  SamplingAct,
  SamplingNow,
  SamplingUpdate,
  SamplingView,
} from '../../host/sampling/review/samplingProtocol.ts';
import type { TextEdit } from '../../host/sampling/request/samplingRequest.ts';
import {
  answerButton,
  menu,
  moreAbout,
  note,
  warningNotes,
  type CardContent,
  type CardPort,
  type Change,
} from '../card.ts';
import { Draft } from '../draft.ts';
import { shownText, type Content } from '../elements.ts';
import type { EditableText, TextPort } from './editableText.ts';
import { ModelChoice } from './modelChoice.ts';
import { durationText } from './rhythm.ts';
import { factList, shownParts, shownRequest, type ShownParts } from './samplingParts.ts';
import { StreamedText } from './streamedText.ts';

/** The card of a request for a language model, which changes with the state of the review. */
export class SamplingCard implements CardContent {
  readonly #view: SamplingView;
  readonly #port: CardPort;
  readonly #texts: TextPort;
  readonly #request: ShownParts;
  readonly #draft: Draft<SamplingAct>;
  readonly #model: ModelChoice;
  readonly #streamed: StreamedText;
  readonly #timer: number;
  #now: SamplingNow;
  #waitedSince: number;
  /** The same answer stays as it is: you may be editing it. */
  #answer: (ShownParts & { readonly id: string }) | undefined;
  #isRequestOpen = true;
  /** A choice was sent whose effect isn't shown yet. */
  #isActing = false;

  constructor(view: SamplingView, port: CardPort) {
    this.#view = view;
    this.#port = port;
    this.#now = view.now;
    this.#waitedSince = performance.now() - view.now.waitedMs;
    this.#draft = new Draft(
      // Nothing can be edited while the model is answering.
      () => (this.#now.state.kind === 'generating' ? undefined : this.#entered()),
      (act) => port.send({ type: 'act', id: view.id, ...act }),
    );
    this.#texts = { changed: (isDone) => this.#draft.changed(isDone), refresh: () => port.refresh() };
    this.#streamed = new StreamedText(view.id, () => port.refresh());
    this.#model = new ModelChoice(view.id, () => this.#draft.changed(true));
    this.#request = shownRequest(view, this.#texts);
    this.#enter();
    this.#refresh();
    // Not announced to screen readers, which would read nothing else.
    this.#timer = window.setInterval(() => port.refresh(), 1_000);
  }

  end(): void {
    window.clearInterval(this.#timer);
    this.#draft.end();
  }

  get title(): PanelText {
    return this.#now.title;
  }

  renew({ now }: SamplingView): Change {
    return this.#show(now);
  }

  take(update: SamplingUpdate): Change {
    if (update.kind === 'now') {
      return this.#show(update.now);
    }
    if (update.phase === this.#now.phase && this.#now.state.kind === 'generating') {
      this.#streamed.show(update.text);
    }
    return undefined;
  }

  view(): Content {
    const { why, warnings } = this.#view;
    const { state, estimate, obstacle, hint } = this.#now;
    const isRequest = this.#isRequest;
    const isObstructed = (state.kind === 'request' || state.kind === 'answer') && obstacle !== undefined;
    return html`
      <p>${shownText(why)} <span class="waited" ?hidden=${state.kind === 'ended'}>${this.#waited()}</span></p>
      <div class="notes">${this.#topNote()}</div>
      ${warningNotes(warnings)}
      <details
        class="request"
        ?open=${live(this.#isRequestOpen)}
        @toggle=${({ target }: Event) => (this.#isRequestOpen = (target as HTMLDetailsElement).open)}
      >
        <summary ?hidden=${isRequest}>
          ${state.kind === 'generating' ? 'What is sent' : 'What was sent'}
        </summary>
        ${this.#request.view()}
      </details>
      <div class="stage">${this.#stage()}</div>
      ${isRequest ? this.#model.view() : undefined}
      <p class="estimate" ?hidden=${!isRequest}>${estimate}</p>
      <div class="buttons">${this.#choices()}</div>
      <div class="notes">${isObstructed ? note('warning', shownText(obstacle)) : undefined}</div>
      ${moreAbout(this.#view, this.#port, shownText(hint), factList(this.#view, true))}
      ${this.#streamed.spoken()}
    `;
  }

  /** Takes the review as it is now. */
  #show(now: SamplingNow): Change {
    const isOther = now.phase !== this.#now.phase;
    this.#now = now;
    this.#isActing = false;
    this.#waitedSince = performance.now() - now.waitedMs;
    if (isOther) {
      this.#enter();
    }
    const isMoved = this.#refresh();
    return isOther ? 'step' : isMoved ? 'moved' : undefined;
  }

  get #isRequest(): boolean {
    const { state } = this.#now;
    return state.kind === 'request' || (state.kind === 'ended' && !state.answer);
  }

  /** Changes what differs between states. */
  #enter(): void {
    const { state } = this.#now;
    const answer = answerIn(state);
    this.#isRequestOpen = this.#isRequest;
    this.#request.texts.forEach((text) => text.setEditable(this.#isRequest));
    if (state.kind === 'generating') {
      this.#streamed.begin(state.text);
    }
    if (!answer) {
      this.#answer = undefined;
    } else if (this.#answer?.id !== answer.id) {
      const shown = shownParts(answer.parts, `${this.#view.id}-answer`, this.#texts);
      shown.texts.forEach((text) => text.setEditable(true));
      this.#answer = { id: answer.id, ...shown };
    }
  }

  /** Changes what can differ within a state; true if something has moved. */
  #refresh(): boolean {
    const { state, edited } = this.#now;
    this.#model.update(this.#now);
    const moved = [
      ...this.#request.texts.map((text) => text.take(editOf(text, edited))),
      ...(this.#answer?.texts ?? []).map((text) => text.take(editOf(text, answerIn(state)?.edited ?? []))),
    ];
    return moved.includes(true);
  }

  #topNote(): Content {
    const { state } = this.#now;
    switch (state.kind) {
      case 'request':
        return state.problem && note('warning', shownText(state.problem));
      case 'ended':
        return note('changed', shownText(state.why));
      case 'generating':
      case 'answer':
        return undefined;
    }
  }

  #stage(): Content {
    const { state } = this.#now;
    const answer = answerIn(state);
    if (state.kind === 'generating') {
      return this.#streamed.view();
    }
    return answer && this.#answer
      ? keyed(
          answer.id,
          html`<h3>${shownText(answer.title)}</h3>
            ${this.#answer.view()} ${answer.notes.map((text) => html`<p class="stop">${text}</p>`)}`,
        )
      : undefined;
  }

  #choices(): Content {
    const { choices, phase } = this.#now;
    return [
      repeat(
        choices.filter(({ isBehind }) => !isBehind),
        ({ id }) => `${phase} ${id}`,
        (choice) => [
          answerButton(choice.label, this.#now, (click) => this.#choose(choice, click), choice),
          menu(`Other ways to ${choice.label.toLowerCase()}`, this.#now, this.#behind(choice), this.#port),
        ],
      ),
    ];
  }

  /** What is in the list behind a choice; what can't be pressed now isn't. */
  #behind(choice: ChoiceView): Parameters<typeof menu>[2] {
    const { choices } = this.#now;
    const [next] = choices.slice(choices.indexOf(choice) + 1);
    return next?.isBehind && !next.isDisabled
      ? [{ label: next.label, press: (click) => this.#choose(next, click) }]
      : [];
  }

  #choose({ id: choice, isOnce }: ChoiceView, click: MouseEvent): void {
    this.#draft.send();
    if (!(this.#isActing && isOnce)) {
      const isSent = this.#port.act({ type: 'act', id: this.#view.id, ...this.#entered(), choice }, click);
      this.#isActing ||= isSent && isOnce;
    }
  }

  #entered(): SamplingAct {
    return {
      phase: this.#now.phase,
      draft: { modelId: this.#model.chosen, edits: editsOf(this.#request.texts) },
      edits: editsOf(this.#answer?.texts ?? []),
    };
  }

  #waited(): string {
    const ms = performance.now() - this.#waitedSince;
    return ms < 1_000 ? '' : `Asked ${durationText(ms)} ago.`;
  }
}

/** The answer to deliver, or that was ready when the request ended. */
function answerIn(state: SamplingNow['state']): AnswerView | undefined {
  return state.kind === 'answer' || state.kind === 'ended' ? state.answer : undefined;
}

function editOf(text: EditableText, edited: readonly EditedView[]): EditedView | undefined {
  return edited.find(({ at }) => at === text.at);
}

function editsOf(texts: readonly EditableText[]): readonly TextEdit[] {
  return texts.flatMap(({ edit }) => edit ?? []);
}
