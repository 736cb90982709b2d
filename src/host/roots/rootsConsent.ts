import { homedir } from 'node:os';
import path from 'node:path';
import { DisposableStore, type Disposable } from '../../base/disposable.ts';
import { Emitter } from '../../base/event.ts';
import type { RootsDecision } from '../approval/decision.ts';
import type { DecisionStore } from '../approval/decisionStore.ts';
import { sha256 } from '../approval/fingerprint.ts';
import type { ServerDefinition, ServerId } from '../config/serverDefinition.ts';
import { HostError } from '../hostError.ts';
import type { HostSettings, RootsSource } from '../hostPorts.ts';
import {
  chosenAmong,
  isAbout,
  isChosen,
  withoutLater,
  withoutPlaces,
  type RootsChoice,
} from './rootsChoice.ts';
import { proposedRoots, type ProposedRoots } from './rootsProposal.ts';
import { offeredIn, type RootCandidate, type RootsBasis, type RootsView } from './rootsView.ts';
import { visibleFolders, type SharedRoot } from './sharedRoot.ts';
import { subfolderAt, subfolderIn, type Subfolder } from './subfolder.ts';

export type { FolderProblem, RootCandidate, RootsBasis, RootsView } from './rootsView.ts';

/** A server as a decision names it; `label` is what it is called before the person. */
export interface ConsentSubject {
  readonly definition: ServerDefinition;
  readonly label: string;
}

/** What the consent needs of its surroundings. */
export interface RootsConsentPorts {
  readonly folders: RootsSource;
  readonly settings: Pick<HostSettings, 'rootsDefault' | 'onDidChange'>;
  readonly decisions: DecisionStore;
}

/** Which folders each server may see: what was decided, by whom, and whether it can be held to. */
export class RootsConsent implements Disposable {
  readonly #onDidChange = new Emitter<void>();
  /** Something was decided, a folder has become accessible or is no more, or the setting has changed. */
  readonly onDidChange = this.#onDidChange.event;
  readonly #ports: RootsConsentPorts;
  readonly #store = new DisposableStore();
  #deciding: Promise<unknown> = Promise.resolve();

  constructor(ports: RootsConsentPorts) {
    this.#ports = ports;
    this.#store.add(ports.decisions.onDidChange(() => this.#onDidChange.fire()));
    this.#store.add(ports.settings.onDidChange(() => this.#onDidChange.fire()));
  }

  dispose(): void {
    this.#store.dispose();
    this.#onDidChange.dispose();
  }

