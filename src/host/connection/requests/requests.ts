import type { Progress } from '@modelcontextprotocol/client';
import { CancellationError } from '../../../base/cancellation.ts';
import { HostError, messageOf } from '../../errors/hostError.ts';
import { SamplingFailure } from '../../errors/samplingFailure.ts';
import { loadSdk } from '../../sdk/loadSdk.ts';
import type { AllowedTime } from './allowedTime.ts';
import { connectionFailure } from '../failures/connectionFailure.ts';
import { pacedProgress } from './pacedProgress.ts';
import type { PersonPause } from './requestWatchdog.ts';

export interface RequestOptions {
  /** Called with the latest step 20 times a second at most, in their order; with the last one always. */
  readonly onProgress?: (progress: Progress) => void;
}

/** What the SDK is told of a request, whose end is ours to decide. */
export interface RequestLimits {
  readonly signal: AbortSignal;
  readonly timeout: number;
  readonly onprogress: (progress: Progress) => void;
}

/** A schema (Standard Schema, version 1) that takes every result. */
export const anyResult = {
  '~standard': { version: 1, vendor: 'mcp-host', validate: (value: unknown) => ({ value }) },
} as const;

/** The SDK's own timeout is out of the way: ours pauses while the person is asked. */
const NEVER_MS = 2 ** 31 - 1;

/**
 * Sends one request, which ends when the time allowed has passed.
 *
 * @throws HostError as `requestFailure`, or `timedOut`; CancellationError when the signal aborted.
 */
export async function sendRequest<T>(
  send: (limits: RequestLimits) => Promise<T>,
  personPause: PersonPause,
  allowed: AllowedTime,
  { onProgress }: RequestOptions,
  signal: AbortSignal | undefined,
): Promise<T> {
  const paced = onProgress && pacedProgress(onProgress);
  try {
    return await personPause.watch(
      allowed,
      (abort, heard) =>
        send({
          signal: abort,
          timeout: NEVER_MS,
          onprogress: (progress) => {
            heard();
            paced?.step(progress);
          },
        }),
      signal,
    );
  } catch (error) {
    throw error instanceof CancellationError ? error : await requestFailure(error);
  } finally {
    paced?.end();
  }
}

/**
 * What a request failed with, in words: `lost` when nobody knows what the server has done of it, `sessionLost`
 * when the server has not seen it, `protocol` when it answered with an error.
 */
export async function requestFailure(error: unknown): Promise<HostError> {
  if (error instanceof HostError) {
    return error;
  }
  const sdk = await loadSdk();
  // What a modern call requires of us is part of the call: when it is refused, the call is rejected with that.
  if (error instanceof sdk.ProtocolError && error.cause instanceof SamplingFailure) {
    return samplingError(error.cause);
  }
  if (error instanceof sdk.ProtocolError) {
    return new HostError('protocol', `the server answered: ${messageOf(error)} (${error.code})`, {
      cause: error,
    });
  }
  if (error instanceof sdk.SdkError && error.code === sdk.SdkErrorCode.ConnectionClosed) {
    return new HostError('lost', 'the connection ended before the server answered', { cause: error });
  }
  // The SDK looks at a tool before it sends the call, and has no code for a connection that ended meanwhile.
  if (error instanceof Error && error.message === 'Not connected') {
    return new HostError('lost', 'the connection ended before the server was asked', { cause: error });
  }
  if (error instanceof sdk.SdkError && error.code === sdk.SdkErrorCode.CapabilityNotSupported) {
    // 2026-07-28, basic/patterns/mrtr: servers MUST NOT ask for what was not declared.
    const { method } = (error.data ?? {}) as { readonly method?: unknown };
    return new HostError(
      'protocol',
      `the server needs '${String(method)}' for it, which this host does not offer`,
      {
        cause: error,
      },
    );
  }
  return connectionFailure(sdk, error);
}

function samplingError(failure: SamplingFailure): HostError {
  return failure.kind === 'rejected'
    ? new HostError('denied', 'you did not let the server use a language model', { cause: failure })
    : new HostError('protocol', `the server needs a language model: ${failure.message}`, { cause: failure });
}
