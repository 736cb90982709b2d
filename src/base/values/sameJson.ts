/**
 * Whether two JSON values are equal, in one pass and without a text of them: true only if `canonicalJson` is the same. A
 * field that is undefined is not there, for both. The values must not be nested too deeply.
 */
export function sameJson(one: unknown, other: unknown): boolean {
  if (one === other) {
    return true;
  }
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) {
    return false;
  }
  if (Array.isArray(one)) {
    return (
      Array.isArray(other) &&
      one.length === other.length &&
      one.every((part, index) => sameJson(part, other[index]))
    );
  }
  return !Array.isArray(other) && haveSameFields(one as Fields, other as Fields);
}

type Fields = Readonly<Record<string, unknown>>;

function haveSameFields(one: Fields, other: Fields): boolean {
  let left = 0;
  for (const name in other) {
    left += other[name] === undefined ? 0 : 1;
  }
  for (const name in one) {
    const field = one[name];
    if (field !== undefined) {
      // What every object inherits under this name is no field.
      if (!Object.hasOwn(other, name) || !sameJson(field, other[name])) {
        return false;
      }
      left -= 1;
    }
  }
  return left === 0;
}
