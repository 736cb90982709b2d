import type { Prompt, Resource, ResourceTemplateType } from '@modelcontextprotocol/client';
import { Coalesced } from '../../base/time/coalesced.ts';
import { DisposableStore, type Disposable } from '../../base/lifetime/disposable.ts';
import { Emitter } from '../../base/lifetime/event.ts';
import type { DecisionStore } from '../decisions/decisionStore.ts';
import type { ServerId } from '../config/serverDefinition.ts';
import type { ServerConnection } from '../connection/serverConnection.ts';
import { HostError, messageOf } from '../errors/hostError.ts';
import type { HostServer, McpHost } from '../servers/mcpHost.ts';
import { isSameRun } from '../state/connectionState.ts';
import type { HostItem, HostTool } from '../tools/hostTool.ts';
import type { Standing } from '../tools/pinnedItem.ts';
import { withNewTools, withTool } from './exposure.ts';
import type { Pins } from './pins/pins.ts';
import type { PinStore, PinSubject } from './pins/pinStore.ts';
import { withAccepted, withAcknowledged, withVarying, type ServerChanges } from './pins/serverChanges.ts';
import { RunningTools } from './runningTools.ts';
import { ToolDecisions } from './toolDecisions.ts';

const none: ReadonlyMap<string, never> = new Map<string, never>();

/** What the tools of servers are decided by. */
interface HostToolsContext {
  readonly host: McpHost;
  readonly decisions: DecisionStore;
  readonly pins: PinStore;
}

/**
 * Every server's tools, prompts and resources as callers may see them: which tools are exposed, how each item stands to
 * what was pinned of it, and whose claims are trusted.
 *
 * What changes something throws what the file system says when it can't be kept.
 */
export class HostTools implements Disposable {
  readonly #onDidChange = new Emitter<ServerId>();
  /** What callers may see of a server has changed, or how its items stand. */
  readonly onDidChange = this.#onDidChange.event;
  readonly #host: McpHost;
  readonly #pins: PinStore;
  readonly #decisions: ToolDecisions;
  readonly #running = new Map<ServerId, RunningTools>();
  /** What the last run of each server was pinned as. */
  readonly #subjects = new Map<ServerId, PinSubject>();
  readonly #comparing = new Coalesced<ServerId>((id) => this.#compare(id));
  readonly #background = new Set<Promise<void>>();
  readonly #store = new DisposableStore();

  constructor({ host, decisions, pins }: HostToolsContext) {
    this.#host = host;
    this.#pins = pins;
    this.#decisions = new ToolDecisions(decisions);
    this.#store.add(host.onDidChangeServer((connection) => this.#follow(connection)));
    this.#store.add(host.onDidChangeServers(() => this.#followAll()));
    this.#store.add(decisions.onDidChange(() => this.#updateDecided()));
    this.#store.add(pins.onDidChange(() => [...this.#running.keys()].forEach((id) => this.#compareSoon(id))));
    this.#followAll();
  }

  /** All tools that a server lists, also those that no caller is offered; empty while it does not run. */
  of(id: ServerId): readonly HostTool[] {
    return this.#running.get(id)?.tools ?? [];
  }

  /** Compares one tool again, at the moment of a call. */
  check(id: ServerId, name: string): HostTool | undefined {
    return this.#running.get(id)?.check(name);
  }

  /** All prompts that a server lists, by their names, also those that are held back. */
  prompts(id: ServerId): ReadonlyMap<string, HostItem<Prompt>> {
    return this.#running.get(id)?.prompts ?? none;
  }

  /** All resource templates that a server lists, by their URI templates, also those that are held back. */
  templates(id: ServerId): ReadonlyMap<string, HostItem<ResourceTemplateType>> {
    return this.#running.get(id)?.templates ?? none;
  }

  /** The resources that a server lists, as a model gets them. */
  resources(id: ServerId): readonly Resource[] {
    return this.#running.get(id)?.resources ?? [];
  }

  /** Compares a prompt or a resource template again, at the moment of a request; undefined if it isn't listed. */
  standingOf(id: ServerId, kind: 'prompts' | 'templates', key: string): Standing | undefined {
    return this.#running.get(id)?.standingOf(kind, key);
  }

  /** The server's `instructions` as they were approved, for a model. */
  instructions(id: ServerId): string | undefined {
    return this.#running.get(id)?.instructions;
  }

  /** The fingerprint of the launch that runs. */
  launchOf(id: ServerId): string | undefined {
    return this.#host.runningLaunchOf(id);
  }

  /** What is held back; undefined when nothing is. */
  changes(id: ServerId): ServerChanges | undefined {
    return this.#running.get(id)?.changes;
  }

  /** Makes what was shown the approved state: exactly these changes, and none that came since. */
  accept(shown: ServerChanges): Promise<void> {
    const { serverId } = shown;
    return this.#changePins(serverId, (pins) =>
      withAccepted(pins, shown, (...change) => this.#running.get(serverId)?.listsAs(...change) ?? true),
    );
  }

