import { Emitter } from '../../../src/base/lifetime/event.ts';
import type {
  LanguageModel,
  LanguageModels,
  ModelPart,
  ModelRecord,
  ModelRequest,
} from '../../../src/host/sampling/request/languageModels.ts';
import { CancellationError } from '../../../src/base/lifetime/cancellation.ts';

export function model(id: string, more: Partial<LanguageModel> = {}): LanguageModel {
  return { id, name: id, vendor: 'test', family: id, version: '1', maxInputTokens: 100_000, ...more };
}

/** What a model says, piece by piece, as the test has it. */
export class Speech {
  readonly #pieces: (ModelPart | Error | 'end')[] = [];
  #wake = Promise.withResolvers<void>();
  /** Set when the listener is gone. */
  isAborted = false;

  say(text: string): this {
    return this.#push({ kind: 'text', text });
  }

  use(name: string, input: Record<string, unknown> = {}): this {
    return this.#push({ kind: 'toolUse', id: 'use 1', name, input });
  }

  end(): this {
    return this.#push('end');
  }

  fail(error: Error): this {
    return this.#push(error);
  }

  async *spoken(signal: AbortSignal): AsyncGenerator<ModelPart> {
    const abort = (): void => {
      this.isAborted = true;
      this.#wake.resolve();
    };
    signal.addEventListener('abort', abort);
    try {
      for (;;) {
        if (signal.aborted) {
          this.isAborted = true;
          throw new CancellationError();
        }
        const piece = this.#pieces.shift();
        if (piece === 'end') {
          return;
        }
        if (piece instanceof Error) {
          throw piece;
        }
        if (piece) {
          yield piece;
        } else {
          await this.#wake.promise;
          this.#wake = Promise.withResolvers();
        }
      }
    } finally {
      signal.removeEventListener('abort', abort);
    }
  }

  #push(piece: ModelPart | Error | 'end'): this {
    this.#pieces.push(piece);
    this.#wake.resolve();
    return this;
  }
}

/** Language models that say what the test wants, and keep what they were asked. */
export class ScriptedModels implements LanguageModels {
  isSupported = true;
  readonly #onDidChange = new Emitter<void>();
  readonly onDidChange = this.#onDidChange.event;
  readonly #onDidHear = new Emitter<void>();
  readonly onDidHear = this.#onDidHear.event;
  /** Every request that was sent, as it was at that moment. */
  readonly heard: { readonly modelId: string; readonly request: ModelRequest; readonly json: string }[] = [];
  /** The answer to a request; without it, "Hello." */
  speak: (request: ModelRequest) => Speech = () => new Speech().say('Hello.').end();
  #list: readonly LanguageModel[] = [model('scripted')];

  set list(models: readonly LanguageModel[]) {
    this.#list = models;
    this.#onDidChange.fire();
  }

  available(): Promise<readonly LanguageModel[]> {
    return Promise.resolve(this.#list);
  }

  countTokens(_modelId: string, text: string): Promise<number> {
    return Promise.resolve(Math.ceil(text.length / 4));
  }

  send(modelId: string, request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelPart> {
    this.heard.push({ modelId, request, json: JSON.stringify(request) });
    const speech = this.speak(request);
    this.#onDidHear.fire();
    return speech.spoken(signal);
  }

  /** Texts that the models were sent, one line for each request. */
  get said(): readonly string[] {
    return this.heard.map(({ request: { messages } }) =>
      messages
        .flatMap(({ content }) => content.map((part) => (part.kind === 'text' ? part.text : part.kind)))
        .join(' | '),
    );
  }
}

export class RememberedModels implements ModelRecord {
  readonly ids = new Set<string>();

  has(id: string): boolean {
    return this.ids.has(id);
  }

  add(id: string): void {
    this.ids.add(id);
  }

  remove(id: string): void {
    this.ids.delete(id);
  }
}
