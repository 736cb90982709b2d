// Marks an installation that is finished, and what was installed.
import { existsSync, readFileSync } from 'node:fs';

/**
 * @param {string} stamp
 * @param {string} content
 */
export function isStamped(stamp, content) {
  return existsSync(stamp) && readFileSync(stamp, 'utf8') === content;
}
