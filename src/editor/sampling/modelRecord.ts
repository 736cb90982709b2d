import type * as vscode from 'vscode';
import { isRecord } from '../../base/record.ts';
import type { LanguageModel, ModelRecord } from '../../host/sampling/request/languageModels.ts';

const KEY = 'sampling.models';

/** A model that has answered after a click of the person's. */
export interface RecordedModel {
  /** Vendor and id: ids are the vendors' own. */
  readonly key: string;
  /** What it was called then. */
  readonly name: string;
  readonly at: number;
}

/** The host's own record of the models that the person has used; the editor does not tell what it has granted. */
export class KeptModelRecord implements ModelRecord {
  readonly #state: Pick<vscode.Memento, 'get' | 'update'>;
  readonly #known: (modelId: string) => LanguageModel | undefined;
  readonly #now: () => number;

  /** `known` tells which model an id stands for; one that it does not know is not in the record. */
  constructor(
    state: Pick<vscode.Memento, 'get' | 'update'>,
    known: (modelId: string) => LanguageModel | undefined,
    now: () => number = Date.now,
  ) {
    this.#state = state;
    this.#known = known;
    this.#now = now;
  }

  get all(): readonly RecordedModel[] {
    const kept = this.#state.get<unknown>(KEY);
    return Array.isArray(kept) ? kept.filter(isRecorded) : [];
  }

  has(modelId: string): boolean {
    const model = this.#known(modelId);
    return model !== undefined && this.all.some(({ key }) => key === keyOf(model));
  }

  add(modelId: string): void {
    const model = this.#known(modelId);
    if (model && !this.has(modelId)) {
      void this.#keep([...this.all, { key: keyOf(model), name: model.name, at: this.#now() }]);
    }
  }

  remove(modelId: string): void {
    const model = this.#known(modelId);
    const key = model && keyOf(model);
    if (this.all.some((one) => one.key === key)) {
      void this.#keep(this.all.filter((one) => one.key !== key));
    }
  }

  /** Forgets one of them, by its key, or all. */
  async forget(key?: string): Promise<void> {
    await this.#keep(key === undefined ? [] : this.all.filter((one) => one.key !== key));
  }

  async #keep(models: readonly RecordedModel[]): Promise<void> {
    await this.#state.update(KEY, models.length > 0 ? models : undefined);
  }
}

function keyOf({ id, vendor }: LanguageModel): string {
  return `${vendor} ${id}`;
}

function isRecorded(value: unknown): value is RecordedModel {
  return (
    isRecord(value) &&
    typeof value['key'] === 'string' &&
    typeof value['name'] === 'string' &&
    typeof value['at'] === 'number'
  );
}
