import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import type { Frame } from 'playwright-core';

const script = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** What axe finds wrong in a frame: a rule, its impact, and each place with what to do about it. */
export async function findingsOfAxe(frame: Frame): Promise<readonly (readonly string[])[]> {
  await frame.evaluate(script);
  const { violations } = await frame.evaluate(() =>
    (globalThis as unknown as { axe: { run(): Promise<AxeResults> } }).axe.run(),
  );
  return violations.map(({ id, impact, nodes }) => [
    `${id} (${impact ?? 'no impact'})`,
    ...nodes.map(({ html, failureSummary }) => `${html}: ${failureSummary ?? ''}`),
  ]);
}
