import type {
  AskedView,
  FromRequestForm,
  ProgressView,
  RemedyName,
  RunView,
  RequestWords,
} from '../../host/requestForms/requestFormProtocol.ts';
import { button, element, hide, note, plainText, shownText, nodeOf } from '../dom.ts';
import { foldedText } from '../foldedText.ts';
import { dataNode } from './dataNode.ts';
import { RunningRequest } from './runningRequest.ts';

type Send = (message: FromRequestForm) => void;
type Shown = Extract<RunView, { kind: 'result' }>;

const remedyLabels: Readonly<Record<RemedyName, string>> = {
  reviewChange: 'Review Change',
  signIn: 'Sign In…',
  setToken: 'Set Token…',
  startServer: 'Start Server',
  showLog: 'Show Log',
};

/** The call below a form: how it goes on, and its result. */
export class RequestRun {
  readonly node = element('section', { class: 'run', 'aria-label': 'Result' });
  readonly #send: Send;
  #words: RequestWords | undefined;
  #running: RunningRequest | undefined;

  constructor(send: Send) {
    this.#send = send;
  }

  get isRunning(): boolean {
    return this.#running !== undefined;
  }

  show(run: RunView, words: RequestWords): void {
    this.#words = words;
    this.#running?.end();
    this.#running = undefined;
    this.node.replaceChildren(...this.#nodes(run));
    hide(this.node, run.kind === 'none' || run.kind === 'cancelled');
    if (run.kind !== 'none') {
      this.node.firstElementChild?.scrollIntoView({ block: 'nearest' });
    }
  }

  progress(progress: ProgressView): void {
    this.#running?.progress(progress);
  }

  asked(asked: AskedView | undefined): void {
    this.#running?.asked(asked);
  }

  #nodes(run: RunView): readonly Node[] {
    switch (run.kind) {
      case 'none':
      case 'cancelled':
        return [];
      case 'running':
        this.#running = new RunningRequest(run, this.#send);
        return this.#running.nodes;
      case 'failed':
        return [
          note('warning', shownText(run.message)),
          remedyButtons(run.remedies, (remedy) => this.#send({ type: 'remedy', remedy })),
        ];
      case 'result':
        return resultNodes(run, this.#words?.noContent ?? '', this.#send);
    }
  }
}

/** Buttons that help after a failure. */
export function remedyButtons(
  remedies: readonly RemedyName[],
  press: (remedy: RemedyName) => void,
): HTMLElement {
  return element(
    'div',
    { class: 'buttons' },
    ...remedies.map((remedy) => button(remedyLabels[remedy], {}, () => press(remedy))),
  );
}

function resultNodes(
  { result, took, notes, actions }: Shown,
  noContent: string,
  send: Send,
): readonly Node[] {
  const { title, about, sections, leftOut } = result;
  const [only, ...others] = sections;
  const isPlain = others.length === 0 && only?.title === 'Text';
  return [
    element('h2', { tabindex: '-1' }, title),
    element('p', { class: 'hint' }, about === undefined ? `Took ${took}.` : `Took ${took}. ${about}`),
    ...notes.map((text) => note('warning', shownText(text))),
    ...(sections.length === 0 ? [element('p', {}, noContent)] : []),
    ...sections.flatMap((section, index) => sectionNodes(section, index, !isPlain, send)),
    ...(leftOut === undefined ? [] : [element('p', { class: 'hint' }, leftOut)]),
    element(
      'div',
      { class: 'buttons' },
      ...actions.map(({ action, label }) => button(label, {}, () => send({ type: 'use', action }))),
    ),
  ];
}

function sectionNodes(
  { title, text, data, pictures, sounds, opens }: Shown['result']['sections'][number],
  index: number,
  hasTitle: boolean,
  send: Send,
): readonly Node[] {
  return [
    ...(hasTitle ? [element('h3', {}, title)] : []),
    ...(text ? [nodeOf(foldedText(text, title, `block-${index}`))] : []),
    ...(data ? [dataNode(data, title, `data-${index}`)] : []),
    // The extension has checked them; the policy of this page would load nothing else.
    ...pictures
      .filter(({ source }) => source.startsWith('data:image/'))
      .map(({ source, name }) => element('figure', {}, element('img', { src: source, alt: name }))),
    ...sounds.filter(({ source }) => source.startsWith('data:audio/')).map(soundNode),
    ...opens.map(({ index: which, label, what }) => {
      const open = button(label, {}, () => send({ type: 'open', index: which }));
      open.setAttribute('aria-label', `${label}: ${plainText(what)}`);
      return element('div', { class: 'buttons' }, open);
    }),
  ];
}

/** A sound with the editor's own controls; it plays only when you start it. */
function soundNode({ source, name }: Shown['result']['sections'][number]['sounds'][number]): HTMLElement {
  const sound = element('audio', { src: source, controls: '', preload: 'metadata', 'aria-label': name });
  const figure = element('figure', {}, sound);
  sound.addEventListener('error', () => {
    figure.replaceChildren(element('p', { class: 'hint' }, `${name} can't be played here.`));
  });
  return figure;
}
