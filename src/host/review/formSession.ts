import { isDeepStrictEqual } from 'node:util';
import type { ServerForm } from '../config/form/serverForm.ts';
import { formFields } from './formView.ts';
import { readFromForm, type FormView, type FromForm, type ShowForm, type ToForm } from './formProtocol.ts';
import { PageSession, type PagePort, type ReadyMessage } from './pageSession.ts';
import { hasChatBox } from '../launch/question/launchChat.ts';
import type { LaunchQuestion } from '../launch/question/launchQuestion.ts';

/** A form, and what follows from it at this moment. */
export interface FormCheck<Draft> {
  readonly view: FormView;
  readonly draft: Draft;
  /** The question that saving answers: it is of exactly this launch. */
  readonly question: LaunchQuestion;
}

/** What a page asks to save: exactly what it showed. */
export interface FormToSave<Draft> {
  readonly draft: Draft;
  readonly question: LaunchQuestion;
  /** The URIs of the folders to share, out of those that were offered. */
  readonly roots: readonly string[];
  /** Makes the server available to chat. */
  readonly inChat: boolean;
  readonly start: boolean;
}

/** Where a form is shown, and what it cannot do itself. */
export interface FormSurface<Draft> extends PagePort<ToForm> {
  check(form: ServerForm): Promise<FormCheck<Draft>>;
  /** Says whether the server of a form requires you to sign in; doesn't throw. */
  checkSignIn(form: ServerForm): Promise<string>;
  /** Saves; the page shows what it throws, and stays. */
  save(what: FormToSave<Draft>): Promise<void>;
  cancel(): void;
  messageOf(error: unknown): string;
}

/** What the page wants done. */
type Act = Exclude<FromForm, ReadyMessage>;

/** What the page shows around the form. */
export type FormFrame = Omit<ShowForm, 'type' | 'fields' | 'form' | 'view' | 'status'>;

/**
 * One page's side in the host. It saves a form only when the page has shown everything that there is to know
 * of it: a warning that came up since goes to the page first.
 */
export class FormSession<Draft> extends PageSession<ToForm, Act> {
  readonly #frame: FormFrame;
  readonly #surface: FormSurface<Draft>;
  #form: ServerForm;
  /** What the page shows, and for which form. */
  #shown: { readonly form: ServerForm; readonly view: FormView } | undefined;
  #status = '';
  #isSaving = false;
  /** Counts the messages of the page: an answer to an older one is not sent. */
  #latest = 0;

  constructor(frame: FormFrame, form: ServerForm, surface: FormSurface<Draft>, readyMs?: number) {
    super(surface, readyMs);
    this.#frame = frame;
    this.#form = form;
    this.#surface = surface;
  }

  override hidden(): void {
    super.hidden();
    this.#shown = undefined;
  }

  protected override read(received: unknown): FromForm | undefined {
    return readFromForm(received);
  }

  protected override async take(message: Act): Promise<void> {
    if (this.#isSaving) {
      return;
    }
    if (message.type === 'checkSignIn') {
      await this.#checkSignIn(message.number, message.form);
      return;
    }
    this.#latest += 1;
    switch (message.type) {
      case 'cancel':
        this.#surface.cancel();
        break;
      case 'changed':
        this.#form = message.form;
        await this.#check(message.number, '');
        break;
      case 'save':
        this.#form = message.form;
        await this.#save(message.number, message.start);
        break;
    }
  }

  /** Also while it is saved: what is opened for that may hide the page, which is ready again after it. */
  protected override async show(): Promise<void> {
    const form = this.#form;
    this.#latest += 1;
    const latest = this.#latest;
    const { view } = await this.#surface.check(form);
    if (this.isReady && latest === this.#latest) {
      this.#shown = { form, view };
      const fields = formFields(form);
      this.post({ type: 'show', ...this.#frame, fields, form, view, status: this.#status });
    }
  }

  async #check(number: number, status: string): Promise<void> {
    const form = this.#form;
    const latest = this.#latest;
    const { view } = await this.#surface.check(form);
    if (this.isReady && latest === this.#latest) {
      this.#shown = { form, view };
      this.#status = status;
      this.post({ type: 'checked', number, view, status });
    }
  }

  async #checkSignIn(number: number, form: ServerForm): Promise<void> {
    const words = await this.#surface.checkSignIn(form);
    this.post({ type: 'signInChecked', number, words });
  }

  async #save(number: number, start: boolean): Promise<void> {
    const form = this.#form;
    const { view, draft, question } = await this.#surface.check(form);
    if (view.problems.length > 0) {
      const { length } = view.problems;
      await this.#check(
        number,
        length === 1 ? 'Fix the problem first.' : `Fix the ${length} problems first.`,
      );
      return;
    }
    if (!isDeepStrictEqual(saidOf(this.#shown?.view), saidOf(view))) {
      await this.#check(number, 'There is more to know about this launch now. Read it, and save again.');
      return;
    }
    this.#isSaving = true;
    try {
      const offered = question.folders.map(({ uri }) => uri);
      const proposed = question.folders.filter(({ isProposed }) => isProposed).map(({ uri }) => uri);
      const roots = (form.folders ?? proposed).filter((uri) => offered.includes(uri));
      const inChat = form.inChat === true && hasChatBox(question.chat);
      await this.#surface.save({ draft, question, roots, inChat, start });
    } catch (error) {
      this.#isSaving = false;
      this.#status = `Not saved: ${this.#surface.messageOf(error)}`;
      // The page may be behind what was opened for saving; then it shows this when it is back.
      await this.#check(number, this.#status);
    }
  }
}

/** What must have been on the page before it counts as read. */
function saidOf(view: FormView | undefined): unknown {
  return (
    view && [
      view.warnings,
      view.workingDirectory,
      view.variables,
      view.tells,
      view.folders,
      view.sharing,
      view.chat,
      view.unseen,
    ]
  );
}
