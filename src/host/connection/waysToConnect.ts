import type { ServerDefinition } from '../config/serverDefinition.ts';
import type { HostError } from '../errors/hostError.ts';
import type { Sdk } from '../sdk/loadSdk.ts';
import { isAboutRights } from '../transport/http/refusal.ts';
import { errorIn, isOfProtocol } from '../transport/http/refusalWords.ts';
import { connectionFailure, httpBodyOf, httpStatusOf } from './failures/connectionFailure.ts';
import type { ProtocolEra } from './state/connectionState.ts';
import type { Probed, Probing } from './eraProbe.ts';

/** One way to reach a server; the next is tried when a failure says that it may be another kind of server. */
export interface Way {
  readonly transport: 'stdio' | 'streamableHttp' | 'sse';
  readonly probing: Probing;
}

/** What earlier starts of the same launch have found out at some cost. */
export interface KnownEra {
  get(): Promise<Learnt | undefined>;
  /** `undefined` forgets what turned out to be wrong. Never rejects. */
  set(learnt: Learnt | undefined): Promise<void>;
}

export interface Learnt {
  readonly era?: ProtocolEra | undefined;
  /** How the process ended in both ways, by `WayEnd.mark`: it was not the probe, so that one process is enough. */
  readonly ends?: { readonly probed: string; readonly initialized: string } | undefined;
}

/** `agreed` is a server that has answered `initialize` in a way that can be gone on with. */
export type Handshake = 'none' | 'begun' | 'agreed';

/** How one way ended. */
export interface WayEnd {
  readonly error: unknown;
  readonly probed: Probed;
  readonly failure: HostError;
  /** What came of the handshake: over HTTP+SSE it begins when the server has named where it is posted to. */
  readonly handshake: Handshake;
  /** The process ended by itself. */
  readonly hasExited: boolean;
  /** By what the end of a process is known again: how it exited and what it said, or that it was silent. */
  readonly mark?: string | undefined;
}

export interface TriedWay {
  readonly way: Way;
  readonly end?: WayEnd;
}

/** The mark of a process that answered nothing. */
export const SILENT = 'silent';

export function firstWay({ type }: ServerDefinition, known: Learnt | undefined): Way {
  switch (type) {
    case 'stdio':
      return { transport: 'stdio', probing: firstProbing(known) };
    case 'http':
      return { transport: 'streamableHttp', probing: known?.era === 'legacy' ? 'none' : 'brief' };
    case 'sse':
      return { transport: 'sse', probing: 'none' };
  }
}

/** What there is to remember when a way has led to the server, after those that did not. */
export function learntOf(
  way: Way,
  tried: readonly TriedWay[],
  known: Learnt | undefined,
): Learnt | undefined {
  if (tried.length > 1 || (isStartedByInitialize(known) && known?.ends?.probed !== SILENT)) {
    return { era: eraOf(way) };
  }
  return known?.era === undefined ? undefined : { era: known.era };
}

/**
 * What there is to remember when no way has led to a server's process: how it ended with the probe, and how with
 * `initialize`. Undefined when it was not tried in both ways.
 */
export function endsOf(tried: readonly TriedWay[]): Learnt['ends'] {
  const markOf = (isProbe: boolean): string | undefined =>
    tried.findLast(({ way }) => way.transport === 'stdio' && (way.probing !== 'none') === isProbe)?.end?.mark;
  const [probed, initialized] = [markOf(true), markOf(false)];
  return probed === undefined || initialized === undefined ? undefined : { probed, initialized };
}

/** The way that may help after this one has failed; undefined when none does that has not been tried. */
export function nextWay(
  sdk: Sdk,
  way: Way,
  end: WayEnd,
  tried: readonly TriedWay[],
  known: Learnt | undefined,
): Way | undefined {
  const endBefore = way.probing === 'none' ? known?.ends?.initialized : known?.ends?.probed;
  if (end.mark !== undefined && end.mark === endBefore) {
    return undefined;
  }
  return waysAfter(sdk, way, end).find(
    (next) => !tried.some((one) => one.way.transport === next.transport && one.way.probing === next.probing),
  );
}

/**
 * What ended alike in both ways may be asked for its era when it is better. What did not is taken for a server that
 * bears no probe, and has another trouble besides.
 */
function firstProbing(known: Learnt | undefined): Probing {
  if (isStartedByInitialize(known)) {
    return 'none';
  }
  return known?.era === undefined ? 'brief' : probingOf(known.era);
}

