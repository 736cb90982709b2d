/**
 * Why a server's request for a model fails:
 *
 * - `rejected`: the user refused it (client/sampling, error handling: code -1);
 * - `malformed`: the request breaks the specification, or asks for what was not declared (-32602);
 * - `limited`: over one of the user's limits (-32603);
 * - `noModel`: there is no model (-32603);
 * - `model`: the provider of the model failed, in its words (-32603);
 * - `over`: the server cancelled it or is gone, and never gets this (-32603).
 */
export type SamplingFailureKind = 'rejected' | 'malformed' | 'limited' | 'noModel' | 'model' | 'over';

const codes: Readonly<Record<SamplingFailureKind, number>> = {
  rejected: -1,
  malformed: -32_602,
  limited: -32_603,
  noModel: -32_603,
  model: -32_603,
  over: -32_603,
};

/** A failure that is sent to the server as a JSON-RPC error with this code and message. */
export class SamplingFailure extends Error {
  readonly kind: SamplingFailureKind;
  readonly code: number;

  constructor(kind: SamplingFailureKind, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'SamplingFailure';
    this.kind = kind;
    this.code = codes[kind];
  }
}

export function rejected(): SamplingFailure {
  return new SamplingFailure('rejected', 'User rejected sampling request');
}
