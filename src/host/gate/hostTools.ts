import type { Tool } from '@modelcontextprotocol/client';
import { Coalesced } from '../../base/coalesced.ts';
import { DisposableStore, type Disposable } from '../../base/disposable.ts';
import { Emitter } from '../../base/event.ts';
import { Slices } from '../../base/slices.ts';
import { visibleText } from '../../base/visibleText.ts';
import type { DecisionStore } from '../decisions/decisionStore.ts';
import type { ServerId } from '../config/serverDefinition.ts';
import type { RunningState } from '../connection/state/connectionState.ts';
import type { ServerConnection } from '../connection/serverConnection.ts';
import { HostError, messageOf } from '../errors/hostError.ts';
import type { HostServer, McpHost } from '../servers/mcpHost.ts';
import { ClaimTrust } from './claimTrust.ts';
import { exposedBy, type Exposure, ExposureDecisions, withNewTools, withTool } from './exposure.ts';
import type { HostTool } from '../tools/hostTool.ts';
import { withAccepted, withAcknowledged, withVarying, type SeenChange } from './pins/pinAnswers.ts';
import { isNothing, withNew, type Listing, type Pins } from './pins/pins.ts';
import { PinRecord } from './pins/pinRecord.ts';
import type { PinStore, PinSubject } from './pins/pinStore.ts';
import type { ServerChanges } from './pins/serverChanges.ts';
import { byName, hostTool, serverTools, type ServerTools, type ToolsContext } from './serverTools.ts';
import { warmTokens } from '../tools/tokenEstimate.ts';
import { listedTool, toolFingerprint, type ListedTool } from './pins/toolFingerprint.ts';

/** What the tools of servers are decided by. */
export interface HostToolsContext {
  readonly host: McpHost;
  readonly decisions: DecisionStore;
  readonly pins: PinStore;
}

/** What a server listed at one moment, compared with what was pinned then. */
interface Compared {
  /** As the server lists them; the same array until it lists anew. */
  readonly list: readonly Tool[];
  readonly listing: Listing;
  readonly pins: Pins;
  /** What was decided of the server elsewhere, by which `view` was made. */
  readonly decided: string;
  readonly view: ServerTools;
}

/** One server, from the moment it runs to its end. */
interface Run {
  readonly connection: ServerConnection;
  readonly state: RunningState;
  readonly subject: PinSubject;
  /** What it lists now. */
  list: readonly Tool[];
  named: ReadonlyMap<string, Tool>;
  /** False before its first list, which may be empty. */
  hasListed: boolean;
  compared: Compared | undefined;
}

/**
 * Every server's tools as callers may see them: what the person exposes, how each tool stands to what was
 * pinned of it, and whose claims are trusted.
 */
export class HostTools implements Disposable {
  readonly #onDidChange = new Emitter<ServerId>();
  /** What callers may see of a server has changed, or how its tools stand. */
  readonly onDidChange = this.#onDidChange.event;
  readonly #host: McpHost;
  readonly #pins: PinStore;
  readonly #pinned: PinRecord;
  readonly #exposures: ExposureDecisions;
  readonly #trust: ClaimTrust;
  readonly #runs = new Map<ServerId, Run>();
  /** What the last run of each server was pinned as. */
  readonly #subjects = new Map<ServerId, PinSubject>();
  readonly #comparing = new Coalesced<ServerId>((id) => this.#compareOrSayWhyNot(id));
  readonly #background = new Set<Promise<void>>();
  readonly #store = new DisposableStore();

  constructor({ host, decisions, pins }: HostToolsContext) {
    this.#host = host;
    this.#pins = pins;
    this.#pinned = new PinRecord(decisions);
    this.#exposures = new ExposureDecisions(decisions);
    this.#trust = new ClaimTrust(decisions);
    this.#store.add(host.onDidChangeServer((connection) => this.#follow(connection)));
    this.#store.add(host.onDidChangeServers(() => this.#followAll()));
    this.#store.add(decisions.onDidChange(() => this.#showAllAgain()));
    this.#store.add(pins.onDidChange(() => [...this.#runs.keys()].forEach((id) => this.#compareSoon(id))));
    this.#followAll();
  }

