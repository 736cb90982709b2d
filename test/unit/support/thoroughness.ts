/** True in `npm run test:soak`, which has hours: see `test/soak/properties.soak.ts`. */
export const isThorough = process.env['THOROUGH_TESTS'] !== undefined;

/** How many cases a property is tried with: all of `many` when thorough, a fifth otherwise. */
export function runs(many: number): number {
  return isThorough ? many : Math.ceil(many / 5);
}
