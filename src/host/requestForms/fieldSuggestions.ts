import type { Disposable } from '../../base/lifetime/disposable.ts';
import { visibleParts } from '../../base/text/visibleText.ts';
import {
  ArgumentCompleter,
  type CompletingServer,
  type CompletionReference,
  type Suggest,
} from '../completion/argumentCompleter.ts';
import { noSuggestions, type Suggestions } from '../completion/suggestions.ts';
import type { RequestDraft } from './requestDraft.ts';
import type { FromRequestForm, ToRequestForm } from './requestFormProtocol.ts';

/** What suggests values: a server, and what it is asked about. */
export interface Completing {
  readonly server: CompletingServer;
  readonly ref: CompletionReference;
}

type Asked = Extract<FromRequestForm, { type: 'suggest' }>;
type Answer = Extract<ToRequestForm, { type: 'suggestions' }>;

/**
 * A server's suggestions for the fields of a form (server/utilities/completion). Only the newest question is answered;
 * it carries the texts of the fields above its own. A field with a secret is never asked about, and never sent along.
 */
export class FieldSuggestions implements Disposable {
  readonly #post: (answer: Answer) => void;
  #completing: Completing | undefined;
  #completer: ArgumentCompleter | undefined;
  #current: { readonly key: string; readonly suggest: Suggest | undefined } | undefined;
  #asking = new AbortController();

  constructor(post: (answer: Answer) => void) {
    this.#post = post;
  }

  /** Asks for what fits the text of a field, and posts it unless something else is asked meanwhile. */
  async ask(
    { number, field: name }: Asked,
    draft: RequestDraft,
    completing: Completing | undefined,
  ): Promise<void> {
    this.stop();
    const asking = new AbortController();
    this.#asking = asking;
    const { values, hasMore } = await this.#suggested(name, draft, completing, asking.signal);
    if (!asking.signal.aborted) {
      const shown = values.map((value) => ({ value, shown: visibleParts(value) }));
      this.#post({ type: 'suggestions', number, values: shown, hasMore });
    }
  }

  /** What is asked is no longer of interest. */
  stop(): void {
    this.#asking.abort();
  }

  dispose(): void {
    this.stop();
  }

  async #suggested(
    name: string,
    draft: RequestDraft,
    completing: Completing | undefined,
    signal: AbortSignal,
  ): Promise<Suggestions> {
    const suggest = draft.isSuggested(name) && completing && this.#suggestFor(name, draft, completing);
    try {
      return suggest ? await suggest(draft.texts.get(name) ?? '', signal) : noSuggestions;
    } catch {
      return noSuggestions;
    }
  }

  /** The same while the same field is typed into: only its first question goes at once. */
  #suggestFor(name: string, draft: RequestDraft, completing: Completing): Suggest | undefined {
    const isSame = this.#completing?.server === completing.server;
    if (!this.#completer || !isSame) {
      this.#completing = completing;
      this.#completer = new ArgumentCompleter(completing.server, completing.ref);
      this.#current = undefined;
    }
    const before = draft.textsBefore(name);
    const key = JSON.stringify([name, before]);
    if (this.#current?.key !== key) {
      this.#current = { key, suggest: this.#completer.suggestFor(name, before) };
    }
    return this.#current.suggest;
  }
}
