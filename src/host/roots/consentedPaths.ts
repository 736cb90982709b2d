import type { RootsDecision } from './rootsDecisions.ts';
import type { ServerId } from '../config/serverDefinition.ts';
import { isChosen, type RootsChoice } from './rootsChoice.ts';
import type { NewRoots, RootsDecisions } from './rootsDecisions.ts';
import { truthOf, type LookOf } from './rootTruth.ts';
import type { RootCandidate, RootsView } from './rootsView.ts';
import { pathOf } from '../folders/sharedRoot.ts';

type Place = Pick<RootCandidate, 'root' | 'within'>;

/** A decision that is being made. */
interface Making {
  readonly id: ServerId;
  readonly known: RootsDecision | undefined;
  readonly choice: RootsChoice | undefined;
  readonly places: readonly Place[];
}

/**
 * The real path of each shared folder when you agreed to share it: kept with your decision;
 * otherwise, where a definition or a setting shares it, for as long as this window shares it.
 */
export class ConsentedPaths {
  readonly #decisions: RootsDecisions;
  readonly #lookOf: LookOf;
  readonly #here = new Map<ServerId, Map<string, string>>();
  readonly #keeping = new Set<ServerId>();

  constructor(decisions: RootsDecisions, lookOf: LookOf) {
    this.#decisions = decisions;
    this.#lookOf = lookOf;
  }

  /** The real path that a server's folder must have; undefined while it was not seen. */
  of(id: ServerId, uri: string): string | undefined {
    return this.#decisions.of(id)?.realPaths?.[uri] ?? this.#here.get(id)?.get(uri);
  }

  /** The real paths that these folders had at the last look. */
  found(places: readonly Place[]): ReadonlyMap<string, string> {
    return new Map(
      places.flatMap(({ root }) => {
        const look = root.uri.startsWith('file:') ? this.#lookOf(pathOf(root)) : undefined;
        return look?.kind === 'folder' ? [[root.uri, look.realPath] as const] : [];
      }),
    );
  }

  /** What is kept with a decision that consents to what was `found`. */
  after({ id, known, choice, places }: Making, found: ReadonlyMap<string, string>): Record<string, string> {
    const kept = new Map(Object.entries(known?.realPaths ?? {}));
    for (const place of places) {
      const { uri } = place.root;
      const realPath = found.get(uri) ?? this.of(id, uri);
      if (choice && isKnown(choice, uri) && isChosen(choice, place) && realPath !== undefined) {
        kept.set(uri, realPath);
      } else {
        kept.delete(uri);
      }
    }
    return Object.fromEntries(kept);
  }

  /** Holds a server's folders to what they are at the first look, and forgets those that are no longer shared. */
  hold(id: ServerId, { basis, candidates }: Pick<RootsView, 'basis' | 'candidates'>): void {
    const decision = this.#decisions.of(id);
    const before = this.#here.get(id);
    const now = new Map<string, string>();
    for (const place of candidates.filter(({ isChosen: chosen }) => chosen)) {
      const { uri } = place.root;
      const truth = truthOf(place, undefined, this.#lookOf);
      const seen = decision?.realPaths?.[uri] ?? before?.get(uri);
      const realPath = seen ?? (truth.kind === 'true' ? truth.realPath : undefined);
      if (realPath !== undefined) {
        now.set(uri, realPath);
      }
    }
    this.#here.set(id, now);
    const isLacking = [...now.keys()].some((uri) => decision && lacks(decision, uri));
    if (basis === 'person' && decision && isLacking && !this.#keeping.has(id)) {
      this.#keep(id, decision.label);
    }
  }

  /** Adds what was seen to your decision, which otherwise stays the same. */
  #keep(id: ServerId, label: string): void {
    this.#keeping.add(id);
    const kept = this.#decisions.change(id, label, (latest) => {
      this.#keeping.delete(id);
      const decision = latest();
      const seen = [...(this.#here.get(id) ?? [])];
      return decision && seen.some(([uri]) => lacks(decision, uri)) ? withPaths(decision, seen) : 'nothing';
    });
    // Where nothing can be written, what was seen holds for as long as this window is open.
    kept.catch(() => {});
  }
}

/** True when a decision shares this folder, and does not say which it is. */
function lacks(decision: RootsDecision, uri: string): boolean {
  const subfolder = decision.subfolders?.find((one) => one.uri === uri);
  const isShared = subfolder?.isShared ?? (decision.folders === 'all' || decision.folders.includes(uri));
  return isShared && (!isKnown(decision, uri) || decision.realPaths?.[uri] === undefined);
}

function withPaths(decision: RootsDecision, seen: readonly (readonly [string, string])[]): NewRoots {
  const { folders, offered, subfolders = [], realPaths = {}, at } = decision;
  const added = seen.filter(([uri]) => lacks(decision, uri));
  return {
    folders,
    offered: [...offered, ...added.map(([uri]) => uri).filter((uri) => !isKnown(decision, uri))],
    subfolders,
    // What the decision says already is what was consented to.
    realPaths: { ...Object.fromEntries(added), ...realPaths },
    at,
  };
}

function isKnown({ offered, subfolders = [] }: RootsChoice, uri: string): boolean {
  return offered.includes(uri) || subfolders.some((one) => one.uri === uri);
}
