import { isRecord } from '../../base/values/record.ts';
import type { Schema } from '../schemas/jsonSchema.ts';

const CARRIED = 'mcp-host/carried';

/**
 * A large result that was checked in steps, in the `_meta` of an empty result of the same kind: the SDK, through which it
 * goes, would check it again, at once.
 */
class Carried {
  readonly result: Schema;

  constructor(result: Schema) {
    this.result = result;
  }
}

/** The empty result with this one in its `_meta`. */
export function carrying(empty: Schema, result: Schema): Schema {
  return { ...empty, _meta: { [CARRIED]: new Carried(result) } };
}

/** The result as it was checked. Nothing that came as JSON is an instance of `Carried`. */
export function whole<T>(result: T): T {
  const meta = isRecord(result) ? result['_meta'] : undefined;
  const carried = isRecord(meta) ? meta[CARRIED] : undefined;
  return carried instanceof Carried ? (carried.result as T) : result;
}
