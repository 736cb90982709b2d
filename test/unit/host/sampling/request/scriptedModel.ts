import { Emitter } from '../../../../../src/base/lifetime/event.ts';
import type {
  LanguageModel,
  LanguageModels,
  ModelPart,
  ModelRequest,
} from '../../../../../src/host/sampling/request/languageModels.ts';

export const large: LanguageModel = {
  id: 'large-1',
  name: 'Large',
  vendor: 'test',
  family: 'large',
  version: '1',
  maxInputTokens: 1_000,
};

/** Language models that say what a test has them say: a text is a part, too. A token is a character. */
export class ScriptedModels implements LanguageModels {
  readonly isSupported = true;
  readonly onDidChange = new Emitter<void>().event;
  readonly sent: ModelRequest[] = [];
  readonly counted: string[] = [];
  /** Parts that were taken from the stream. */
  taken = 0;
  hasEnded = false;
  signal: AbortSignal | undefined;
  count: (text: string) => number | Promise<number> = (text) => text.length;
  readonly #script: () => Iterable<string | ModelPart | Promise<string | ModelPart>>;

  constructor(...script: readonly (string | ModelPart | Promise<string | ModelPart>)[]) {
    this.#script = () => script;
  }

  available(): Promise<readonly LanguageModel[]> {
    return Promise.resolve([large]);
  }

  async countTokens(_modelId: string, text: string): Promise<number> {
    this.counted.push(text);
    return this.count(text);
  }

  async *send(_modelId: string, request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelPart> {
    this.sent.push(request);
    this.signal = signal;
    try {
      for (const part of this.#script()) {
        const said = await part;
        this.taken += 1;
        yield typeof said === 'string' ? { kind: 'text', text: said } : said;
      }
    } finally {
      this.hasEnded = true;
    }
  }
}
