import path from 'node:path';
import { Emitter } from '../../../src/base/lifetime/event.ts';
import type { GateSettings } from '../../../src/host/config/settings.ts';
import { AgentGrants } from '../../../src/host/gate/agentGrants.ts';
import { CallDecisions } from '../../../src/host/gate/callDecisions.ts';
import { Gate } from '../../../src/host/gate/gate.ts';
import { Ledger } from '../../../src/host/ledger/ledger.ts';
import { HostTools } from '../../../src/host/gate/hostTools.ts';
import type { HostTool } from '../../../src/host/tools/hostTool.ts';
import type { ItemKind, Standing } from '../../../src/host/tools/pinnedItem.ts';
import { PinStore } from '../../../src/host/gate/pins/pinStore.ts';
import type { ServerDefinition } from '../../../src/host/config/serverDefinition.ts';
import { HostBed } from './hostBed.ts';
import { until } from './until.ts';

/** A host whose tools are compared with what was pinned of them, and the gate over them. */
export class ToolsBed extends HostBed {
  readonly pinsFolder = path.join(this.bed.directory, 'pins');
  readonly pins = new PinStore(this.pinsFolder);
  readonly tools = new HostTools({ host: this.host, decisions: this.decisions, pins: this.pins });
  readonly grants = new AgentGrants(this.decisions);
  readonly calls = new CallDecisions(this.decisions, { folders: [] });
  readonly #onDidChangeGate = new Emitter<void>();
  readonly gateSettings = {
    confirm: 'byTrust' as GateSettings['confirm'],
    maxResultTokens: 25_000,
    isGatewayOn: true,
    storesContent: false,
    onDidChange: this.#onDidChangeGate.event,
  };
  readonly ledger = new Ledger(path.join(this.bed.directory, 'activity'), this.gateSettings);
  readonly gate = this.gateWith(this.ledger);

  /** The gate, with what it does in this ledger. */
  gateWith(ledger: Pick<Ledger, 'begin' | 'count'>): Gate {
    return new Gate({
      host: this.host,
      tools: this.tools,
      grants: this.grants,
      decisions: this.calls,
      questions: this.questions,
      settings: this.gateSettings,
      workspace: { folders: [] },
      // The gate writes and never reads.
      ledger: ledger as Ledger,
    });
  }

  set isGatewayOn(isOn: boolean) {
    this.gateSettings.isGatewayOn = isOn;
    this.#onDidChangeGate.fire();
  }

  /** Makes the definition the configuration, allows its launch, and waits until its tools are compared. */
  async runCompared(definition: ServerDefinition): Promise<void> {
    await this.run(definition);
    await this.untilCompared(definition);
  }

  /** Waits until all of its lists are compared. */
  async untilCompared({ id }: ServerDefinition, tools = this.tools): Promise<void> {
    const isCompared = (): boolean =>
      tools.of(id).length > 0 && tools.of(id).every(({ standing }) => standing.kind !== 'unseen');
    await until(isCompared, 'the tools are compared', tools.onDidChange);
    const catalogue = this.host.server(id)?.connection.catalogue;
    await Promise.all([catalogue?.listing('prompts'), catalogue?.listing('resources')]);
    await tools.settled();
  }

  untilListed({ id }: ServerDefinition, count: number): Promise<void> {
    return until(
      () => this.host.server(id)?.connection.catalogue?.tools.length === count,
      `the server lists ${count} tools`,
      this.host.onDidChangeServer,
    );
  }

  /** Another window's view of the same servers. */
  openWindow(): { readonly pins: PinStore; readonly tools: HostTools } {
    const pins = new PinStore(this.pinsFolder);
    const tools = new HostTools({ host: this.host, decisions: this.decisions, pins });
    return { pins, tools };
  }

  /** Has the server list these tools from now on, and waits until they are compared. */
  async list(definition: ServerDefinition, tools: readonly object[], compared = this.tools): Promise<void> {
    await this.listItems(definition, 'tools', tools, compared);
  }

  /** The same for a list of any kind. */
  async listItems(
    definition: ServerDefinition,
    kind: ItemKind | 'resources',
    entries: readonly object[],
    compared = this.tools,
  ): Promise<void> {
    const connection = this.of(definition);
    const listOf = (): unknown => connection.catalogue?.[kind === 'templates' ? 'resourceTemplates' : kind];
    const before = listOf();
    const listed = until(
      () => listOf() !== before,
      `the server lists its ${kind} again`,
      this.host.onDidChangeServer,
    );
    await connection.callTool('list', { kind, entries });
    await listed;
    await compared.settled();
  }

  /** Accepts everything that is held back. */
  async acceptAll({ id }: ServerDefinition): Promise<void> {
    const changes = this.tools.changes(id);
    if (!changes) {
      throw new Error('Nothing is held back');
    }
    await this.tools.accept(changes);
  }

  /** How each tool stands, by its name. */
  standings(definition: ServerDefinition, tools = this.tools): Readonly<Record<string, Standing['kind']>> {
    return Object.fromEntries(
      tools.of(definition.id).map(({ tool, standing }) => [tool.name, standing.kind]),
    );
  }

  tool(definition: ServerDefinition, name: string): HostTool {
    const found = this.tools.of(definition.id).find(({ tool }) => tool.name === name);
    if (!found) {
      throw new Error(`There is no tool ${name}`);
    }
    return found;
  }

  override async close(): Promise<void> {
    this.grants.dispose();
    this.calls.dispose();
    this.ledger.dispose();
    this.tools.dispose();
    await this.tools.settled();
    this.pins.dispose();
    await this.pins.settled();
    await super.close();
  }
}
