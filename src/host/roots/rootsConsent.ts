import type { After } from '../../base/time/clock.ts';
import { DisposableStore, type Disposable } from '../../base/lifetime/disposable.ts';
import { Emitter } from '../../base/lifetime/event.ts';
import type { RootsDecision } from './rootsDecisions.ts';
import type { DecisionStore } from '../decisions/decisionStore.ts';
import type { ServerDefinition } from '../config/serverDefinition.ts';
import { HostError } from '../errors/hostError.ts';
import type { HostSettings } from '../config/settings.ts';
import { ConsentedPaths } from './consentedPaths.ts';
import { LocalDisk, type FolderDisk } from '../folders/folderDisk.ts';
import { FolderWatch } from '../folders/folderWatch.ts';
import { RootsDecisions } from './rootsDecisions.ts';
import { chosenAmong, withoutLater, withoutPlaces, type RootsChoice } from './rootsChoice.ts';
import { truthOf } from './rootTruth.ts';
import { offeredIn, type RootCandidate, type RootsView } from './rootsView.ts';
import { type RootsSource, type SharedRoot, pathOf, visibleFolders } from '../folders/sharedRoot.ts';
import { subfolderAt, type Subfolder } from '../folders/subfolder.ts';
import { wantedRoots } from './wantedRoots.ts';

export type { RootsView } from './rootsView.ts';

/** A server as a decision names it; `label` is what it is called in the editor. */
export interface ConsentSubject {
  readonly definition: ServerDefinition;
  readonly label: string;
}

/** What the consent needs of its surroundings. */
export interface RootsConsentPorts {
  readonly folders: RootsSource;
  readonly settings: Pick<HostSettings, 'rootsDefault' | 'onDidChange'>;
  readonly decisions: DecisionStore;
  readonly disk?: FolderDisk;
  readonly after?: After;
}

/** What a decision is about besides the candidates: what it newly consents to. */
interface Act {
  /** The URIs that you chose to share, as they are now. */
  readonly named: readonly string[];
  readonly added?: Subfolder;
  /** What is then decided; undefined forgets it. */
  readonly choose: (view: RootsView, known: RootsDecision | undefined) => RootsChoice | undefined;
}

/**
 * Which folders each server may see: what was decided, by whom, and whether it holds on the disk. A
 * folder is shared from the first look at it on, and only while it is what was consented to.
 */
export class RootsConsent implements Disposable {
  readonly #onDidChange = new Emitter<void>();
  /** The workspace has other folders, something was decided, a folder has become accessible or is gone, or the setting has changed. */
  readonly onDidChange = this.#onDidChange.event;
  readonly #ports: RootsConsentPorts;
  readonly #store = new DisposableStore();
  readonly #decisions: RootsDecisions;
  readonly #watch: FolderWatch;
  readonly #paths: ConsentedPaths;
  #followed: readonly ServerDefinition[] = [];

  constructor(ports: RootsConsentPorts) {
    this.#ports = ports;
    this.#decisions = new RootsDecisions(ports.decisions);
    this.#watch = this.#store.add(new FolderWatch(ports.disk ?? new LocalDisk(), ports.after));
    this.#paths = new ConsentedPaths(this.#decisions, (path) => this.#watch.lookOf(path));
    const { folders, decisions, settings } = ports;
    for (const event of [folders.onDidChange, decisions.onDidChange, settings.onDidChange]) {
      this.#store.add(event(() => this.#changed()));
    }
    this.#store.add(this.#watch.onDidChange(() => this.#looked()));
  }

  dispose(): void {
    this.#store.dispose();
    this.#onDidChange.dispose();
  }

  /** Ends it; resolved when nothing more is written. */
  async close(): Promise<void> {
    this.dispose();
    await this.#decisions.settled();
  }

  /** Watches the folders of exactly these servers, as far as they are shared. */
  follow(definitions: readonly ServerDefinition[]): void {
    this.#followed = definitions;
    this.#rewatch();
  }