function isStartedByInitialize(known: Learnt | undefined): boolean {
  const { probed, initialized } = known?.ends ?? {};
  return probed !== undefined && (probed !== initialized || probed === SILENT);
}

function eraOf({ transport, probing }: Way): ProtocolEra | undefined {
  if (transport === 'sse') {
    return undefined;
  }
  return probing === 'none' ? 'legacy' : 'modern';
}

function waysAfter(sdk: Sdk, { transport, probing }: Way, end: WayEnd): readonly Way[] {
  switch (transport) {
    case 'stdio':
      return probingsAfter(sdk, probing, end).map((one) => ({ transport, probing: one }));
    case 'streamableHttp':
      return httpWaysAfter(sdk, probing, end);
    case 'sse':
      return [];
  }
}

/**
 * - A server that exited while it was probed, or was silent to the probe and to what followed, may be one that
 *   bears nothing before `initialize`: it is started anew.
 * - One that answered the probe only after it had been given up, or refuses `initialize`, may be a modern one
 *   that takes its time to start: it is probed for as long as it needs.
 */
function probingsAfter(sdk: Sdk, probing: Probing, { error, probed, hasExited }: WayEnd): readonly Probing[] {
  if (hasExited) {
    return probing === 'none' ? [] : ['none'];
  }
  const isRefusal = error instanceof sdk.ProtocolError;
  switch (probing) {
    case 'brief':
      return probed === 'late' ? ['patient'] : isTimeout(sdk, error) ? ['none'] : [];
    case 'none':
      return isRefusal ? ['patient'] : isTimeout(sdk, error) ? ['brief'] : [];
    case 'patient':
      return [];
  }
}

/**
 * - A server that answered the probe with 5xx, with no MCP, or not at all is asked once more as legacy
 *   (2026-07-28, basic/versioning: fall back on any error that is not a modern one).
 * - 400, 404 or 405 on `initialize` means HTTP+SSE, unless the body is an error that only a server of this transport
 *   gives (2025-11-25, basic/transports, and 2026-07-28, basic/transports/streamable-http: backward compatibility).
 *   Any other refusal is one, and nothing else is tried.
 * - What was remembered as legacy and refuses `initialize` is probed first.
 */
function httpWaysAfter(sdk: Sdk, probing: Probing, { error, handshake }: WayEnd): readonly Way[] {
  if (handshake === 'agreed') {
    return [];
  }
  const probed: Way = { transport: 'streamableHttp', probing: 'brief' };
  const status = httpStatusOf(sdk, error);
  if (status !== undefined && status >= 400 && status < 500) {
    if (!isNoSuchPlace(status)) {
      return [];
    }
    const refused = errorIn(httpBodyOf(sdk, error) ?? '');
    return refused && isOfProtocol(refused) ? [probed] : [probed, { transport: 'sse', probing: 'none' }];
  }
  if (probing === 'none') {
    return error instanceof sdk.ProtocolError ? [probed] : [];
  }
  const isNoModernAnswer =
    error instanceof sdk.SdkError &&
    (error.code === sdk.SdkErrorCode.EraNegotiationFailed || isTimeout(sdk, error)) &&
    connectionFailure(sdk, error).code !== 'unreachable';
  return isNoModernAnswer ? [{ transport: 'streamableHttp', probing: 'none' }] : [];
}

/** Whether a status may mean that nothing takes what is posted there. */
function isNoSuchPlace(status: number): boolean {
  return [400, 404, 405].includes(status);
}

/**
 * What is told when no way has led to the server: the failure of the last one, unless that was HTTP+SSE, which was tried
 * because something was refused, and is not spoken there either. Then it is that refusal; but where nothing takes what
 * is posted (404, 405), a stream that asks for authorization says more.
 */
export function failureToTell(tried: readonly TriedWay[]): HostError | undefined {
  const last = tried.at(-1);
  const refused = tried.findLast(({ way }) => way.transport === 'streamableHttp')?.end?.failure;
  if (last?.way.transport !== 'sse' || last.end?.handshake !== 'none' || refused === undefined) {
    return last?.end?.failure;
  }
  const wantsRights = isAboutRights(last.end.failure.status ?? 0);
  return wantsRights && refused.status !== 400 ? last.end.failure : refused;
}

function isTimeout(sdk: Sdk, error: unknown): boolean {
  return connectionFailure(sdk, error).code === 'timedOut';
}

function probingOf(era: ProtocolEra): Probing {
  return era === 'legacy' ? 'none' : 'patient';
}
