import { parseArgs } from 'node:util';

/** The text after `-g` in this process's parameters. */
export function grepOption(): string | undefined {
  return parseArgs({ options: { grep: { type: 'string', short: 'g' } } }).values.grep;
}
