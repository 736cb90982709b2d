import { SamplingFailure } from '../errors/samplingFailure.ts';

/** How deep a value may be nested: what is deeper is nothing that anybody could read. */
const DEPTH = 100;

/**
 * A copy of a JSON value that cannot change any more.
 *
 * @throws SamplingFailure malformed, when it is nested too deep or is no JSON; `at` says where it stands.
 */
export function frozenJson(value: unknown, at: string, depth = 0): unknown {
  if (depth > DEPTH) {
    throw new SamplingFailure('malformed', `'${at}' is nested more than ${DEPTH} levels deep.`);
  }
  if (Array.isArray(value)) {
    return Object.freeze(value.map((one) => frozenJson(one, at, depth + 1)));
  }
  if (typeof value === 'object' && value !== null) {
    return frozenRecord(value, at, depth);
  }
  if (value === null || typeof value === 'string' || typeof value === 'boolean' || Number.isFinite(value)) {
    return value;
  }
  throw new SamplingFailure('malformed', `'${at}' holds something that is no JSON.`);
}

function frozenRecord(value: object, at: string, depth: number): unknown {
  // `fromEntries` makes a field of `__proto__`, too, and no prototype.
  return Object.freeze(
    Object.fromEntries(
      Object.entries(value)
        .filter(([, field]) => field !== undefined)
        .map(([name, field]) => [name, frozenJson(field, at, depth + 1)]),
    ),
  );
}
