import { unlessAborted } from '../../base/lifetime/cancellation.ts';
import { Coalesced } from '../../base/time/coalesced.ts';
import { DisposableStore, type Disposable } from '../../base/lifetime/disposable.ts';
import { Emitter } from '../../base/lifetime/event.ts';
import type { SamplingSettings } from './samplingSettings.ts';
import { SamplingFailure } from '../errors/samplingFailure.ts';
import type { LanguageModel, LanguageModels } from './request/languageModels.ts';
import { modelsMatching } from './request/modelChoice.ts';

/** The editor's models that your settings allow, the preferred first. */
export class AllowedModels implements Disposable {
  readonly #models: LanguageModels;
  readonly #settings: SamplingSettings;
  readonly #store = new DisposableStore();
  readonly #onDidChange = this.#store.add(new Emitter<readonly LanguageModel[]>());
  readonly onDidChange = this.#onDidChange.event;
  readonly #refreshing = new Coalesced<'models'>(() => this.#refresh());
  #latest: readonly LanguageModel[] | undefined;

  constructor(models: LanguageModels, settings: SamplingSettings) {
    this.#models = models;
    this.#settings = settings;
    this.#store.add(models.onDidChange(() => this.refresh()));
    this.#store.add(settings.onDidChange(() => this.refresh()));
  }

  get isSupported(): boolean {
    return this.#models.isSupported;
  }

  /** The models as listed last. Lists them if that has not happened yet, and gives undefined until it has. */
  latest(): readonly LanguageModel[] | undefined {
    if (this.#latest === undefined) {
      this.refresh();
    }
    return this.#latest;
  }

  /** The models now, at least one. @throws SamplingFailure `noModel`. */
  async list(signal: AbortSignal): Promise<readonly LanguageModel[]> {
    const models = await unlessAborted(this.#list(), signal).catch((error: unknown) => {
      throw noModel(error);
    });
    if (models.length === 0) {
      throw noModel();
    }
    return models;
  }

  refresh(): void {
    void this.#refreshing.run('models');
  }

  dispose(): void {
    this.#store.dispose();
  }

  async #list(): Promise<readonly LanguageModel[]> {
    const { isSupported } = this.#models;
    this.#latest = isSupported ? modelsMatching(await this.#models.available(), this.#settings.models) : [];
    return this.#latest;
  }

  async #refresh(): Promise<void> {
    // Models that can't be listed can't be used.
    const models = await this.#list().catch(() => []);
    if (!this.#store.isDisposed) {
      this.#latest = models;
      this.#onDidChange.fire(models);
    }
  }
}

export function noModel(cause?: unknown): SamplingFailure {
  return new SamplingFailure('noModel', 'No language model is available', { cause });
}
