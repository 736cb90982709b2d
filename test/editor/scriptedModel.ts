import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CodeServerOptions } from './codeServer.ts';
import { expect } from './expectation.ts';
import { root } from './paths.mjs';
import { TemporaryFolder } from './temporaryFolder.ts';

/** A part of a message as the model got it: text, an image, the use of a tool, or what the tool gave. */
interface HeardPart {
  readonly text?: string;
  readonly mimeType?: string;
  /** Base64. */
  readonly data?: string;
  readonly callId?: string;
  readonly name?: string;
  readonly input?: unknown;
  readonly result?: readonly HeardPart[];
}

/** A request as a scripted model got it. */
export interface HeardRequest {
  readonly model: string;
  readonly messages: readonly {
    readonly role: 'user' | 'assistant';
    readonly content: readonly HeardPart[];
  }[];
  readonly modelOptions?: Readonly<Record<string, unknown>>;
  readonly offered: readonly { readonly name: string }[];
  readonly toolMode: 'auto' | 'required';
}

/** The editor's language models in a test, which follow the script in `fixtures/helper/main.js`. */
export class ScriptedModel {
  readonly #folder = new TemporaryFolder('model');
  readonly #log = this.#folder.join('requests.jsonl');

  /** What a server is started with, so that its windows have the models. */
  get options(): Required<Pick<CodeServerOptions, 'unpacked' | 'env'>> {
    return {
      unpacked: [join(root, 'test/editor/fixtures/helper')],
      env: { SCRIPTED_MODEL_LOG: this.#log },
    };
  }

  /** Every request so far, byte for byte. */
  requests(): readonly HeardRequest[] {
    const lines = existsSync(this.#log) ? readFileSync(this.#log, 'utf8').split('\n') : [];
    return lines.filter((line) => line !== '').map((line) => JSON.parse(line) as HeardRequest);
  }

  /** Waits until there have been that many requests, and gives the last one. */
  async heard(count: number): Promise<HeardRequest> {
    const requests = await expect(
      `${count} requests to the models`,
      () => Promise.resolve(this.requests()),
      ({ length }) => length === count,
    );
    return requests.at(-1) as HeardRequest;
  }

  /** Ends an answer that holds. */
  endAnswer(): void {
    writeFileSync(`${this.#log}.end`, '');
  }

  /** Begins to count from zero again. */
  forget(): void {
    rmSync(this.#log, { force: true });
    rmSync(`${this.#log}.end`, { force: true });
  }

  /** Removes what was written down. */
  remove(): void {
    this.#folder.remove();
  }
}
