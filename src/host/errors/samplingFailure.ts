/**
 * Why a request of a server gets no answer of a model:
 *
 * - `rejected`: the person does not want it (client/sampling, error handling: code -1);
 * - `malformed`: the request is against the specification, or asks for what was not declared (-32602);
 * - `limited`: over one of the person's limits (-32603);
 * - `noModel`: there is no model (-32603);
 * - `model`: the provider of the model failed, in its words (-32603);
 * - `over`: whoever asked has given up, or is gone: nobody hears this (-32603).
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

/** A failure that goes to the server as a JSON-RPC error of this code and message. */
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
