import { secretsIn } from './secrets.ts';
import type { DraftLaunch } from './serverDraft.ts';

/** What a launch starts or reaches, on one line, for a row: which is no place for a secret. */
export function launchLine(launch: DraftLaunch): string {
  const start = launch.type === 'stdio' ? [launch.command, ...launch.args].join(' ') : launch.url;
  return secretsIn(launch).reduce((text, { value }) => text.replaceAll(value, '••••••'), start);
}
