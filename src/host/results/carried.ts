import { isRecord } from '../../base/record.ts';
import type { Schema } from '../schemas/jsonSchema.ts';

const CARRIED = 'mcp-host/carried';

/**
 * A large result that has been checked in steps, on its way through the SDK, which would check it once more and in
 * one go: in the `_meta` of a result of the same kind that is empty.
 */
class Carried {
  readonly result: Schema;

  constructor(result: Schema) {
    this.result = result;
  }
}

/** The empty result that carries this one. */
export function carrying(empty: Schema, result: Schema): Schema {
  return { ...empty, _meta: { [CARRIED]: new Carried(result) } };
}

/** The result as it was checked, wherever it went. Nothing that came as JSON is an instance. */
export function whole<T>(result: T): T {
  const meta = isRecord(result) ? result['_meta'] : undefined;
  const carried = isRecord(meta) ? meta[CARRIED] : undefined;
  return carried instanceof Carried ? (carried.result as T) : result;
}
