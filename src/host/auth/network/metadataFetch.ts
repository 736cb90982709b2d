import type { FetchLike } from '@modelcontextprotocol/client';
import { visibleText } from '../../../base/text/visibleText.ts';
import { cutTo } from '../../../base/text/words.ts';
import { HostError, messageOf } from '../../errors/hostError.ts';
import { signInBounds, textBounds } from '../../json/bounds.ts';
import { excessOf } from '../../json/weight.ts';
import { readIssuerAnswer } from './issuerAnswers.ts';

const most = { values: signInBounds.values, characters: signInBounds.bytes } as const;

/**
 * What the SDK's discovery fetches with. The SDK parses the body of any 2xx as metadata; here, a page or other content that
 * isn't a JSON object counts as missing (404), so that the search goes on. See `readIssuerAnswer` for what is read of the
 * others.
 */
export class MetadataFetch {
  readonly #fetch: FetchLike;
  readonly #signal: AbortSignal | undefined;
  #status = 0;

  constructor(fetch: FetchLike, signal: AbortSignal | undefined) {
    this.#fetch = fetch;
    this.#signal = signal;
  }

  /** Whether the last request found no document where it looked. */
  get foundNothing(): boolean {
    return this.#status >= 400 && this.#status < 500;
  }

  readonly fetch: FetchLike = async (url, init) => {
    this.#status = 0;
    const response = await this.#fetch(url, { ...init, ...(this.#signal && { signal: this.#signal }) });
    this.#status = response.status;
    if (!response.ok) {
      return response;
    }
    const document = readIssuerAnswer('metadata', await response.text());
    if (!document) {
      this.#status = 404;
      return new Response(null, { status: 404 });
    }
    const excess = excessOf(document, most);
    if (excess !== undefined) {
      throw new HostError('protocol', `the metadata for signing in at '${new URL(url).host}' ${excess}`);
    }
    return Response.json(document);
  };

  /** The failure for what the SDK threw about the metadata of `who`. */
  failure(error: unknown, who: string): unknown {
    if (error instanceof HostError || this.#signal?.aborted) {
      return error;
    }
    const status = this.#status;
    if (status >= 300) {
      const message = `${who} answered ${status} when asked how to sign in; try again later, or ask whoever runs it`;
      return new HostError('refused', message, { status, cause: error });
    }
    const reason = visibleText(cutTo(messageOf(error).replaceAll(/\s+/g, ' '), textBounds.words));
    return new HostError(
      'protocol',
      `${who} has malformed metadata, so you can't sign in: ${reason}; whoever runs it has to correct that`,
      { cause: error },
    );
  }
}
