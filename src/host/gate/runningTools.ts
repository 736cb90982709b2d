import type { Prompt, Resource, ResourceTemplateType } from '@modelcontextprotocol/client';
import { Slices } from '../../base/time/slices.ts';
import { visibleText } from '../../base/text/visibleText.ts';
import { isSameRun, type RunningState } from '../state/connectionState.ts';
import type { ListKind } from '../connection/lists/serverList.ts';
import type { ServerConnection } from '../connection/serverConnection.ts';
import type { HostItem, HostTool } from '../tools/hostTool.ts';
import { itemKinds, itemWords, type ItemKind, type Standing } from '../tools/pinnedItem.ts';
import { warmTokens } from '../tools/tokenEstimate.ts';
import { exposedBy } from './exposure.ts';
import { ItemFingerprint, listedItem, type ListedItem, type ServerItems } from './pins/itemFingerprint.ts';
import { hasNoPins, warmComparison, withNew, type Listing, type Pins } from './pins/pins.ts';
import type { PinStore, PinSubject } from './pins/pinStore.ts';
import { resourcePinKey, textsHash, type ResourceHashes } from './pins/resourcePins.ts';
import type { SeenChange, ServerChanges } from './pins/serverChanges.ts';
import {
  byKey,
  hostPrompt,
  hostTemplate,
  hostTool,
  serverView,
  type NamedItems,
  type ServerView,
  type ToolsContext,
  type ViewSource,
} from './serverTools.ts';
import type { ToolDecisions } from './toolDecisions.ts';

/** What a server lists at one moment: the same arrays until a list changes. */
type ListedByServer = { readonly [K in ItemKind]: readonly ServerItems[K][] } & {
  readonly resources: readonly Resource[];
};

/** What a server listed at one moment, compared with what was pinned then. */
interface Compared extends ViewSource {
  readonly lists: ListedByServer;
  /** The decisions about the server by which `view` was made. */
  readonly decided: string;
  readonly view: ServerView;
}

const nothing: ListedByServer = { tools: [], prompts: [], templates: [], resources: [] };
const none: ReadonlyMap<string, never> = new Map<string, never>();

/**
 * The tools, prompts, resource templates and resources of one server, from the moment it runs to its end: what it lists,
 * compared with what is pinned.
 */
export class RunningTools {
  readonly connection: ServerConnection;
  readonly state: RunningState;
  readonly subject: PinSubject;
  readonly #decisions: ToolDecisions;
  #lists = nothing;
  #named: NamedItems = { tools: none, prompts: none, templates: none };
  #compared: Compared | undefined;
  #isOver = false;

  /** @param launch the fingerprint of the launch that runs. */
  constructor(connection: ServerConnection, state: RunningState, launch: string, decisions: ToolDecisions) {
    this.connection = connection;
    this.state = state;
    this.subject = { serverId: connection.definition.id, launch, revision: state.revision };
    this.#decisions = decisions;
    this.update();
  }

