import type { PanelText } from '../host/questions/panelText.ts';
import type {
  AnswerView,
  EditedView,
  SamplingAct,
  SamplingNow,
  SamplingUpdate,
  SamplingView,
} from '../host/sampling/samplingProtocol.ts';
import type { TextEdit } from '../host/sampling/request/samplingRequest.ts';
import { answerButton, note, type CardPort, type Change, type LiveContent } from './card.ts';
import { Draft } from './draft.ts';
import type { EditableText } from './editableText.ts';
import { element, hide, shownText } from './elements.ts';
import { ModelChoice } from './modelChoice.ts';
import { durationText } from './rhythm.ts';
import { shownParts, shownRequest, type ShownParts } from './samplingParts.ts';
import { StreamedText } from './streamedText.ts';

/** A request for a language model, from the first look to the end: each state changes what differs in it. */
export class SamplingCard implements LiveContent {
  readonly nodes: readonly Node[];
  readonly #view: SamplingView;
  readonly #port: CardPort;
  readonly #waited = element('span', { class: 'waited' });
  readonly #top = element('div', { class: 'notes' });
  readonly #requestTitle = element('summary');
  readonly #request: HTMLDetailsElement;
  readonly #texts: readonly EditableText[];
  readonly #draft: Draft;
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
  #sends: readonly (HTMLElement & { disabled: boolean })[] = [];
  #session: HTMLElement | undefined;
  /** An act was sent whose effect is not here yet. */
  #isActing = false;

  constructor(view: SamplingView, port: CardPort) {
    this.#view = view;
    this.#port = port;
    this.#now = view.now;
    this.#waitedSince = performance.now() - view.now.waitedMs;
    this.#streamed = new StreamedText();
    this.#draft = new Draft(
      () => this.#drafted(),
      (act) => port.send({ type: 'act', id: view.id, phase: this.#now.phase, ...act }),
    );
    this.#model = new ModelChoice(view.id, () => this.#draft.send());
    const changed = (isDone: boolean) => this.#draft.changed(isDone);
    const { nodes, texts } = shownRequest(view, changed);
    this.#texts = texts;
    this.#request = element('details', { class: 'request' }, this.#requestTitle, ...nodes);
    const place = element('code', {}, ...shownText(view.place));
    this.nodes = [
      element('p', { class: 'place' }, 'Server defined in ', place),
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

  /** Shows how the review stands now. */
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

  /** What differs from the state before. */
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
    this.#showButtons();
  }

  /** What may differ within a state; true when something has moved. */
  #refresh(): boolean {
    const { state, edited, estimate, obstacle, canAllowSession, hint } = this.#now;
    const answer = answerIn(state);
    const moved = [
      ...this.#texts.map((text) => text.take(editOf(text, edited))),
      ...(this.#answer?.texts ?? []).map((text) => text.take(editOf(text, answer?.edited ?? []))),
    ];
    this.#model.update(this.#now);
    this.#estimate.textContent = estimate;
    const isObstructed = (state.kind === 'request' || state.kind === 'answer') && obstacle !== undefined;
    this.#obstacle.replaceChildren(...(isObstructed ? [note('warning', shownText(obstacle))] : []));
    this.#sends.forEach((button) => (button.disabled = isObstructed));
    if (this.#session) {
      hide(this.#session, !canAllowSession);
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

  /** The same answer stays as it is: the person may be writing into it. */
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

  #showButtons(): void {
    const { state } = this.#now;
    const open = answerButton('Open the Definition', this.#now, {}, () =>
      this.#port.send({ type: 'openDefinition', id: this.#view.id }),
    );
    this.#sends = [];
    this.#session = undefined;
    switch (state.kind) {
      case 'request': {
        const send = this.#button('Send', () => this.#sending('once'), true);
        const session = this.#button('Send and Allow for This Session', () => this.#sending('session'));
        this.#sends = [send, session];
        this.#session = session;
        this.#buttons.replaceChildren(
          ...this.#sends,
          this.#button('Deny', () => ({ act: 'deny' })),
          this.#button('Never for This Server', () => ({ act: 'never' })),
          open,
        );
        return;
      }
      case 'generating':
        return this.#buttons.replaceChildren(
          this.#button('Stop', () => ({ act: 'stop' })),
          this.#button('Deny', () => ({ act: 'deny' })),
        );
      case 'answer': {
        const regenerate = this.#button('Regenerate', () => ({ act: 'regenerate' }));
        this.#sends = [regenerate];
        return this.#buttons.replaceChildren(
          this.#button('Deliver', () => ({ act: 'deliver', edits: this.#answerEdits() }), true),
          regenerate,
          this.#button('Deny', () => ({ act: 'deny' })),
        );
      }
      case 'ended': {
        const again = (): SamplingAct => ({
          act: 'runAgain',
          draft: this.#requestDraft(),
          edits: this.#answerEdits(),
        });
        return this.#buttons.replaceChildren(
          ...(state.runAgain === undefined ? [] : [this.#button(state.runAgain, again)]),
          this.#button('Copy', () => ({ act: 'copy' })),
          this.#button('Close', () => ({ act: 'close' })),
        );
      }
    }
  }

  #button(label: string, act: () => SamplingAct, isPrimary = false) {
    return answerButton(label, this.#now, { isPrimary }, (click) => this.#act(act(), click));
  }

  /** What gives something is sent once: a second press comes to the state that the first one leads to. */
  #act(act: SamplingAct, click: MouseEvent): void {
    const { id } = this.#view;
    this.#draft.send();
    if (!(this.#isActing && givesSomething(act))) {
      const isSent = this.#port.act({ type: 'act', id, phase: this.#now.phase, ...act }, click);
      this.#isActing ||= isSent && givesSomething(act);
    }
  }

  #sending(span: 'once' | 'session'): SamplingAct {
    return { act: 'send', draft: this.#requestDraft(), span };
  }

  #requestDraft() {
    return { modelId: this.#model.chosen, edits: editsOf(this.#texts) };
  }

  #answerEdits(): readonly TextEdit[] {
    return editsOf(this.#answer?.texts ?? []);
  }

  /** What the person is writing: into the answer once that is there; nothing while the model is answering. */
  #drafted(): { readonly of: string; readonly act: SamplingAct } | undefined {
    if (this.#now.state.kind === 'generating') {
      return undefined;
    }
    return this.#answer
      ? { of: this.#answer.id, act: { act: 'draftAnswer', edits: this.#answerEdits() } }
      : { of: '', act: { act: 'draft', draft: this.#requestDraft() } };
  }

  /** Not for screen readers, which would speak of nothing else. */
  #count(): void {
    this.#waited.textContent = `It has waited for ${durationText(performance.now() - this.#waitedSince)}.`;
  }
}

/** The answer that is there to be delivered, or was. */
function answerIn(state: SamplingNow['state']): AnswerView | undefined {
  return state.kind === 'answer' || state.kind === 'ended' ? state.answer : undefined;
}

function editOf(text: EditableText, edited: readonly EditedView[]): EditedView | undefined {
  return edited.find(({ at }) => at === text.at);
}

function editsOf(texts: readonly EditableText[]): readonly TextEdit[] {
  return texts.flatMap(({ edit }) => edit ?? []);
}

function givesSomething({ act }: SamplingAct): boolean {
  return act === 'send' || act === 'deliver' || act === 'regenerate' || act === 'runAgain';
}
