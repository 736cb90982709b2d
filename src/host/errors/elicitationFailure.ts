/**
 * Why a server's form or address gets no answer:
 *
 * - `malformed`: the request breaks the specification, or asks for what was not declared (-32602);
 * - `limited`: the server asks too often (-32603);
 * - `over`: the server cancelled it or is gone, and never gets this (-32603).
 */
type ElicitationFailureKind = 'malformed' | 'limited' | 'over';

/** A failure that is sent to the server as a JSON-RPC error with this code and message. */
export class ElicitationFailure extends Error {
  readonly kind: ElicitationFailureKind;
  readonly code: number;

  constructor(kind: ElicitationFailureKind, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'ElicitationFailure';
    this.kind = kind;
    this.code = kind === 'malformed' ? -32_602 : -32_603;
  }
}
