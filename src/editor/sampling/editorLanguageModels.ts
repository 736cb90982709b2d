import * as vscode from 'vscode';
import { CancellationError, unlessAborted } from '../../base/cancellation.ts';
import { DisposableStore, type Disposable } from '../../base/disposable.ts';
import { Emitter } from '../../base/event.ts';
import {
  ModelError,
  type LanguageModel,
  type LanguageModels,
  type ModelPart,
  type ModelRequest,
} from '../../host/sampling/request/languageModels.ts';
import { modelErrorOf, modelPartOf, requestMessages, requestOptions } from './modelMessages.ts';

/** The models of the editor, `vscode.lm`; an editor without it has none. */
export class EditorLanguageModels implements LanguageModels, Disposable {
  readonly isSupported = hasApi();
  readonly #store = new DisposableStore();
  readonly #onDidChange = this.#store.add(new Emitter<void>());
  readonly onDidChange = this.#onDidChange.event;
  /** By the id that this host knows a model by. */
  #models: ReadonlyMap<string, KnownModel> = new Map();
  #fetched: Promise<void> | undefined;
  /** How often the editor was asked, and which answer is the one that is kept. */
  #asked = 0;
  #kept = 0;
  /** The vendor of each id, for as long as this window lives: an id never comes to mean another model. */
  readonly #vendors = new Map<string, string>();

  constructor() {
    if (this.isSupported) {
      this.#store.add(vscode.lm.onDidChangeChatModels(() => void this.#fetch()));
    }
  }

  async available(): Promise<readonly LanguageModel[]> {
    // Only the first one is waited for: a provider may take its time whenever its models change.
    await (this.#fetched ?? this.#fetch());
    return [...this.#models.values()].map(({ model }) => model);
  }

  /** The model of this id, if it was there when the editor was asked last. */
  known(modelId: string): LanguageModel | undefined {
    return this.#models.get(modelId)?.model;
  }

  async countTokens(modelId: string, text: string, signal?: AbortSignal): Promise<number> {
    return withToken(signal ?? new AbortController().signal, async (token) => {
      const chat = this.#models.get(modelId)?.chat ?? (await this.#select(modelId));
      const count = await chat.countTokens(text, token);
      if (count === 0 && text !== '') {
        // So the editor answers for a model whose provider runs in another of its extension hosts.
        throw new ModelError('failed', 'The editor cannot count tokens for this language model.');
      }
      return count;
    });
  }

  async *send(modelId: string, request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelPart> {
    const source = new vscode.CancellationTokenSource();
    const cancel = (): void => source.cancel();
    signal.addEventListener('abort', cancel, { once: true });
    try {
      const chat = await unlessAborted(this.#select(modelId), signal);
      const sending = chat.sendRequest(requestMessages(request), requestOptions(request), source.token);
      const { stream } = await unlessAborted(Promise.resolve(sending), signal);
      const parts = stream[Symbol.asyncIterator]();
      // A provider need not heed the token: what it says after the end is not waited for.
      for (;;) {
        const { done, value } = await unlessAborted(parts.next(), signal);
        if (done) {
          break;
        }
        const part = modelPartOf(value);
        if (part) {
          yield part;
        }
      }
    } catch (error) {
      throw signal.aborted ? new CancellationError() : modelErrorOf(error);
    } finally {
      signal.removeEventListener('abort', cancel);
      // Whoever reads no further wants no more of it.
      source.cancel();
      source.dispose();
    }
  }

  dispose(): void {
    this.#store.dispose();
  }

  #fetch(): Promise<void> {
    const fetching = this.#fetchNow();
    this.#fetched ??= fetching;
    return fetching;
  }

  async #fetchNow(): Promise<void> {
    this.#asked += 1;
    const turn = this.#asked;
    const chats = await selectAll();
    // A provider that was slow may answer after the next one was asked.
    if (this.#store.isDisposed || turn < this.#kept) {
      return;
    }
    this.#kept = turn;
    const before = listOf(this.#models);
    this.#models = new Map(chats.map((chat) => this.#knownModel(chat)).map((one) => [one.model.id, one]));
    if (listOf(this.#models) !== before) {
      this.#onDidChange.fire();
    }
  }

  #knownModel(chat: vscode.LanguageModelChat): KnownModel {
    const { name, vendor, family, version, maxInputTokens } = chat;
    const owner = this.#vendors.get(chat.id) ?? vendor;
    this.#vendors.set(chat.id, owner);
    // Ids are the vendors' own: the editor tells two models of one id apart by the vendor.
    const id = owner === vendor ? chat.id : `${vendor}/${chat.id}`;
    return { chat, model: { id, name, vendor, family, version, maxInputTokens } };
  }

  /** Asks the editor for the model as it is at this moment. */
  async #select(modelId: string): Promise<vscode.LanguageModelChat> {
    await (this.#fetched ?? this.#fetch());
    const known = this.#models.get(modelId);
    if (known) {
      const { id, vendor } = known.chat;
      const [chat] = await vscode.lm.selectChatModels({ id, vendor });
      if (chat) {
        return chat;
      }
    }
    throw new ModelError(
      'notFound',
      `The language model '${known?.model.name ?? modelId}' is no longer available.`,
    );
  }
}

interface KnownModel {
  readonly chat: vscode.LanguageModelChat;
  readonly model: LanguageModel;
}

/** Every model there is; an editor that cannot tell has none. */
async function selectAll(): Promise<readonly vscode.LanguageModelChat[]> {
  try {
    return hasApi() ? await vscode.lm.selectChatModels() : [];
  } catch {
    return [];
  }
}

function listOf(models: ReadonlyMap<string, KnownModel>): string {
  return JSON.stringify([...models.values()].map(({ model }) => model));
}

/** Editors that are built from the same source may leave the API out, or parts of it. */
function hasApi(): boolean {
  const { lm } = vscode as Partial<typeof vscode>;
  return typeof lm?.selectChatModels === 'function' && typeof lm.onDidChangeChatModels === 'function';
}

async function withToken<T>(
  signal: AbortSignal,
  work: (token: vscode.CancellationToken) => Promise<T>,
): Promise<T> {
  const source = new vscode.CancellationTokenSource();
  const cancel = (): void => source.cancel();
  signal.addEventListener('abort', cancel, { once: true });
  try {
    return await unlessAborted(work(source.token), signal);
  } catch (error) {
    throw signal.aborted ? new CancellationError() : modelErrorOf(error);
  } finally {
    signal.removeEventListener('abort', cancel);
    source.dispose();
  }
}