  /** Takes the changes as texts that vary: from then on a model gets the approved ones. */
  letVary(shown: ServerChanges): Promise<void> {
    return this.#changePins(shown.serverId, (pins) => withVarying(pins, shown));
  }

  /** A new tool that is offered is no longer new: its first call was asked about, or the server was granted. */
  async acknowledge(id: ServerId, names: readonly string[]): Promise<void> {
    if (this.offersNew(id)) {
      await this.#changePins(id, (pins) => withAcknowledged(pins, names));
    }
  }

  /** Exposes a tool or not; without a name, all of the server's. */
  async expose(id: ServerId, isExposed: boolean, name?: string): Promise<void> {
    const { connection, label } = this.#serverOf(id);
    const { tools } = connection.definition;
    await this.#decisions.expose(id, label, (latest) => withTool(latest, tools, isExposed, name));
    this.#updateDecided();
  }

  /** The tools that you exposed, or not, one by one: other than what holds for the rest of the server's tools. */
  exceptionsOf(id: ServerId): ReadonlySet<string> {
    return new Set(this.#decisions.exposureOf(id).except);
  }

  /** Whether tools that come after the launch was approved are offered before you have seen them. */
  offersNew(id: ServerId): boolean {
    return this.#decisions.exposureOf(id).newTools === 'offered';
  }

  /** Offers tools that come later before you have seen them, or holds them back. */
  async offerNew(id: ServerId, areOffered: boolean): Promise<void> {
    await this.#decisions.expose(id, this.#serverOf(id).label, (latest) => withNewTools(latest, areOffered));
    this.#updateDecided();
  }

  isTrusted(id: ServerId): boolean {
    const launch = this.launchOf(id);
    return launch !== undefined && this.#decisions.isTrusted(id, launch);
  }

  /**
   * Trusts what the server claims about its tools, for the launch that runs, or no longer.
   *
   * @throws HostError `notRunning`.
   */
  async trust(id: ServerId, isTrusted: boolean): Promise<void> {
    const launch = this.launchOf(id);
    if (launch === undefined) {
      throw new HostError('notRunning', 'the server does not run');
    }
    await this.#decisions.trust(id, this.#serverOf(id).label, launch, isTrusted);
    this.#updateDecided();
  }

  dispose(): void {
    this.#store.dispose();
    this.#running.forEach((one) => one.end());
    this.#running.clear();
    this.#onDidChange.dispose();
  }

  /** Resolved when everything that is listed so far has been compared. */
  async settled(): Promise<void> {
    while (this.#background.size > 0) {
      await Promise.all(this.#background);
    }
  }

  #serverOf(id: ServerId): HostServer {
    const server = this.#host.server(id);
    if (!server) {
      throw new HostError('notRunning', 'the server is no longer there');
    }
    return server;
  }

  #followAll(): void {
    const { servers } = this.#host;
    const ids = new Set(servers.map(({ connection }) => connection.definition.id));
    for (const id of this.#running.keys()) {
      if (!ids.has(id)) {
        this.#end(id);
      }
    }
    servers.forEach(({ connection }) => this.#follow(connection));
    this.#updateDecided();
  }

  #follow(connection: ServerConnection): void {
    const { state, definition } = connection;
    const { id } = definition;
    const before = this.#running.get(id);
    if (before?.connection === connection && isSameRun(state, before.state)) {
      if (before.update()) {
        this.#compareSoon(id);
      }
      return;
    }
    this.#end(id);
    const launch = this.launchOf(id);
    if (state.kind === 'running' && launch !== undefined) {
      const running = new RunningTools(connection, state, launch, this.#decisions);
      this.#running.set(id, running);
      this.#subjects.set(id, running.subject);
      this.#compareSoon(id);
    }
  }

  #end(id: ServerId): void {
    this.#running.get(id)?.end();
    if (this.#running.delete(id)) {
      this.#onDidChange.fire(id);
    }
  }

  /** Decisions hold at once, made here or in another window. */
  #updateDecided(): void {
    for (const [id, running] of this.#running) {
      if (running.updateDecided()) {
        this.#onDidChange.fire(id);
      }
    }
  }

  #compareSoon(id: ServerId): void {
    const done = this.#comparing.run(id).finally(() => this.#background.delete(done));
    this.#background.add(done);
  }

  async #compare(id: ServerId): Promise<void> {
    try {
      if (await this.#running.get(id)?.compare(this.#pins, this.#host.server(id)?.label ?? id)) {
        this.#onDidChange.fire(id);
      }
    } catch (error) {
      const logger = this.#running.get(id)?.connection.logger;
      logger?.log('error', `What it lists could not be compared with what was approved: ${messageOf(error)}`);
    }
  }

  async #changePins(id: ServerId, make: (pins: Pins) => Pins): Promise<void> {
    const subject = this.#subjects.get(id);
    if (subject) {
      await this.#pins.change(subject, make);
      await this.#comparing.run(id);
    }
  }
}
