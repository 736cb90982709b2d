import { isDeepStrictEqual } from 'node:util';
import { counted } from '../../base/text/words.ts';
import { visibleParts } from '../../base/text/visibleText.ts';
import { afterTimeout } from '../../base/time/clock.ts';
import { PageSession, type ReadyMessage } from '../review/pageSession.ts';
import { FieldSuggestions } from './fieldSuggestions.ts';
import { FormRequest } from './formRequest.ts';
import { RequestDraft, type DraftStart } from './requestDraft.ts';
import type { RequestFormPort, RequestLook } from './requestFormPort.ts';
import type { SentArguments } from './sentArguments.ts';
import {
  readFromRequestForm,
  type EditView,
  type FromRequestForm,
  type RequestTarget,
  type ToRequestForm,
} from './requestFormProtocol.ts';
import { headOf } from './requestViews.ts';

const OTHER_ARGUMENTS = 'The tool ran with the arguments of the call before, which are not those above.';

/** What the page wants done. */
type Act = Exclude<FromRequestForm, ReadyMessage>;

export interface RequestFormStart extends DraftStart {
  /** Whether what takes no arguments is requested at once. */
  readonly runs: boolean;
}

/** One page's side in the host: a form, its requests one after the other, and the last result. */
export class RequestFormSession extends PageSession<ToRequestForm, Act> {
  readonly #of: RequestTarget;
  readonly #port: RequestFormPort;
  readonly #request: FormRequest;
  readonly #suggestions: FieldSuggestions;
  #start: RequestFormStart;
  #look: RequestLook;
  #draft: RequestDraft | undefined;
  /** A problem was shown: problems of a text are now shown as you type. */
  #showsProblems = false;
  /** What is typed is being checked, or has changed since. */
  #isChecking = false;
  #isUnchecked = false;

