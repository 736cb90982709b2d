import * as vscode from 'vscode';
import { CancellationError, unlessAborted } from '../../base/lifetime/cancellation.ts';
import { DisposableStore, type Disposable } from '../../base/lifetime/disposable.ts';
import { Emitter } from '../../base/lifetime/event.ts';
import {
  ModelError,
  type LanguageModel,
  type LanguageModels,
  type ModelPart,
  type ModelRequest,
} from '../../host/sampling/request/languageModels.ts';
import { tokenOf } from '../lifetime/cancellationTokens.ts';
import { modelErrorOf, requestMessages, requestOptions } from './modelMessages.ts';
import { streamAnswer } from './streamAnswer.ts';

/** The models of the editor, `vscode.lm`; an editor without this API has none. */
export class EditorLanguageModels implements LanguageModels, Disposable {
  readonly isSupported = hasApi();
  readonly #store = new DisposableStore();
  readonly #onDidChange = this.#store.add(new Emitter<void>());
  readonly onDidChange = this.#onDidChange.event;
  /** By the id that the host uses for a model. */
  #models: ReadonlyMap<string, KnownModel> = new Map();
  #fetched: Promise<void> | undefined;
  /** Numbers of the latest query of the editor, and of the query whose result is kept. */
  #asked = 0;
  #kept = 0;
  /** The vendor of each id while this window is open, so that an id never changes its model. */
  readonly #vendors = new Map<string, string>();

  constructor() {
    if (this.isSupported) {
      this.#store.add(vscode.lm.onDidChangeChatModels(() => void this.#fetch()));
    }
  }

  async available(): Promise<readonly LanguageModel[]> {
    // Only the first query is awaited: a provider may be slow each time its models change.
    await (this.#fetched ?? this.#fetch());
    return [...this.#models.values()].map(({ model }) => model);
  }

  /** The model of this id, if it was available at the latest query. */
  known(modelId: string): LanguageModel | undefined {
    return this.#models.get(modelId)?.model;
  }

  async countTokens(modelId: string, text: string, signal?: AbortSignal): Promise<number> {
    return withToken(signal ?? new AbortController().signal, async (token) => {
      const chat = this.#models.get(modelId)?.chat ?? (await this.#select(modelId));
      const count = await chat.countTokens(text, token);
      if (count === 0 && text !== '') {
        // The editor returns 0 for a model whose provider runs in another extension host.
        throw new ModelError('failed', 'The editor cannot count tokens for this language model.');
      }
      return count;
    });
  }

  send(modelId: string, request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelPart> {
    const content = { messages: requestMessages(request), options: requestOptions(request) };
    return streamAnswer(() => this.#select(modelId), content, signal);
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
    const query = this.#asked;
    const chats = await selectAll();
    // A slow query may end after a later one.
    if (this.#store.isDisposed || query < this.#kept) {
      return;
    }
    this.#kept = query;
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
    // Vendors choose the ids: the editor tells two models with the same id apart by vendor.
    const id = owner === vendor ? chat.id : `${vendor}/${chat.id}`;
    return { chat, model: { id, name, vendor, family, version, maxInputTokens } };
  }

  /** Gets the model from the editor as it is now. */
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

/** All models; none if the editor can't list them. */
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

/** Editors built from the same source may lack the API, or parts of it. */
function hasApi(): boolean {
  const { lm } = vscode as Partial<typeof vscode>;
  return typeof lm?.selectChatModels === 'function' && typeof lm.onDidChangeChatModels === 'function';
}

async function withToken<T>(
  signal: AbortSignal,
  work: (token: vscode.CancellationToken) => Promise<T>,
): Promise<T> {
  const cancelling = tokenOf(signal);
  try {
    return await unlessAborted(work(cancelling.token), signal);
  } catch (error) {
    throw signal.aborted ? new CancellationError() : modelErrorOf(error);
  } finally {
    cancelling.dispose();
  }
}