  /** All tools. While a later list is compared, those before, so that no tool disappears for a moment. */
  get tools(): readonly HostTool[] {
    if (this.#compared?.listing.tools) {
      return this.#compared.view.tools;
    }
    const context = this.#context();
    return [...this.#named.tools.values()].map((tool) => hostTool(tool, context));
  }

  /** By their names; none before the first comparison. */
  get prompts(): ReadonlyMap<string, HostItem<Prompt>> {
    return this.#compared?.view.prompts ?? none;
  }

  /** By their URI templates; none before the first comparison. */
  get templates(): ReadonlyMap<string, HostItem<ResourceTemplateType>> {
    return this.#compared?.view.templates ?? none;
  }

  /** As a model gets them; none before the first comparison. */
  get resources(): readonly Resource[] {
    return this.#compared?.view.resources ?? nothing.resources;
  }

  /** The `instructions` as they were approved. */
  get instructions(): string | undefined {
    return this.#compared?.pins.instructions?.text;
  }

  /** What is held back; undefined when nothing is. */
  get changes(): ServerChanges | undefined {
    return this.#compared?.view.changes;
  }

  /** Compares one tool again, at the moment of a call. */
  check(name: string): HostTool | undefined {
    if (!this.#isCurrent()) {
      return undefined;
    }
    const compared = this.#compared;
    if (compared?.lists.tools === this.#lists.tools) {
      return compared.view.named.get(name);
    }
    const tool = this.#named.tools.get(name);
    // A tool that takes another's place is known only after the whole list is compared: it has no pin.
    return tool && hostTool(tool, this.#context(compared?.pins), compared?.pins.tools?.get(name));
  }

  /** How a prompt or a resource template stands, at the moment of a request; undefined if it isn't listed. */
  standingOf(kind: 'prompts' | 'templates', key: string): Standing | undefined {
    if (!this.#isCurrent()) {
      return undefined;
    }
    const pins = this.#compared?.pins[kind];
    const [prompt, template] = [this.#named.prompts.get(key), this.#named.templates.get(key)];
    return kind === 'prompts'
      ? prompt && hostPrompt(prompt, pins?.get(key)).standing
      : template && hostTemplate(template, pins?.get(key)).standing;
  }

  /** Whether the server still lists an item as the change showed it. */
  listsAs(kind: ItemKind, { name, now }: SeenChange): boolean {
    this.update();
    const listed = this.#listedItem(kind, name);
    return listed?.fingerprint.equals(new ItemFingerprint(now)) === true;
  }

  /** Takes what the server lists now; true when that is something else. */
  update(): boolean {
    const {
      tools,
      prompts,
      resources,
      resourceTemplates: templates,
    } = this.connection.catalogue ?? {
      ...nothing,
      resourceTemplates: nothing.templates,
    };
    const [now, before] = [{ tools, prompts, templates, resources }, this.#lists];
    const kinds = [...itemKinds, 'resources'] as const;
    if (kinds.every((kind) => now[kind] === before[kind])) {
      return false;
    }
    this.#lists = now;
    this.#named = {
      tools: tools === before.tools ? this.#named.tools : byKey(tools, ({ name }) => name),
      prompts: prompts === before.prompts ? this.#named.prompts : byKey(prompts, ({ name }) => name),
      templates:
        templates === before.templates
          ? this.#named.templates
          : byKey(templates, ({ uriTemplate }) => uriTemplate),
    };
    return true;
  }

  /** Applies what is decided now, here or in another window; true when that changes something. */
  updateDecided(): boolean {
    const compared = this.#compared;
    if (!compared || compared.decided === this.#decided()) {
      return false;
    }
    this.#compared = this.#withView(compared, compared);
    return true;
  }

  /**
   * Compares what is listed with what is pinned, and pins what is new; true when the server still runs, and something
   * may have changed.
   */
  async compare(pins: PinStore, label: string): Promise<boolean> {
    const { serverId, launch } = this.subject;
    const [lists, named, before] = [this.#lists, this.#named, this.#compared];
    const isListed = this.#isListed();
    const pinned = await pins.read(this.subject);
    if (before?.lists === lists && before.pins === pinned) {
      return false;
    }
    const slices = new Slices();
    const isKnown = before?.lists.resources === lists.resources;
    const { resources, hashes } = isKnown
      ? { resources: before.resources, hashes: before.listing.resources }
      : await hashed(lists.resources, slices);
    const listing: Listing = {
      tools: isListed('tools') ? await this.#listedItems('tools', named, slices) : undefined,
      prompts: isListed('prompts') ? await this.#listedItems('prompts', named, slices) : undefined,
      templates: isListed('resources') ? await this.#listedItems('templates', named, slices) : undefined,
      resources: isListed('resources') ? hashes : undefined,
      instructions: this.connection.instructions,
    };
    const isPinned = itemKinds.every((kind) => pinned[kind]) && pinned.resources !== undefined;
    const others = isPinned ? [] : await pins.inOtherRevisions(this.subject);
    for (const _ of warmComparison(listing, pinned, others)) {
      if (slices.isUsedUp) {
        await slices.rest();
      }
    }
    const isLost = (latest: Pins): boolean =>
      hasNoPins(latest) &&
      others.every((other) => !other.tools) &&
      this.#decisions.wasPinned(serverId, launch);
    const withListed = (latest: Pins): Pins =>
      withNew(isLost(latest) ? { ...latest, isLost: true } : latest, listing, others);
    // Mostly nothing is new, which needs no second look at the file.
    const now = withListed(pinned) === pinned ? pinned : await pins.change(this.subject, withListed);
    await this.#decisions.markPinned(serverId, label, launch);
    const compared = this.#withView({ lists, named, resources, listing, pins: now }, before);
    for (const { offered } of compared.view.tools) {
      warmTokens(offered);
      if (slices.isUsedUp) {
        await slices.rest();
      }
    }
    if (this.#isOver) {
      return false;
    }
    this.#compared = compared;
    this.updateDecided();
    return true;
  }

  end(): void {
    this.#isOver = true;
  }

  /** Takes what the server lists now; false once it no longer runs. */
  #isCurrent(): boolean {
    if (!isSameRun(this.connection.state, this.state)) {
      return false;
    }
    this.update();
    return true;
  }

  /** Which lists have been read, even empty ones. A list that the server does not offer is empty. */
  #isListed(): (kind: ListKind) => boolean {
    const { connection } = this;
    const isRunning = isSameRun(connection.state, this.state);
    const kinds = (['tools', 'prompts', 'resources'] as const).filter(
      (kind) => connection.catalogue?.hasListed(kind) || (isRunning && !connection.offers(kind)),
    );
    return (kind) => kinds.includes(kind);
  }

  #listedItem(kind: ItemKind, key: string): ListedItem | undefined {
    const { tools, prompts, templates } = this.#named;
    const item = { tools: tools.get(key), prompts: prompts.get(key), templates: templates.get(key) }[kind];
    return item && listedItem(kind, item);
  }

  /** Each item with its fingerprint, in slices; those that can't be compared are left out, and stay unseen. */
  async #listedItems(
    kind: ItemKind,
    { [kind]: named }: NamedItems,
    slices: Slices,
  ): Promise<ReadonlyMap<string, ListedItem>> {
    const items = new Map<string, ListedItem>();
    for (const [key, item] of named) {
      const listed = listedItem(kind, item);
      if (listed) {
        items.set(key, listed);
      } else {
        this.connection.logger.log(
          'warn',
          `The ${itemWords[kind]} ${visibleText(key)} is nested too deeply to be compared, so it is not offered.`,
        );
      }
      if (slices.isUsedUp) {
        await slices.rest();
      }
    }
    return items;
  }

