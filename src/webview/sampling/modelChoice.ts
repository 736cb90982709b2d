import { html } from 'lit';
import type { SamplingNow } from '../../host/sampling/review/samplingProtocol.ts';
import type { Content } from '../elements.ts';

/** The list of models. Your selection stays until the host selects another model, or the model is gone. */
export class ModelChoice {
  readonly #id: string;
  readonly #changed: () => void;
  #models: SamplingNow['models'] = [];
  #chosen = '';
  #ofHost = '';

  constructor(id: string, changed: () => void) {
    this.#id = `model-${id}`;
    this.#changed = changed;
  }

  get chosen(): string {
    return this.#chosen;
  }

  update({ models, modelId }: SamplingNow): void {
    if (this.#ofHost !== modelId || !models.some(({ id }) => id === this.#chosen)) {
      this.#chosen = modelId;
    }
    this.#models = models;
    this.#ofHost = modelId;
  }

  view(): Content {
    const models = this.#models;
    const choose = ({ target }: Event): void => {
      this.#chosen = (target as HTMLSelectElement).value;
      this.#changed();
    };
    const isThere = models.some(({ id }) => id === this.#chosen);
    return html`<p class="model">
      <label for=${this.#id}>Model</label>
      <select id=${this.#id} ?disabled=${models.length === 0} @change=${choose}>
        ${isThere ? undefined : html`<option hidden selected></option>`}
        ${models.map(({ id, label }) => html`<option value=${id} .selected=${id === this.#chosen}>${label}</option>`)}
      </select>
    </p>`;
  }
}
