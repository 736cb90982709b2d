import path from 'node:path';
import { HostTools } from '../../../src/host/gate/hostTools.ts';
import type { HostTool } from '../../../src/host/tools/hostTool.ts';
import type { ItemKind, Standing } from '../../../src/host/tools/pinnedItem.ts';
import { PinStore } from '../../../src/host/gate/pins/pinStore.ts';
import type { ServerDefinition } from '../../../src/host/config/serverDefinition.ts';
import { HostBed } from './hostBed.ts';
import { until } from './until.ts';

/** A host whose tools are compared with what was pinned of them. */
export class ToolsBed extends HostBed {
  readonly pinsFolder = path.join(this.bed.directory, 'pins');
  readonly pins = new PinStore(this.pinsFolder);
  readonly tools = new HostTools({ host: this.host, decisions: this.decisions, pins: this.pins });

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
    this.tools.dispose();
    await this.tools.settled();
    this.pins.dispose();
    await this.pins.settled();
    await super.close();
  }
}