  /** What a server may see as far as is known now; see `check`. */
  viewOf(definition: ServerDefinition): RootsView {
    const shared: SharedRoot[] = [];
    const wanted = this.#wantedOf(definition);
    const candidates = wanted.candidates.map((one): RootCandidate => {
      if (!one.isChosen) {
        return one;
      }
      const consented = this.#paths.of(definition.id, one.root.uri);
      const truth = truthOf(one, consented, (path) => this.#watch.lookOf(path));
      if (truth.kind === 'true') {
        shared.push(one.root);
      }
      return truth.kind === 'problem' ? { ...one, problem: truth.problem } : one;
    });
    return { ...wanted, shared, candidates };
  }

  /** True when nothing is offered to this server, or something has decided what it may see. */
  isDecided(definition: ServerDefinition): boolean {
    const view = this.viewOf(definition);
    return view.basis !== 'undecided' || offeredIn(view).length === 0;
  }

  /** Looks at the disk now; call it before each answer to `roots/list`. */
  async check(definition: ServerDefinition): Promise<void> {
    await this.#watch.look(this.#chosenPaths(definition));
    this.#hold(definition);
  }

  /**
   * Shares exactly these of the candidates: "all", also of what is added later, when they are all. What
   * was decided about folders that this window does not have stays. Naming a folder that has `moved` shares
   * what it leads to now.
   *
   * @throws what the file system says when the decision cannot be kept.
   */
  choose(subject: ConsentSubject, uris: readonly string[]): Promise<void> {
    return this.chooseAmong(subject, undefined, uris);
  }

  /** As `choose`, where you were asked about these candidates only. */
  chooseAmong(
    subject: ConsentSubject,
    asked: readonly string[] | undefined,
    uris: readonly string[],
  ): Promise<void> {
    const isAsked = ({ root }: RootCandidate): boolean => !asked || asked.includes(root.uri);
    return this.#decide(subject, {
      named: uris,
      choose: (view, known) => chosenAmong(known, choosable(view).filter(isAsked), uris),
    });
  }

  /** Shares one of the candidates, or stops sharing it; the others, and later ones, stay as they are. */
  setShared(subject: ConsentSubject, uri: string, isShared: boolean): Promise<void> {
    return this.#decide(subject, {
      named: isShared ? [uri] : [],
      choose: (view, known) => {
        const others = chosenIn(view).filter((one) => one !== uri);
        const choice = chosenAmong(known, choosable(view), isShared ? [...others, uri] : others);
        return view.isForLater ? choice : withoutLater(choice);
      },
    });
  }

  /**
   * Shares a folder inside one of the workspace's folders, by its absolute path.
   *
   * @throws HostError with a sentence when it cannot be shared.
   */
  async addSubfolder(subject: ConsentSubject, path: string): Promise<SharedRoot> {
    const { onDisk } = visibleFolders(subject.definition.origin, this.#ports.folders.folders);
    const added = subfolderAt(path, onDisk);
    if ('message' in added) {
      throw new HostError('folderRefused', added.message);
    }
    await this.#watch.look([pathOf(added.root), pathOf(added.within)]);
    const truth = truthOf(added, undefined, (one) => this.#watch.lookOf(one));
    if (truth.kind === 'problem') {
      throw new HostError('folderRefused', truth.problem.message);
    }
    const { uri } = added.root;
    await this.#decide(subject, {
      named: [uri],
      added,
      choose: (view, known) => {
        const places = [...choosable(view).filter(({ root }) => root.uri !== uri), added];
        const choice = chosenAmong(known, places, [...chosenIn(view), uri]);
        return view.isForLater ? choice : withoutLater(choice);
      },
    });
    return added.root;
  }

  /** Takes a sub-folder out of what a server may see; one that its definition proposes stays offered. */
  removeSubfolder(subject: ConsentSubject, uri: string): Promise<void> {
    return this.#decide(subject, {
      named: [],
      choose: (view, known) => {
        const chosen = chosenIn(view).filter((one) => one !== uri);
        const choice = chosenAmong(known, choosable(view), chosen);
        const subfolders = choice.subfolders?.filter((one) => one.uri !== uri) ?? [];
        return { ...(view.isForLater ? choice : withoutLater(choice)), subfolders };
      },
    });
  }

  /** "Reset to Ask": forgets what you decided about the folders of this workspace. */
  reset(subject: ConsentSubject): Promise<void> {
    return this.#decide(subject, {
      named: [],
      choose: (view, known) => known && withoutPlaces(known, view.candidates),
    });
  }

  #decide({ definition, label }: ConsentSubject, { named, added, choose }: Act): Promise<void> {
    return this.#decisions.change(definition.id, label, async (latest) => {
      const before = this.viewOf(definition);
      const places = added ? [...before.candidates, added] : before.candidates;
      const candidates = before.candidates.filter(({ root }) => named.includes(root.uri));
      // You saw where a folder that has moved leads to: that is what you agree to.
      const told = this.#paths.found(candidates.filter(({ problem }) => problem?.kind === 'moved'));
      // What is shared already stays what it is: you didn't see whether it has moved this very moment.
      const fresh = [...candidates.filter(({ isChosen }) => !isChosen), ...(added ? [added] : [])];
      await this.#watch.look(pathsOf(fresh));
      const known = latest();
      const choice = choose(this.viewOf(definition), known);
      const found = new Map([...told, ...this.#paths.found(fresh)]);
      const realPaths = this.#paths.after({ known, choice, places, id: definition.id }, found);
      return choice ? { ...choice, realPaths } : 'forget';
    });
  }

  #wantedOf(definition: ServerDefinition): Omit<RootsView, 'shared'> {
    const { folders, settings } = this.#ports;
    return wantedRoots(definition, {
      folders: folders.folders,
      decision: this.#decisions.of(definition.id),
      rootsDefault: settings.rootsDefault,
    });
  }

  #chosenPaths(definition: ServerDefinition): readonly string[] {
    return pathsOf(this.#wantedOf(definition).candidates.filter(({ isChosen }) => isChosen));
  }

  #changed(): void {
    this.#rewatch();
    this.#onDidChange.fire();
  }

  #rewatch(): void {
    this.#watch.watch(this.#followed.flatMap((definition) => this.#chosenPaths(definition)));
    this.#followed.forEach((definition) => this.#hold(definition));
  }

  #looked(): void {
    this.#followed.forEach((definition) => this.#hold(definition));
    this.#onDidChange.fire();
  }

  /** Holds what is shared to the real path that it has at the first look. */
  #hold(definition: ServerDefinition): void {
    this.#paths.hold(definition.id, this.#wantedOf(definition));
  }
}

/** What can be chosen at all: what is refused has no address that a server could get. */
function choosable({ candidates }: RootsView): readonly RootCandidate[] {
  return candidates.filter(
    ({ root, problem }) => problem?.kind !== 'refused' && root.uri.startsWith('file:'),
  );
}

function chosenIn({ candidates }: RootsView): readonly string[] {
  return candidates.filter(({ isChosen }) => isChosen).map(({ root }) => root.uri);
}

/** The paths that have to be looked at to know whether these can be shared. */
function pathsOf(places: readonly Pick<RootCandidate, 'root' | 'within'>[]): readonly string[] {
  const roots = places.filter(({ root }) => root.uri.startsWith('file:'));
  return [...new Set(roots.flatMap(({ root, within }) => (within ? [root, within] : [root])).map(pathOf))];
}
