import type { Decision } from './decision.ts';
import type { LaunchSnapshot } from './launchSnapshot.ts';
import { quotedText } from '../../base/visibleText.ts';

/** What was decided, in a few words. */
export function decisionText(decision: Decision): string {
  switch (decision.kind) {
    case 'launch':
      return decision.answer === 'allow' ? 'may start' : 'may not start';
    case 'roots': {
      const { folders, subfolders = [] } = decision;
      if (folders === 'all') {
        return 'sees all folders';
      }
      const count = folders.length + subfolders.filter(({ isShared }) => isShared).length;
      return count === 1 ? 'sees one folder' : `sees ${count === 0 ? 'no' : count} folders`;
    }
    case 'preference':
      return 'runs instead of yours of the same name';
  }
}

/** The command with its arguments, or the address, on one line. */
export function launchLine({ type, command, args, url }: LaunchSnapshot): string {
  return type === 'stdio' ? [command, ...args].map(quotedText).join(' ') : quotedText(url);
}
