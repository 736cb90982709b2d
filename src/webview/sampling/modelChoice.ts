import type { SamplingNow } from '../../host/sampling/review/samplingProtocol.ts';
import { element } from '../elements.ts';

/** The list of models. Your selection stays until the host selects another model, or the model is gone. */
export class ModelChoice {
  readonly node: HTMLElement;
  readonly #select: HTMLSelectElement;
  #shown = '';
  #ofHost = '';

  constructor(id: string, changed: () => void) {
    this.#select = element('select', { id: `model-${id}` });
    this.#select.addEventListener('change', changed);
    this.node = element(
      'p',
      { class: 'model' },
      element('label', { for: `model-${id}` }, 'Model'),
      this.#select,
    );
  }

  get chosen(): string {
    return this.#select.value === '' ? this.#ofHost : this.#select.value;
  }

  update({ models, modelId }: SamplingNow): void {
    const chosen = this.#select.value;
    const list = JSON.stringify(models);
    const isOther = this.#shown !== list;
    if (isOther) {
      this.#shown = list;
      this.#select.replaceChildren(...models.map(({ id, label }) => element('option', { value: id }, label)));
    }
    if (isOther || this.#ofHost !== modelId) {
      const isKept = this.#ofHost === modelId && models.some(({ id }) => id === chosen);
      this.#select.value = isKept ? chosen : modelId;
    }
    this.#ofHost = modelId;
    this.#select.disabled = models.length === 0;
  }
}
