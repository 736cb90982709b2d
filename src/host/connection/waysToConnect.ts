import type { ServerDefinition } from '../config/serverDefinition.ts';
import type { HostError } from '../errors/hostError.ts';
import type { Sdk } from '../sdk/loadSdk.ts';
import { isAboutRights } from '../transport/http/refusal.ts';
import { errorIn, isOfProtocol } from '../transport/http/refusalWords.ts';
import { connectionFailure, httpBodyOf, httpStatusOf } from './failures/connectionFailure.ts';
import type { CachedEra } from './eraStore.ts';
import type { ProtocolEra } from '../state/connectionState.ts';
import type { HandshakeProgress, Probed, Probing } from './handshake.ts';

/** One way to connect; another one is tried when a failure suggests that the server is of another kind. */
export interface Way {
  readonly transport: 'stdio' | 'streamableHttp' | 'sse';
  readonly probing: Probing;
}

/** How one way ended. */
export interface WayEnd {
  readonly error: unknown;
  readonly probed: Probed;
  readonly failure: HostError;
  /** Over HTTP+SSE, the handshake begins when the server has named its endpoint. */
  readonly handshake: HandshakeProgress;
  /** Whether the process exited although this side did not end it. */
  readonly hasExited: boolean;
  /** Identifies the end of a process: how it exited and with which message, or that it was silent. */
  readonly mark?: string | undefined;
}

export interface TriedWay {
  readonly way: Way;
  readonly end?: WayEnd;
}

/** The mark of a process that did not answer. */
export const SILENT = 'silent';

export function firstWay({ type }: ServerDefinition, known: CachedEra | undefined): Way {
  switch (type) {
    case 'stdio':
      return { transport: 'stdio', probing: firstProbing(known) };
    case 'http':
      return { transport: 'streamableHttp', probing: known?.era === 'legacy' ? 'none' : 'brief' };
    case 'sse':
      return { transport: 'sse', probing: 'none' };
  }
}

/** What to cache when a way has succeeded, after others that failed. */
export function eraToCache(
  way: Way,
  tried: readonly TriedWay[],
  known: CachedEra | undefined,
): CachedEra | undefined {
  if (tried.length > 1 || (isStartedByInitialize(known) && known?.ends?.probed !== SILENT)) {
    return { era: eraOf(way) };
  }
  return known?.era === undefined ? undefined : { era: known.era };
}

/**
 * What to cache when no way has succeeded: how the process ended with the probe, and how with `initialize`. Undefined
 * unless both were tried.
 */
export function endsOf(tried: readonly TriedWay[]): CachedEra['ends'] {
  const markOf = (isProbe: boolean): string | undefined =>
    tried.findLast(({ way }) => way.transport === 'stdio' && (way.probing !== 'none') === isProbe)?.end?.mark;
  const [probed, initialized] = [markOf(true), markOf(false)];
  return probed === undefined || initialized === undefined ? undefined : { probed, initialized };
}

/** The next way to try after this one has failed; undefined if there is none. */
export function nextWay(
  sdk: Sdk,
  way: Way,
  end: WayEnd,
  tried: readonly TriedWay[],
  known: CachedEra | undefined,
): Way | undefined {
  const endBefore = way.probing === 'none' ? known?.ends?.initialized : known?.ends?.probed;
  if (end.failure.code === 'unattended' || (end.mark !== undefined && end.mark === endBefore)) {
    return undefined;
  }
  return waysAfter(sdk, way, end).find(
    (next) => !tried.some((one) => one.way.transport === next.transport && one.way.probing === next.probing),
  );
}

/**
 * A process that ended alike with and without the probe is probed again. One that did not is taken for a server that
 * the probe ends, and that had another problem as well.
 */
function firstProbing(known: CachedEra | undefined): Probing {
  if (isStartedByInitialize(known)) {
    return 'none';
  }
  return known?.era === undefined ? 'brief' : probingOf(known.era);
}

function isStartedByInitialize(known: CachedEra | undefined): boolean {
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
 * - A server that exited while it was probed, or answered neither the probe nor `initialize`, may accept nothing before
 *   `initialize`: it restarts without the probe.
 * - One that answered the probe too late, or rejects `initialize`, may be a modern server that is slow to start: it is
 *   probed for as long as it needs.
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
 * - A server that answered the probe with 5xx, with something other than MCP, or not at all is tried as a legacy one
 *   (2026-07-28, basic/versioning: fall back on any error that is not a modern one).
 * - 400, 404 or 405 on `initialize` means HTTP+SSE, unless the body is an error that only a server of this transport
 *   gives (2025-11-25, basic/transports, and 2026-07-28, basic/transports/streamable-http: backward compatibility).
 *   After any other 4xx, nothing else is tried.
 * - A server that was cached as legacy and rejects `initialize` is probed.
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

/** Whether a status may mean that the address accepts no POST. */
function isNoSuchPlace(status: number): boolean {
  return [400, 404, 405].includes(status);
}

/**
 * The failure to report when no way has succeeded: that of the last one. If that was HTTP+SSE, which is only tried after
 * Streamable HTTP was refused, it is that refusal, except that after 404 or 405 a stream says more that requires
 * authorization, or names an endpoint that is not allowed.
 */
export function failureToReport(tried: readonly TriedWay[]): HostError | undefined {
  const last = tried.at(-1);
  const refused = tried.findLast(({ way }) => way.transport === 'streamableHttp')?.end?.failure;
  if (last?.way.transport !== 'sse' || last.end?.handshake !== 'none' || refused === undefined) {
    return last?.end?.failure;
  }
  const { code, status = 0 } = last.end.failure;
  const saysMore = isAboutRights(status) || code === 'protocol';
  return saysMore && refused.status !== 400 ? last.end.failure : refused;
}

function isTimeout(sdk: Sdk, error: unknown): boolean {
  return connectionFailure(sdk, error).code === 'timedOut';
}

function probingOf(era: ProtocolEra): Probing {
  return era === 'legacy' ? 'none' : 'patient';
}
