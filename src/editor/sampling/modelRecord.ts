import type * as vscode from 'vscode';
import { isFiniteNumber, isShape, isString, type Shape } from '../../base/values/shape.ts';
import type { LanguageModel, ModelRecord } from '../../host/sampling/request/languageModels.ts';

const KEY = 'sampling.models';

const modelFields = {
  /** Vendor and id, because vendors choose the ids. */
  key: isString,
  /** Its name at that time. */
  name: isString,
  at: isFiniteNumber,
};

/** A model that has answered after a click of yours. */
export type RecordedModel = Shape<typeof modelFields>;

/** The models that you have used. The host keeps its own record because the editor doesn't reveal its consents. */
export class KeptModelRecord implements ModelRecord {
  readonly #state: Pick<vscode.Memento, 'get' | 'update'>;
  readonly #known: (modelId: string) => LanguageModel | undefined;
  readonly #now: () => number;

  /** `known` gives the model of an id; an unknown model is not in the record. */
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
    return Array.isArray(kept) ? kept.filter(isShape(modelFields)) : [];
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

  /** Forgets one model by its key, or all. */
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
