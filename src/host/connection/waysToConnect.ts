import type { ServerDefinition } from '../config/serverDefinition.ts';
import type { Sdk } from '../sdk/loadSdk.ts';
import { connectionFailure, httpStatusOf } from './connectionFailure.ts';
import type { ProtocolEra } from './connectionState.ts';
import type { Probed, Probing } from './eraProbe.ts';

/** One way to reach a server; the next is tried when a failure says that it may be another kind of server. */
export interface Way {
  readonly transport: 'stdio' | 'streamableHttp' | 'sse';
  readonly probing: Probing;
}

/** What earlier starts of the same launch have found out at some cost. */
export interface KnownEra {
  get(): Promise<ProtocolEra | undefined>;
  /** `undefined` forgets what turned out to be wrong. Never rejects. */
  set(era: ProtocolEra | undefined): Promise<void>;
}

/** How one way ended. */
export interface WayEnd {
  readonly error: unknown;
  readonly probed: Probed;
  /** The process ended by itself. */
  readonly hasExited: boolean;
}

export function firstWay({ type }: ServerDefinition, known: ProtocolEra | undefined): Way {
  switch (type) {
    case 'stdio':
      return { transport: 'stdio', probing: known === undefined ? 'brief' : probingOf(known) };
    case 'http':
      return { transport: 'streamableHttp', probing: known === 'legacy' ? 'none' : 'brief' };
    case 'sse':
      return { transport: 'sse', probing: 'none' };
  }
}

/** What there is to remember when a way that was not the first has led to the server. */
export function eraLearnt({ transport, probing }: Way): ProtocolEra | undefined {
  if (transport === 'sse') {
    return undefined;
  }
  return probing === 'none' ? 'legacy' : 'modern';
}

/** The way that may help after this one has failed; undefined when none does that has not been tried. */
export function nextWay(sdk: Sdk, way: Way, end: WayEnd, tried: readonly Way[]): Way | undefined {
  return waysAfter(sdk, way, end).find(
    (next) => !tried.some((one) => one.transport === next.transport && one.probing === next.probing),
  );
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
 * - A 4xx on `initialize` means HTTP+SSE (2025-03-26, basic/transports, backwards compatibility), unless
 *   it is about this client's rights or pace.
 * - What was remembered as legacy and refuses `initialize` is probed first.
 */
function httpWaysAfter(sdk: Sdk, probing: Probing, { error }: WayEnd): readonly Way[] {
  const probed: Way = { transport: 'streamableHttp', probing: 'brief' };
  const status = httpStatusOf(sdk, error);
  if (status !== undefined && status >= 400 && status < 500) {
    return [401, 403, 407, 408, 429].includes(status) ? [] : [probed, { transport: 'sse', probing: 'none' }];
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

function isTimeout(sdk: Sdk, error: unknown): boolean {
  return connectionFailure(sdk, error).code === 'timedOut';
}

function probingOf(era: ProtocolEra): Probing {
  return era === 'legacy' ? 'none' : 'patient';
}
