import type { ServerId } from '../../config/serverDefinition.ts';
import type { RequestInFlight } from '../../connection/requests/requestsInFlight.ts';
import { canonicalJson } from '../../../base/values/canonicalJson.ts';
import { sha256 } from '../../../base/text/sha256.ts';
import type { SamplingRequest, RequestDraft } from '../request/samplingRequest.ts';
import type { ModelAnswer } from '../request/generation.ts';

/** What you approved for a request that will come again: its answer, or that it is sent with these edits. */
export type Prepared =
  | { readonly kind: 'answer'; readonly answer: ModelAnswer; readonly isEdited: boolean }
  | { readonly kind: 'send'; readonly draft: RequestDraft };

/** The request that an answer is prepared for. */
export interface PreparedFor {
  readonly serverId: ServerId;
  /** The fingerprint of the launch. */
  readonly launch: string | undefined;
  readonly request: SamplingRequest;
}

/** The most that are kept; the oldest goes first. */
const MAX_KEPT = 50;

/**
 * What you approved for requests after their servers had stopped waiting. Each is used once, until the window closes,
 * for an identical request of the same launch and from the same tool.
 */
export class PreparedAnswers {
  readonly #kept: { readonly serverId: ServerId; readonly key: string; readonly prepared: Prepared }[] = [];

  /** `call` is the tool call that runs again. */
  keep(about: PreparedFor, call: RequestInFlight, prepared: Prepared): void {
    const key = keyOf(about, call);
    this.#drop((one) => one.key === key);
    this.#kept.push({ serverId: about.serverId, key, prepared });
    this.#kept.splice(0, this.#kept.length - MAX_KEPT);
  }

  /** Whether anything is prepared for a request of this server. */
  isKeptFor(id: ServerId): boolean {
    return this.#kept.some(({ serverId }) => serverId === id);
  }

  /** What was prepared for a request that comes while the server works on `requests`. It stays until `take`. */
  find(about: PreparedFor, requests: readonly RequestInFlight[]): Prepared | undefined {
    if (!this.isKeptFor(about.serverId)) {
      return undefined;
    }
    const keys = new Set(requests.map((call) => keyOf(about, call)));
    return this.#kept.find(({ key }) => keys.has(key))?.prepared;
  }

  /** Uses what was prepared; false if another request has used it. */
  take(prepared: Prepared): boolean {
    return this.#drop((one) => one.prepared === prepared);
  }

  /** Drops everything that is prepared for a server. */
  forget(id: ServerId): void {
    this.#drop(({ serverId }) => serverId === id);
  }

  #drop(shouldDrop: (one: { serverId: ServerId; key: string; prepared: Prepared }) => boolean): boolean {
    const left = this.#kept.filter((one) => !shouldDrop(one));
    const hasDropped = left.length < this.#kept.length;
    this.#kept.splice(0, this.#kept.length, ...left);
    return hasDropped;
  }
}

function keyOf(
  { serverId, launch, request }: PreparedFor,
  { method, target, args }: RequestInFlight,
): string {
  return sha256(canonicalJson([serverId, launch ?? null, request, method, target, args ?? {}]));
}
