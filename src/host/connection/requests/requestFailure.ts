import { HostError, messageOf } from '../../errors/hostError.ts';
import { ElicitationFailure } from '../../errors/elicitationFailure.ts';
import { SamplingFailure } from '../../errors/samplingFailure.ts';
import { loadSdk } from '../../sdk/loadSdk.ts';
import { connectionFailure } from '../failures/connectionFailure.ts';

/** The server refuses a request until you have opened addresses (2025-11-25, client/elicitation). */
export const ADDRESSES_REQUIRED = -32_042;

/**
 * Turns what a request threw into a failure: `lost` when it is unknown what the server has done, `sessionLost` when
 * the server has not seen the request, `protocol` when it answered with an error.
 */
export async function requestFailure(error: unknown): Promise<HostError> {
  if (error instanceof HostError) {
    return error;
  }
  const options = { cause: error };
  const sdk = await loadSdk();
  // A modern call is rejected with the failure of the input that it requires.
  if (error instanceof sdk.ProtocolError && error.cause instanceof SamplingFailure) {
    return modelFailure(error.cause);
  }
  const asked = error instanceof sdk.ProtocolError ? error.cause : error;
  if (asked instanceof ElicitationFailure) {
    return new HostError('protocol', `the server needs your answer: ${asked.message}`, options);
  }
  if (error instanceof sdk.ProtocolError) {
    return new HostError('protocol', `the server answered: ${messageOf(error)} (${error.code})`, options);
  }
  if (error instanceof sdk.SdkError && error.code === sdk.SdkErrorCode.ConnectionClosed) {
    return new HostError('lost', 'the connection ended before the server answered', options);
  }
  // A call waits for the check of its tool's schema. The SDK has no code for a connection that ended meanwhile.
  if (error instanceof Error && error.message === 'Not connected') {
    return new HostError('lost', 'the connection ended before the request was sent', options);
  }
  if (error instanceof sdk.SdkError && error.code === sdk.SdkErrorCode.CapabilityNotSupported) {
    // 2026-07-28, basic/patterns/mrtr: servers MUST NOT require what the client has not declared.
    const { method } = (error.data ?? {}) as { readonly method?: unknown };
    const message = `the server requires '${String(method)}', which MCP Host does not offer it`;
    return new HostError('protocol', message, options);
  }
  return connectionFailure(sdk, error);
}

function modelFailure(failure: SamplingFailure): HostError {
  return failure.kind === 'rejected'
    ? new HostError('denied', 'you did not let the server use a language model', { cause: failure })
    : new HostError('protocol', `the server needs a language model: ${failure.message}`, { cause: failure });
}
