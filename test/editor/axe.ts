import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import type { Frame } from 'playwright-core';

const script = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/**
 * What axe finds wrong in a frame, by all of its rules or by some: a rule, its impact, and each place with what to do
 * about it.
 */
export async function findingsOfAxe(
  frame: Frame,
  rules: readonly string[] = [],
): Promise<readonly (readonly string[])[]> {
  if (!(await frame.evaluate(() => 'axe' in globalThis))) {
    await frame.evaluate(script);
  }
  const { violations } = await frame.evaluate(
    (runOnly) =>
      (globalThis as unknown as { axe: { run(options: object): Promise<AxeResults> } }).axe.run(
        runOnly.length > 0 ? { runOnly } : {},
      ),
    rules,
  );
  return violations.map(({ id, impact, nodes }) => [
    `${id} (${impact ?? 'no impact'})`,
    ...nodes.map(({ html, failureSummary }) => `${html}: ${failureSummary ?? ''}`),
  ]);
}
