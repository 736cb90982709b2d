import { homedir } from 'node:os';
import type { RootsDecision } from './rootsDecisions.ts';
import type { ServerDefinition } from '../config/serverDefinition.ts';
import type { HostSettings } from '../config/settings.ts';
import { isAboutFolders, isChosen } from './rootsChoice.ts';
import { isProposed, proposedRoots, type ProposedRoots } from './rootsProposal.ts';
import type { RootCandidate, RootsView } from './rootsView.ts';
import { visibleFolders, type SharedRoot, type WorkspaceFolder } from '../folders/sharedRoot.ts';
import { subfolderIn, type Subfolder } from '../folders/subfolder.ts';

/** What decides which folders a server may see. */
export interface RootsSources {
  readonly folders: readonly WorkspaceFolder[];
  /** What you decided about this server, in any workspace. */
  readonly decision: RootsDecision | undefined;
  readonly rootsDefault: HostSettings['rootsDefault'];
}

type Place = Pick<RootCandidate, 'root' | 'within'>;

/** One source's word on which folders are shared. */
interface Verdict {
  readonly basis: RootsView['basis'];
  readonly isForLater: boolean;
  readonly isChosen: (place: Place) => boolean;
}

/**
 * What a server can see by what was decided, whatever the disk says: by you, else by your
 * own definition, else by the setting. What a workspace brings can propose, and never grant.
 */
export function wantedRoots(
  definition: ServerDefinition,
  { folders, decision, rootsDefault }: RootsSources,
): Omit<RootsView, 'shared'> {
  const { onDisk, refused, leftOut } = visibleFolders(definition.origin, folders);
  const proposal = proposedRoots(definition, onDisk, { folders, home: homedir() });
  const choice = decision && isAboutFolders(decision, onDisk) ? decision : undefined;
  const { basis, isForLater, ...verdict } = verdictOf(definition, proposal, choice, rootsDefault);
  const candidates = placesOf(onDisk, proposal.subfolders, decision).map((place): RootCandidate => {
    const chosen = verdict.isChosen(place);
    const proposed = basis === 'person' ? chosen : isProposed(proposal, place);
    return { ...place, isChosen: chosen, isProposed: proposed };
  });
  const none = { isChosen: false, isProposed: false };
  return {
    basis,
    isForLater,
    candidates: [...candidates, ...[...refused, ...proposal.refused].map((one) => ({ ...one, ...none }))],
    leftOut,
  };
}

function verdictOf(
  { origin, roots }: ServerDefinition,
  proposal: ProposedRoots,
  choice: RootsDecision | undefined,
  rootsDefault: HostSettings['rootsDefault'],
): Verdict {
  if (choice) {
    return {
      basis: 'person',
      isForLater: choice.folders === 'all',
      isChosen: (place) => isChosen(choice, place),
    };
  }
  if (origin.scope === 'user' && roots !== undefined) {
    return {
      basis: 'definition',
      isForLater: proposal.folders === 'all',
      isChosen: (place) => isProposed(proposal, place),
    };
  }
  const isAll = rootsDefault === 'all';
  return {
    basis: rootsDefault === 'ask' ? 'undecided' : 'setting',
    isForLater: isAll,
    isChosen: ({ within }) => isAll && within === undefined,
  };
}

/** The folders in their order, each followed by its sub-folders: those added before those proposed. */
function placesOf(
  folders: readonly SharedRoot[],
  proposed: readonly Subfolder[],
  decision: RootsDecision | undefined,
): readonly Place[] {
  const added = (decision?.subfolders ?? []).flatMap((one) => {
    const within = folders.find(({ uri }) => uri === one.within);
    const subfolder = within && subfolderIn(within, one.uri);
    return subfolder ? [subfolder] : [];
  });
  const isAdded = ({ root }: Subfolder): boolean => added.some((one) => one.root.uri === root.uri);
  const subfolders = [...added, ...proposed.filter((one) => !isAdded(one))];
  return folders.flatMap((root): Place[] => [
    { root },
    ...subfolders.filter(({ within }) => within.uri === root.uri),
  ]);
}
