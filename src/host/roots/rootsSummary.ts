import { visibleText } from '../../base/text/visibleText.ts';
import type { RootCandidate, RootsView } from './rootsView.ts';
import type { Logger } from '../../base/logging/logger.ts';

/** Names that a summary says before it counts. */
const MAX_NAMED = 3;

/** The first few names, and how many more there are. */
export function listedNames(names: readonly string[]): string {
  const first = names.slice(0, MAX_NAMED).map(visibleText).join(', ');
  return names.length > MAX_NAMED ? `${first} and ${names.length - MAX_NAMED} more` : first;
}

/** What a server may see, in a few words; `isSilent` for one that runs and has not asked for roots. */
export function rootsSummary(view: RootsView, isSilent = false): string {
  const { candidates, leftOut, shared, basis } = view;
  if (candidates.length + leftOut.length === 0) {
    return 'the workspace has no folders';
  }
  const isUndecided = basis === 'undecided' && candidates.length > 0;
  const out = candidates.filter(({ isChosen }) => !isChosen).length + leftOut.length;
  const unavailable = candidates.filter(({ isChosen, problem }) => isChosen && problem).length;
  return [
    isUndecided ? 'not decided yet' : listedNames(shared.map(({ name }) => name)) || 'none',
    ...(out > 0 && shared.length > 0 ? [`${out} not shared`] : []),
    ...(unavailable > 0 ? [`${unavailable} unavailable`] : []),
    ...(basis === 'setting' ? ['by your settings'] : []),
    ...(basis === 'definition' ? ['by its definition'] : []),
    ...(isSilent ? ['has not asked for them'] : []),
  ].join(' · ');
}

/** How one folder stands, in a few words; empty for one that is simply shared. See also its problem. */
export function standingText(
  { basis, shared }: RootsView,
  { root, isChosen, problem }: RootCandidate,
): string {
  switch (problem?.kind) {
    case 'moved':
      return 'is another folder now';
    case 'outside':
      return 'leads out of its folder';
    case 'missing':
    case 'unreadable':
    case 'notAFolder':
    case 'refused':
      return problem.message;
    case undefined:
      break;
  }
  if (!isChosen) {
    return basis === 'undecided' ? 'not decided yet' : 'not shared';
  }
  return shared.some(({ uri }) => uri === root.uri) ? '' : 'not looked at yet';
}

/** Who decided what a server may see, and what happens to folders that are added later. */
export function basisText({ basis, isForLater }: RootsView): string {
  const later = isForLater
    ? 'Folders that are added later are shared, too.'
    : 'Folders that are added later wait until you share them.';
  switch (basis) {
    case 'person':
      return `You decided this. ${later}`;
    case 'definition':
      return `Decided by "roots" in its definition in your settings. ${later}`;
    case 'setting':
      return `Decided by your setting mcpHost.roots.default. ${later}`;
    case 'undecided':
      return 'Nothing is decided yet: no folder is shared, and you are asked when the server wants to know.';
  }
}

/** What roots do, and what they do not. */
export const rootsMeaning =
  'Roots are folders that MCP Host shares with a server, so that it knows where to work. They do not limit it: ' +
  'a server that runs on this machine can reach everything that you can.';

/** Writes into a server's log which of its folders is withdrawn, and why, and which has come back. */
export class RootsLog {
  readonly #logger: Logger;
  readonly #withdrawn = new Map<string, string>();

  constructor(logger: Logger) {
    this.#logger = logger;
  }

  /** Call when what the server may see may be different. */
  update({ candidates, shared }: RootsView): void {
    for (const { root, isChosen, problem } of candidates) {
      const name = visibleText(root.name);
      if (isChosen && problem && this.#withdrawn.get(root.uri) !== problem.message) {
        this.#withdrawn.set(root.uri, problem.message);
        this.#logger.log('warn', `The folder '${name}' is not shared with this server: ${problem.message}`);
      } else if (!isChosen) {
        this.#withdrawn.delete(root.uri);
      } else if (shared.includes(root) && this.#withdrawn.delete(root.uri)) {
        this.#logger.log('info', `The folder '${name}' is shared with this server again.`);
      }
    }
  }
}