  #withView(found: Omit<Compared, 'decided' | 'view'>, before?: Compared): Compared {
    const decided = this.#decided();
    const view = serverView(found, this.#context(found.pins), before?.view, (list) => {
      const isTools = list === 'tools';
      return (
        before?.lists[list] === found.lists[list] &&
        before.pins[list] === found.pins[list] &&
        (!isTools || (before.decided === decided && before.pins.isLost === found.pins.isLost))
      );
    });
    return { ...found, decided, view };
  }

  #decided(): string {
    const { serverId, launch } = this.subject;
    const { basis, except, newTools } = this.#decisions.exposureOf(serverId);
    const isTrusted = this.#decisions.isTrusted(serverId, launch);
    return JSON.stringify([basis, except, newTools, this.connection.definition.tools, isTrusted]);
  }

  /** Lost pins were approved as a whole: offering new tools does not make their tools known. */
  #context(pins?: Pins): ToolsContext {
    const { serverId, launch } = this.subject;
    const exposure = this.#decisions.exposureOf(serverId);
    return {
      serverId,
      isExposed: exposedBy(exposure, this.connection.definition.tools),
      isTrusted: this.#decisions.isTrusted(serverId, launch),
      holdsNew: pins?.isLost === true || exposure.newTools !== 'offered',
      lacksTasks: (tool) => this.connection.lacksTasks(tool),
    };
  }
}

/** Resources by their keys, and hashes of their texts, in slices. */
async function hashed(
  list: readonly Resource[],
  slices: Slices,
): Promise<{ readonly resources: ReadonlyMap<string, Resource>; readonly hashes: ResourceHashes }> {
  const resources = new Map<string, Resource>();
  const hashes = new Map<string, string>();
  for (const resource of list) {
    const key = resourcePinKey(resource);
    if (!resources.has(key)) {
      resources.set(key, resource);
      hashes.set(key, textsHash(resource));
    }
    if (slices.isUsedUp) {
      await slices.rest();
    }
  }
  return { resources, hashes };
}