  /** All tools that a server lists, also those that no caller is offered; empty while it does not run. */
  of(id: ServerId): readonly HostTool[] {
    const run = this.#runs.get(id);
    if (!run) {
      return [];
    }
    // While a later list is compared, the one before is shown: no tool of it vanishes for a moment.
    return (
      run.compared?.view.tools ?? [...run.named.values()].map((tool) => hostTool(tool, this.#contextOf(run)))
    );
  }

  /** Compares one tool anew, at the moment of a call. */
  check(id: ServerId, name: string): HostTool | undefined {
    const run = this.#runs.get(id);
    if (!run || run.connection.state !== run.state) {
      return undefined;
    }
    this.#look(run);
    const { compared } = run;
    if (compared?.list === run.list) {
      return compared.view.named.get(name);
    }
    const tool = run.named.get(name);
    // What takes another's place is not known before the whole list is compared: it has no pin.
    return tool && hostTool(tool, this.#contextOf(run, compared?.pins), compared?.pins.tools?.get(name));
  }

  /** The server's `instructions` as they were approved, for a model. */
  instructions(id: ServerId): string | undefined {
    return this.#runs.get(id)?.compared?.pins.instructions?.text;
  }

  /** The fingerprint of the launch that runs. */
  launchOf(id: ServerId): string | undefined {
    return this.#host.runningLaunchOf(id);
  }

  /** What is held back; undefined when nothing is. */
  changes(id: ServerId): ServerChanges | undefined {
    return this.#runs.get(id)?.compared?.view.changes;
  }

  /**
   * Takes what was shown as the new state: exactly these changes, and none that came since.
   *
   * @throws what the file system says when it cannot be kept.
   */
  accept(shown: ServerChanges): Promise<void> {
    const { serverId } = shown;
    const isStill = ({ name, now }: SeenChange): boolean => {
      const run = this.#runs.get(serverId);
      if (!run) {
        return true;
      }
      this.#look(run);
      const tool = run.named.get(name);
      return tool !== undefined && listedTool(tool)?.fingerprint.whole === toolFingerprint(now).whole;
    };
    return this.#changePins(serverId, (pins) => withAccepted(pins, shown, isStill));
  }

  /**
   * Takes the changes as texts that vary: a model gets the approved ones from then on.
   *
   * @throws what the file system says when it cannot be kept.
   */
  letVary(shown: ServerChanges): Promise<void> {
    return this.#changePins(shown.serverId, (pins) => withVarying(pins, shown));
  }

  /**
   * A new tool that is offered is no longer new: its first call was asked about, or the server was granted.
   *
   * @throws what the file system says when it cannot be kept.
   */
  acknowledge(id: ServerId, names: readonly string[]): Promise<void> {
    return this.offersNew(id)
      ? this.#changePins(id, (pins) => withAcknowledged(pins, names))
      : Promise.resolve();
  }

  /**
   * Exposes a tool or not; without a name, all of the server's.
   *
   * @throws what the file system says when it cannot be kept.
   */
  async expose(id: ServerId, isExposed: boolean, name?: string): Promise<void> {
    const server = this.#host.server(id);
    if (!server) {
      throw new HostError('notRunning', 'there is no such server any more');
    }
    const { definition } = server.connection;
    await this.#expose(server, (latest) => withTool(latest, definition.tools, isExposed, name));
  }

  /** Whether tools that come after the launch was approved are offered before the person has seen them. */
  offersNew(id: ServerId): boolean {
    return this.#exposures.of(id).newTools === 'offered';
  }

  /**
   * Offers tools that come later without a look, or holds them back.
   *
   * @throws what the file system says when it cannot be kept.
   */
  async offerNew(id: ServerId, areOffered: boolean): Promise<void> {
    const server = this.#host.server(id);
    if (!server) {
      throw new HostError('notRunning', 'there is no such server any more');
    }
    await this.#expose(server, (latest) => withNewTools(latest, areOffered));
  }

  async #expose({ connection, label }: HostServer, make: (latest: Exposure) => Exposure): Promise<void> {
    await this.#exposures.change(connection.definition.id, label, make);
    this.#showAllAgain();
  }

  isTrusted(id: ServerId): boolean {
    const launch = this.launchOf(id);
    return launch !== undefined && this.#trust.isTrusted(id, launch);
  }

  /**
   * Believes what the server claims of its tools, for the launch that runs, or no more.
   *
   * @throws what the file system says when it cannot be kept; HostError `notRunning`.
   */
  async trust(id: ServerId, isTrusted: boolean): Promise<void> {
    const server = this.#host.server(id);
    const launch = this.launchOf(id);
    if (!server || launch === undefined) {
      throw new HostError('notRunning', 'the server does not run');
    }
    await this.#trust.trust(id, server.label, launch, isTrusted);
    this.#showAllAgain();
  }

  dispose(): void {
    this.#store.dispose();
    this.#runs.clear();
    this.#onDidChange.dispose();
  }

  /** Resolved when everything that is listed so far has been compared. */
  async settled(): Promise<void> {
    while (this.#background.size > 0) {
      await Promise.all(this.#background);
    }
  }

  #followAll(): void {
    const servers = this.#host.servers;
    const ids = new Set(servers.map(({ connection }) => connection.definition.id));
    for (const id of this.#runs.keys()) {
      if (!ids.has(id)) {
        this.#end(id);
      }
    }
    for (const { connection } of servers) {
      this.#follow(connection);
    }
    this.#showAllAgain();
  }

  #follow(connection: ServerConnection): void {
    const { state, definition } = connection;
    const { id } = definition;
    const known = this.#runs.get(id);
    if (known?.state === state && known.connection === connection) {
      if (this.#look(known)) {
        this.#compareSoon(id);
      }
      return;
    }
    this.#end(id);
    const launch = this.#host.runningLaunchOf(id);
    if (state.kind === 'running' && launch !== undefined) {
      const subject = { serverId: id, launch, revision: state.revision };
      const run: Run = {
        connection,
        state,
        subject,
        list: [],
        named: new Map(),
        hasListed: false,
        compared: undefined,
      };
      this.#look(run);
      this.#runs.set(id, run);
      this.#subjects.set(id, subject);
      this.#compareSoon(id);
    }
  }

  #end(id: ServerId): void {
    if (this.#runs.delete(id)) {
      this.#onDidChange.fire(id);
    }
  }