  /** What a server may see as far as is known now; see `check`. */
  viewOf(definition: ServerDefinition): RootsView {
    const { onDisk, leftOut } = visibleFolders(definition.origin, this.#ports.folders.folders);
    const decision = this.#decisionOf(definition.id);
    const choice = decision && isAbout(decision, onDisk) ? decision : undefined;
    const proposal = proposedRoots(definition, onDisk, {
      folders: this.#ports.folders.folders,
      home: homedir(),
    });
    const basis = this.#basis(definition, choice);
    const candidates = placesOf(onDisk, proposal.subfolders, decision).map((place): RootCandidate => {
      const isChosenNow = this.#isChosen(place, basis, choice, proposal);
      return {
        ...place,
        isChosen: isChosenNow,
        isProposed: basis === 'person' ? isChosenNow : isProposed(proposal, place),
      };
    });
    const shared = candidates.filter((one) => one.isChosen && !one.problem).map(({ root }) => root);
    return { basis, isForLater: this.#isForLater(basis, choice, proposal), shared, candidates, leftOut };
  }

  /** True when nothing is offered to this server, or something has decided what it may see. */
  isDecided(definition: ServerDefinition): boolean {
    const view = this.viewOf(definition);
    return view.basis !== 'undecided' || offeredIn(view).length === 0;
  }

  /** Looks at the disk now; call it before each answer to `roots/list`. */
  async check(_definition: ServerDefinition): Promise<void> {}

  /**
   * Shares exactly these of the candidates: "all", also of what is added later, when they are all. What
   * was said of folders that this window does not have stays.
   *
   * @throws what the file system says when the decision cannot be kept.
   */
  choose(subject: ConsentSubject, uris: readonly string[]): Promise<void> {
    return this.chooseAmong(subject, undefined, uris);
  }

  /** As `choose`, for the person who was asked about these candidates only. */
  chooseAmong(
    subject: ConsentSubject,
    asked: readonly string[] | undefined,
    uris: readonly string[],
  ): Promise<void> {
    return this.#decide(subject, (view, known) =>
      chosenAmong(
        known,
        view.candidates.filter(({ root }) => !asked || asked.includes(root.uri)),
        uris,
      ),
    );
  }

  /** Shares one of the candidates, or shares it no more; the others, and later ones, stay as they are. */
  setShared(subject: ConsentSubject, uri: string, isShared: boolean): Promise<void> {
    return this.#decide(subject, (view, known) => {
      const others = view.candidates.filter((one) => one.isChosen && one.root.uri !== uri);
      const allowed = others.map(({ root }) => root.uri);
      const choice = chosenAmong(known, view.candidates, isShared ? [...allowed, uri] : allowed);
      return view.isForLater ? choice : withoutLater(choice);
    });
  }

  /**
   * Shares a folder inside one of the workspace's folders, by its absolute path.
   *
   * @throws HostError with a sentence when it cannot be shared.
   */
  async addSubfolder(subject: ConsentSubject, named: string): Promise<SharedRoot> {
    const { onDisk } = visibleFolders(subject.definition.origin, this.#ports.folders.folders);
    const subfolder = path.isAbsolute(named) ? subfolderAt(path.resolve(named), onDisk) : undefined;
    if (!subfolder) {
      throw new HostError('invalidDefinition', 'The folder lies in no folder of the workspace.');
    }
    await this.#decide(subject, (view, known) => {
      const chosen = view.candidates.filter((one) => one.isChosen).map(({ root }) => root.uri);
      const choice = chosenAmong(known, [...view.candidates, subfolder], [...chosen, subfolder.root.uri]);
      return view.isForLater ? choice : withoutLater(choice);
    });
    return subfolder.root;
  }

  /** Takes a sub-folder out of what a server may see, and out of the list. */
  removeSubfolder(subject: ConsentSubject, uri: string): Promise<void> {
    return this.#decide(subject, (_, known) =>
      known ? { ...known, subfolders: (known.subfolders ?? []).filter((one) => one.uri !== uri) } : 'nothing',
    );
  }

  /** "Reset to Ask": forgets what the person said of the folders of this workspace. */
  reset(subject: ConsentSubject): Promise<void> {
    return this.#decide(subject, (view, known) =>
      known ? withoutPlaces(known, view.candidates) : 'nothing',
    );
  }

  /** Keeps what `choice` makes of the present; undefined forgets what was decided. */
  #decide(
    { definition, label }: ConsentSubject,
    choice: (view: RootsView, known: RootsDecision | undefined) => RootsChoice | undefined | 'nothing',
  ): Promise<void> {
    const { decisions } = this.#ports;
    const decided = this.#deciding.then(async () => {
      const key = this.#keyOf(definition.id);
      decisions.refresh(key);
      const known = decisions.get(key);
      const chosen = choice(this.viewOf(definition), known?.kind === 'roots' ? known : undefined);
      if (chosen === undefined && known) {
        await decisions.forget(known.id);
      } else if (chosen && chosen !== 'nothing') {
        const { id: serverId } = definition;
        await decisions.put({ kind: 'roots', key, serverId, label, at: Date.now(), ...chosen });
      }
    });
    this.#deciding = decided.catch(() => {});
    return decided;
  }

  #basis({ origin, roots }: ServerDefinition, choice: RootsChoice | undefined): RootsBasis {
    if (choice) {
      return 'person';
    }
    // What a workspace brings can propose, and never grant.
    if (origin.scope === 'user' && roots !== undefined) {
      return 'definition';
    }
    return this.#ports.settings.rootsDefault === 'ask' ? 'undecided' : 'setting';
  }

  #isForLater(basis: RootsBasis, choice: RootsChoice | undefined, proposal: ProposedRoots): boolean {
    switch (basis) {
      case 'person':
        return choice?.folders === 'all';
      case 'definition':
        return proposal.folders === 'all';
      case 'setting':
        return this.#ports.settings.rootsDefault === 'all';
      case 'undecided':
        return false;
    }
  }

  #isChosen(
    place: Place,
    basis: RootsBasis,
    choice: RootsChoice | undefined,
    proposal: ProposedRoots,
  ): boolean {
    switch (basis) {
      case 'person':
        return choice !== undefined && isChosen(choice, place);
      case 'definition':
        return isProposed(proposal, place);
      case 'setting':
        return this.#ports.settings.rootsDefault === 'all' && place.within === undefined;
      case 'undecided':
        return false;
    }
  }

  #decisionOf(id: ServerId): RootsDecision | undefined {
    const decision = this.#ports.decisions.get(this.#keyOf(id));
    return decision?.kind === 'roots' ? decision : undefined;
  }

  #keyOf(id: ServerId): string {
    return `roots ${sha256(JSON.stringify([this.#ports.decisions.remoteName ?? null, id]))}`;
  }
}

type Place = Pick<RootCandidate, 'root' | 'within'>;

/** The folders in their order, each followed by its sub-folders: those added before those proposed. */
function placesOf(
  folders: readonly SharedRoot[],
  proposed: readonly Subfolder[],
  decision: RootsDecision | undefined,
): readonly Place[] {
  const added = (decision?.subfolders ?? []).flatMap((one) => {
    const within = folders.find(({ uri }) => uri === one.within);
    return within ? [subfolderIn(within, one.uri)] : [];
  });
  const isAdded = ({ root }: Subfolder): boolean => added.some((one) => one.root.uri === root.uri);
  const subfolders = [...added, ...proposed.filter((one) => !isAdded(one))];
  return folders.flatMap((root): Place[] => [
    { root },
    ...subfolders.filter(({ within }) => within.uri === root.uri),
  ]);
}

function isProposed({ folders, subfolders }: ProposedRoots, { root, within }: Place): boolean {
  return within
    ? subfolders.some((one) => one.root.uri === root.uri)
    : folders === 'all' || folders.includes(root.uri);
}
