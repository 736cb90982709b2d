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
import { answerButton, note, placeLine, type CardPort, type Change, type LiveContent } from '../card.ts';
import { Draft } from '../draft.ts';
import type { EditableText } from './editableText.ts';
import { element, hide, shownText } from '../elements.ts';
import { ModelChoice } from './modelChoice.ts';
import { durationText } from './rhythm.ts';
import { shownParts, shownRequest, type ShownParts } from './samplingParts.ts';
import { StreamedText } from './streamedText.ts';

/** The card of a request for a language model, which changes with the state of the review. */
export class SamplingCard implements LiveContent {
  readonly nodes: readonly Node[];
  readonly #view: SamplingView;
  readonly #port: CardPort;
  readonly #waited = element('span', { class: 'waited' });
  readonly #top = element('div', { class: 'notes' });
  readonly #requestTitle = element('summary');
  readonly #request: HTMLDetailsElement;
  readonly #texts: readonly EditableText[];
  readonly #draft: Draft<SamplingAct>;
  readonly #model: ModelChoice;
  readonly #estimate = element('p', { class: 'estimate' });
  readonly #stage = element('div', { class: 'stage' });
  readonly #buttons = element('div', { class: 'buttons' });
  readonly #obstacle = element('div', { class: 'notes' });
  readonly #hint = element('p', { class: 'hint' });
  readonly #streamed: StreamedText;
  readonly #timer: number;
  #now: SamplingNow;
  #waitedSince: number;
  #answer: (ShownParts & { readonly id: string }) | undefined;
  #choices: ReadonlyMap<string, HTMLElement & { disabled: boolean }> = new Map();
  /** A choice was sent whose effect isn't shown yet. */
  #isActing = false;

  constructor(view: SamplingView, port: CardPort) {
    this.#view = view;
    this.#port = port;
    this.#now = view.now;
    this.#waitedSince = performance.now() - view.now.waitedMs;
    this.#streamed = new StreamedText();
    this.#draft = new Draft(
      // Nothing can be edited while the model is answering.
      () => (this.#now.state.kind === 'generating' ? undefined : this.#entered()),
      (act) => port.send({ type: 'act', id: view.id, ...act }),
    );
    this.#model = new ModelChoice(view.id, () => this.#draft.changed(true));
    const changed = (isDone: boolean) => this.#draft.changed(isDone);
    const { nodes, texts } = shownRequest(view, changed);
    this.#texts = texts;
    this.#request = element('details', { class: 'request' }, this.#requestTitle, ...nodes);
    this.nodes = [
      placeLine(view.place),
      element('p', {}, ...shownText(view.why), ' ', this.#waited),
      this.#top,
      ...view.warnings.map((warning) => note('warning', ['Warning: ', ...shownText(warning)])),
      this.#request,
      this.#stage,
      this.#model.node,
      this.#estimate,
      this.#buttons,
      this.#obstacle,
      this.#hint,
      this.#streamed.spoken,
    ];
    this.#enter();
    this.#refresh();
    this.#timer = window.setInterval(() => this.#count(), 1_000);
  }

  /** The card is gone. */
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

  /** Shows the review as it is now. */
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

  /** Changes what differs between states. */
  #enter(): void {
    const { state } = this.#now;
    const answer = answerIn(state);
    const isRequest = state.kind === 'request' || (state.kind === 'ended' && !answer);
    this.#request.open = isRequest;
    this.#requestTitle.textContent = state.kind === 'generating' ? 'What is sent' : 'What was sent';
    hide(this.#requestTitle, isRequest);
    this.#texts.forEach((text) => text.setEditable(isRequest));
    hide(this.#model.node, !isRequest);
    hide(this.#estimate, !isRequest);
    hide(this.#waited, state.kind === 'ended');
    this.#top.replaceChildren(...this.#topNotes());
    if (state.kind === 'generating') {
      this.#answer = undefined;
      this.#stage.replaceChildren(...this.#streamed.begin(state.text));
    } else if (answer) {
      this.#showAnswer(answer);
    } else {
      this.#answer = undefined;
      this.#stage.replaceChildren();
    }
    this.#showChoices();
  }

  /** Changes what can differ within a state; true if something has moved. */
  #refresh(): boolean {
    const { state, edited, estimate, obstacle, choices, hint } = this.#now;
    const answer = answerIn(state);
    const moved = [
      ...this.#texts.map((text) => text.take(editOf(text, edited))),
      ...(this.#answer?.texts ?? []).map((text) => text.take(editOf(text, answer?.edited ?? []))),
    ];
    this.#model.update(this.#now);
    this.#estimate.textContent = estimate;
    const isObstructed = (state.kind === 'request' || state.kind === 'answer') && obstacle !== undefined;
    this.#obstacle.replaceChildren(...(isObstructed ? [note('warning', shownText(obstacle))] : []));
    for (const [id, button] of this.#choices) {
      button.disabled = choices.find((choice) => choice.id === id)?.isDisabled ?? true;
    }
    this.#hint.replaceChildren(...shownText(hint));
    this.#count();
    return moved.includes(true);
  }

  #topNotes(): readonly HTMLElement[] {
    const { state } = this.#now;
    switch (state.kind) {
      case 'request':
        return state.problem ? [note('warning', shownText(state.problem))] : [];
      case 'ended':
        return [note('changed', shownText(state.why))];
      case 'generating':
      case 'answer':
        return [];
    }
  }

  /** The same answer stays as it is: you may be editing it. */
  #showAnswer({ id, title, parts, notes }: AnswerView): void {
    if (this.#answer?.id !== id) {
      const shown = shownParts(parts, `${this.#view.id}-answer`, (isDone) => this.#draft.changed(isDone));
      this.#answer = { id, ...shown };
      this.#stage.replaceChildren(
        element('h3', {}, ...shownText(title)),
        ...shown.nodes,
        ...notes.map((text) => element('p', { class: 'stop' }, text)),
      );
      shown.texts.forEach((text) => text.setEditable(true));
    }
  }

  #showChoices(): void {
    const { choices, state } = this.#now;
    this.#choices = new Map(
      choices.map((choice) => [
        choice.id,
        answerButton(choice.label, this.#now, choice, (click) => this.#choose(choice, click)),
      ]),
    );
    const open = answerButton('Open the Definition', this.#now, {}, () =>
      this.#port.send({ type: 'openDefinition', id: this.#view.id }),
    );
    this.#buttons.replaceChildren(...this.#choices.values(), ...(state.kind === 'request' ? [open] : []));
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
      draft: { modelId: this.#model.chosen, edits: editsOf(this.#texts) },
      edits: editsOf(this.#answer?.texts ?? []),
    };
  }

  /** Not announced to screen readers, which would read nothing else. */
  #count(): void {
    this.#waited.textContent = `It has waited for ${durationText(performance.now() - this.#waitedSince)}.`;
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
