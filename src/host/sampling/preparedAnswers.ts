import type { ServerId } from '../config/serverDefinition.ts';
import type { RequestInFlight } from '../connection/requests/requestsInFlight.ts';
import { canonicalJson } from '../../base/canonicalJson.ts';
import { sha256 } from '../../base/sha256.ts';
import type { SamplingRequest } from './samplingRequest.ts';
import type { ModelAnswer, RequestDraft } from './samplingReview.ts';

/** What the person approved for a request that is to come again: its answer, or that it is sent like this. */
export type Prepared =
  | { readonly kind: 'answer'; readonly answer: ModelAnswer; readonly isEdited: boolean }
  | { readonly kind: 'send'; readonly draft: RequestDraft };

/** The request that something is prepared for. */
export interface PreparedFor {
  readonly serverId: ServerId;
  /** The fingerprint of the launch. */
  readonly launch: string | undefined;
  readonly request: SamplingRequest;
}

/** So many are kept; the oldest goes first. */
const MAX_KEPT = 50;

/**
 * What the person approved for requests that had nobody waiting for them any more. Each is good once, until the
 * window closes, for an identical request of the same launch that comes out of the same tool.
 */
export class PreparedAnswers {
  readonly #kept: { readonly serverId: ServerId; readonly key: string; readonly prepared: Prepared }[] = [];

  /** `call` is the tool's that is run again. */
  keep(about: PreparedFor, call: RequestInFlight, prepared: Prepared): void {
    const key = keyOf(about, call);
    this.#drop((one) => one.key === key);
    this.#kept.push({ serverId: about.serverId, key, prepared });
    this.#kept.splice(0, this.#kept.length - MAX_KEPT);
  }

  /** Whether anything waits for a request of this server. */
  isKeptFor(id: ServerId): boolean {
    return this.#kept.some(({ serverId }) => serverId === id);
  }

  /** What was prepared for a request that comes while the server works on these, and stays until `take`. */
  find(about: PreparedFor, requests: readonly RequestInFlight[]): Prepared | undefined {
    if (!this.isKeptFor(about.serverId)) {
      return undefined;
    }
    const keys = new Set(requests.map((call) => keyOf(about, call)));
    return this.#kept.find(({ key }) => keys.has(key))?.prepared;
  }

  /** What was prepared is used now, or is gone: false when another request was first. */
  take(prepared: Prepared): boolean {
    return this.#drop((one) => one.prepared === prepared);
  }

  /** The person does not want anything of this server any more. */
  forget(id: ServerId): void {
    this.#drop(({ serverId }) => serverId === id);
  }

  #drop(isMeant: (one: { serverId: ServerId; key: string; prepared: Prepared }) => boolean): boolean {
    const left = this.#kept.filter((one) => !isMeant(one));
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