  /** Takes what the server lists now; true when that is another list. */
  #look(run: Run): boolean {
    const list = run.connection.catalogue?.tools ?? [];
    if (list === run.list) {
      return false;
    }
    run.list = list;
    run.hasListed = run.connection.catalogue?.hasListedTools === true;
    run.named = byName(list);
    return true;
  }

  #compareSoon(id: ServerId): void {
    const done = this.#comparing.run(id).finally(() => this.#background.delete(done));
    this.#background.add(done);
  }

  async #compareOrSayWhyNot(id: ServerId): Promise<void> {
    try {
      await this.#compare(id);
    } catch (error) {
      const logger = this.#runs.get(id)?.connection.logger;
      logger?.log('error', `Its tools could not be compared with what was approved: ${messageOf(error)}`);
    }
  }

  async #compare(id: ServerId): Promise<void> {
    const run = this.#runs.get(id);
    if (!run) {
      return;
    }
    const { connection, subject, list, named, hasListed, compared: before } = run;
    const known = await this.#pins.read(subject);
    if (before?.list === list && before.pins === known) {
      return;
    }
    const slices = new Slices();
    const tools = new Map<string, ListedTool>();
    for (const [name, tool] of named) {
      const listed = listedTool(tool);
      if (listed) {
        tools.set(name, listed);
      } else {
        connection.logger.log(
          'warn',
          `The tool ${visibleText(name)} is nested too deep to be compared, so it is not offered.`,
        );
      }
      if (slices.isUsedUp) {
        await slices.rest();
      }
    }
    const listing: Listing = { tools: hasListed ? tools : undefined, instructions: connection.instructions };
    const others = known.tools ? [] : await this.#pins.inOtherRevisions(subject);
    const isLost =
      others.every(({ tools: shown }) => shown === undefined) &&
      this.#pinned.has(subject.serverId, subject.launch);
    const pins = await this.#pins.change(subject, (latest) =>
      withNew(isLost && isNothing(latest) ? { ...latest, isLost } : latest, listing, others),
    );
    await this.#pinned.add(subject.serverId, this.#labelOf(subject.serverId), subject.launch);
    if (this.#runs.get(id) !== run) {
      return;
    }
    const compared = this.#comparedOf(run, { list, listing, pins }, named);
    for (const { offered } of compared.view.tools) {
      warmTokens(offered);
      if (slices.isUsedUp) {
        await slices.rest();
      }
    }
    if (this.#runs.get(id) === run) {
      // Something may have been decided meanwhile.
      run.compared =
        compared.decided === this.#decidedOf(run)
          ? compared
          : this.#comparedOf(run, { list, listing, pins }, named);
      this.#onDidChange.fire(id);
    }
  }

  #comparedOf(
    run: Run,
    found: Pick<Compared, 'list' | 'listing' | 'pins'>,
    named: ReadonlyMap<string, Tool>,
  ): Compared {
    const view = serverTools(named, found.listing, found.pins, this.#contextOf(run, found.pins));
    return { ...found, decided: this.#decidedOf(run), view };
  }

  /** What was decided, here or in another window, holds at once. */
  #showAllAgain(): void {
    for (const [id, run] of this.#runs) {
      const { compared } = run;
      if (compared && compared.decided !== this.#decidedOf(run)) {
        run.compared = this.#comparedOf(run, compared, byName(compared.list));
        this.#onDidChange.fire(id);
      }
    }
  }

  #decidedOf({ subject, connection }: Run): string {
    const { serverId, launch } = subject;
    const { basis, except, newTools } = this.#exposures.of(serverId);
    return JSON.stringify([
      basis,
      except,
      newTools,
      connection.definition.tools,
      this.#trust.isTrusted(serverId, launch),
    ]);
  }

  /** What is lost was approved as a whole: that new tools are offered does not make it known. */
  #contextOf({ subject, connection }: Run, pins?: Pins): ToolsContext {
    const { serverId, launch } = subject;
    return {
      serverId,
      isExposed: exposedBy(this.#exposures.of(serverId), connection.definition.tools),
      isTrusted: this.#trust.isTrusted(serverId, launch),
      holdsNew: pins?.isLost === true || !this.offersNew(serverId),
    };
  }

  #labelOf(id: ServerId): string {
    return this.#host.server(id)?.label ?? id;
  }

  async #changePins(id: ServerId, make: (pins: Pins) => Pins): Promise<void> {
    const subject = this.#subjects.get(id);
    if (subject) {
      await this.#pins.change(subject, make);
      await this.#comparing.run(id);
    }
  }
}
