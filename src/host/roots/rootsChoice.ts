import type { RootCandidate } from './rootsView.ts';
import type { SharedRoot } from '../folders/sharedRoot.ts';

/** What you decided about the folders of every workspace that a server was seen in. */
export interface RootsChoice {
  readonly folders: 'all' | readonly string[];
  /** Every folder that you were asked about. `all` holds in a workspace that has one of these. */
  readonly offered: readonly string[];
  readonly subfolders?: readonly SubfolderChoice[];
}

/** A folder inside one of the workspace's that was added to what a server can see. */
interface SubfolderChoice {
  readonly uri: string;
  /** The URI of the workspace's folder that it is in. */
  readonly within: string;
  readonly isShared: boolean;
}

type Place = Pick<RootCandidate, 'root' | 'within'>;

/** "All" is about one workspace, and holds for what is added to it; not for another workspace. */
export function isAboutFolders({ offered }: RootsChoice, present: readonly SharedRoot[]): boolean {
  return present.some(({ uri }) => offered.includes(uri));
}

/** Whether a choice about this workspace shares the folder. */
export function isChosen({ folders, subfolders = [] }: RootsChoice, { root, within }: Place): boolean {
  return within
    ? subfolders.some(({ uri, isShared }) => uri === root.uri && isShared)
    : folders === 'all' || folders.includes(root.uri);
}

/**
 * The choice after you were asked about some places and allowed some of them: "all" when nothing
 * is left out. The choice about others stays as it was, and is never widened.
 */
export function chosenAmong(
  known: RootsChoice | undefined,
  asked: readonly Place[],
  allowed: readonly string[],
): RootsChoice {
  const uris = asked.filter(({ within }) => !within).map(({ root }) => root.uri);
  const others = (list: readonly string[] = []): string[] => list.filter((uri) => !uris.includes(uri));
  const offered = [...uris, ...others(known?.offered)];
  const folders = [
    ...uris.filter((uri) => allowed.includes(uri)),
    ...others(known?.folders === 'all' ? known.offered : known?.folders),
  ];
  const within = asked.flatMap((one) =>
    one.within
      ? [{ uri: one.root.uri, within: one.within.uri, isShared: allowed.includes(one.root.uri) }]
      : [],
  );
  const elsewhere = (known?.subfolders ?? []).filter(({ uri }) => !within.some((one) => one.uri === uri));
  return {
    folders: offered.every((uri) => folders.includes(uri)) ? 'all' : folders,
    offered,
    subfolders: [...within, ...elsewhere],
  };
}

/** The same folders, without a word on those that are added later. */
export function withoutLater({ folders, ...choice }: RootsChoice): RootsChoice {
  return { ...choice, folders: folders === 'all' ? choice.offered : folders };
}

/** The choice without these places; undefined when nothing is left. */
export function withoutPlaces(known: RootsChoice, places: readonly Place[]): RootsChoice | undefined {
  const uris = places.map(({ root }) => root.uri);
  const offered = known.offered.filter((uri) => !uris.includes(uri));
  return offered.length === 0
    ? undefined
    : {
        offered,
        folders: known.folders === 'all' ? 'all' : known.folders.filter((uri) => !uris.includes(uri)),
        subfolders: (known.subfolders ?? []).filter(({ uri }) => !uris.includes(uri)),
      };
}