  constructor(
    of: RequestTarget,
    port: RequestFormPort,
    start: RequestFormStart,
    {
      readyMs,
      after = afterTimeout,
    }: { readonly readyMs?: number; readonly after?: typeof afterTimeout } = {},
  ) {
    super(port, readyMs);
    this.#of = of;
    this.#port = port;
    this.#start = start;
    this.#request = this.store.add(
      new FormRequest(
        of,
        port,
        { post: (message) => this.post(message), isReady: () => this.isReady },
        after,
      ),
    );
    this.#suggestions = this.store.add(new FieldSuggestions((message) => this.post(message)));
    this.#look = port.look();
  }

  get isRunning(): boolean {
    return this.#request.isRunning;
  }

  /** Requests again what takes no arguments, as if it had been opened now. */
  runAgainIfEmpty(): void {
    this.#start = { ...this.#start, runs: true };
    if (this.isReady) {
      void this.#runAtOnce();
    }
  }

  /** Sends again what was sent before, because you have reviewed what the server asked for meanwhile. Resolves at its end. */
  async runAgain(sent: SentArguments): Promise<void> {
    await this.#request.send(async () => {
      const read = await this.#draft?.read();
      const isOther = read && !(read.kind === 'args' && isDeepStrictEqual(read.args, sent.args));
      return { sent, ...(isOther && { remarks: [OTHER_ARGUMENTS] }) };
    }, true);
  }

  /** The server may list it in another way now. What is entered stays as far as it fits. */
  changed(): void {
    const before = this.#look;
    const look = this.#port.look();
    const isSame =
      look.kind === 'listed' && before.kind === 'listed' && look.server === before.server
        ? isDeepStrictEqual(look.listed, before.listed)
        : look.kind === before.kind && isDeepStrictEqual(look, before);
    // A form stays while its server is stopped.
    if (isSame || this.store.isDisposed || (look.kind === 'missing' && this.#draft)) {
      return;
    }
    const hadForm = this.#draft !== undefined;
    if (this.#draft) {
      this.#start = { ...this.#draft.everything, runs: false };
      this.#draft = undefined;
    }
    this.#look = look;
    this.#show(hadForm ? `The ${this.#of.kind} has changed. Look at what you entered.` : '');
  }

  protected override read(received: unknown): FromRequestForm | undefined {
    return readFromRequestForm(received);
  }

  protected override async show(): Promise<void> {
    this.#show('');
    await this.#runAtOnce();
  }

  protected override async take(message: Act): Promise<void> {
    switch (message.type) {
      case 'enter':
        this.#draft?.enter(message);
        await this.#entered();
        return;
      case 'switch':
        this.#draft?.enter(message);
        this.#switch();
        return;
      case 'run':
        this.#draft?.enter(message);
        await this.#runNow();
        return;
      case 'suggest': {
        const look = this.#port.look();
        this.#draft?.enter(message);
        this.#keep();
        if (this.#draft && look.kind === 'listed') {
          await this.#suggestions.ask(message, this.#draft, look.completing);
        }
        return;
      }
      default:
        this.#takeOther(message);
    }
  }

  #takeOther(message: Exclude<Act, { readonly entered: unknown } | { readonly json: unknown }>): void {
    switch (message.type) {
      case 'defaults':
        this.#draft?.reset();
        this.#edit('');
        return;
      case 'remedy':
        this.#port.remedy(message.remedy);
        return;
      default:
        this.#request.take(message);
    }
  }

  async #entered(): Promise<void> {
    this.#keep();
    this.#isUnchecked = true;
    // One check at a time: what is typed meanwhile is checked after it.
    while (this.#isUnchecked && !this.#isChecking && this.#showsProblems && this.#draft?.isJson) {
      this.#isUnchecked = false;
      this.#isChecking = true;
      const draft = this.#draft;
      try {
        const read = await draft.read();
        if (draft === this.#draft && !this.#isUnchecked) {
          const problems = read.kind === 'textProblems' ? read.problems : [];
          this.post({ type: 'textProblems', problems, status: '' });
        }
      } finally {
        this.#isChecking = false;
      }
    }
  }

  #switch(): void {
    const problems = this.#draft?.switch() ?? [];
    this.#showsProblems = problems.length > 0;
    if (problems.length > 0) {
      const status = `Not shown as a form: ${counted(problems.length, 'problem')}.`;
      this.post({ type: 'textProblems', problems, status });
    } else {
      this.#edit('');
    }
  }

  async #runAtOnce(): Promise<void> {
    if (this.#start.runs && this.#draft?.isEmpty) {
      this.#start = { ...this.#start, runs: false };
      await this.#runNow();
    }
  }

  async #runNow(): Promise<void> {
    const draft = this.#draft;
    const look = this.#port.look();
    if (!draft || this.isRunning) {
      return;
    }
    if (look.kind === 'missing') {
      const { remedies } = look;
      this.#request.end({ kind: 'failed', message: visibleParts(look.reason), remedies }, 'Not sent.');
      return;
    }
    await this.#request.send(async () => {
      const read = await draft.read();
      if (this.store.isDisposed) {
        return undefined;
      }
      this.#showsProblems = read.kind === 'textProblems';
      if (read.kind !== 'args') {
        const status = `Not sent: ${counted(read.problems.length, 'problem')}.`;
        this.post(
          read.kind === 'problems'
            ? { type: 'problems', problems: read.problems, status }
            : { type: 'textProblems', problems: read.problems, status },
        );
        return undefined;
      }
      this.#port.remember(draft.kept.fields);
      this.#suggestions.stop();
      return { sent: read };
    });
  }

  #edit(status: string): void {
    if (this.#draft) {
      this.post({ type: 'edit', edit: this.#editView(), status });
      this.#keep();
    }
  }

  #keep(): void {
    const draft = this.#draft;
    if (draft) {
      this.post({ type: 'keep', page: { ...this.#of, ...draft.kept } });
      const { preview } = this.#look.kind === 'listed' ? this.#look : {};
      if (preview) {
        this.post({ type: 'preview', text: visibleParts(preview(draft.texts)) });
      }
    }
  }

  #editView(): EditView {
    const look = this.#look;
    if (this.#draft) {
      const hasSuggestions = look.kind === 'listed' && look.completing?.server.canComplete === true;
      return this.#draft.view({ hasJson: this.#of.kind === 'tool', hasSuggestions });
    }
    return look.kind === 'missing'
      ? { kind: 'missing', reason: visibleParts(look.reason), remedies: look.remedies }
      : { kind: 'missing', reason: [], remedies: [] };
  }

  #show(status: string): void {
    const look = this.#look;
    if (look.kind === 'listed' && !this.#draft) {
      this.#draft = new RequestDraft(look, this.#start);
    }
    this.post({
      type: 'show',
      head: headOf(this.#of, look),
      edit: this.#editView(),
      run: this.#request.view,
      status: status || this.#request.status,
    });
    this.#keep();
  }
}
