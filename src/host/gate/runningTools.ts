import type { Tool } from '@modelcontextprotocol/client';
import { Slices } from '../../base/time/slices.ts';
import { visibleText } from '../../base/text/visibleText.ts';
import type { RunningState } from '../connection/state/connectionState.ts';
import type { ServerConnection } from '../connection/serverConnection.ts';
import type { HostTool } from '../tools/hostTool.ts';
import { warmTokens } from '../tools/tokenEstimate.ts';
import { exposedBy } from './exposure.ts';
import { isNothing, warmComparison, withNew, type Listing, type Pins } from './pins/pins.ts';
import type { PinStore, PinSubject } from './pins/pinStore.ts';
import type { SeenChange, ServerChanges } from './pins/serverChanges.ts';
import { listedTool, ToolFingerprint, type ListedTool } from './pins/toolFingerprint.ts';
import { byName, hostTool, serverTools, type ServerTools, type ToolsContext } from './serverTools.ts';
import type { ToolDecisions } from './toolDecisions.ts';

/** What a server listed at one moment, compared with what was pinned then. */
interface Compared {
  /** As the server lists them; the same array until the list changes. */
  readonly list: readonly Tool[];
  readonly named: ReadonlyMap<string, Tool>;
  readonly listing: Listing;
  readonly pins: Pins;
  /** The decisions about the server by which `view` was made. */
  readonly decided: string;
  readonly view: ServerTools;
}

/** The tools of one server, from the moment it runs to its end: what it lists, compared with what is pinned. */
export class RunningTools {
  readonly connection: ServerConnection;
  readonly state: RunningState;
  readonly subject: PinSubject;
  readonly #decisions: ToolDecisions;
  #list: readonly Tool[] = [];
  #named: ReadonlyMap<string, Tool> = new Map();
  /** False before the first list, which may be empty. */
  #hasListed = false;
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
    return (
      this.#compared?.view.tools ?? [...this.#named.values()].map((tool) => hostTool(tool, this.#context()))
    );
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
    if (this.connection.state !== this.state) {
      return undefined;
    }
    this.update();
    const compared = this.#compared;
    if (compared?.list === this.#list) {
      return compared.view.named.get(name);
    }
    const tool = this.#named.get(name);
    // A tool that takes another's place is known only after the whole list is compared: it has no pin.
    return tool && hostTool(tool, this.#context(compared?.pins), compared?.pins.tools?.get(name));
  }

  /** Whether the server still lists a tool as the change showed it. */
  listsAs({ name, now }: SeenChange): boolean {
    this.update();
    const tool = this.#named.get(name);
    return tool !== undefined && listedTool(tool)?.fingerprint.equals(new ToolFingerprint(now)) === true;
  }

  /** Takes what the server lists now; true when that is another list. */
  update(): boolean {
    const { catalogue } = this.connection;
    const list = catalogue?.tools ?? [];
    if (list === this.#list) {
      return false;
    }
    this.#list = list;
    this.#hasListed = catalogue?.hasListedTools === true;
    this.#named = byName(list);
    return true;
  }

  /** Applies what is decided now, here or in another window; true when that changes something. */
  updateDecided(): boolean {
    const compared = this.#compared;
    if (!compared || compared.decided === this.#decided()) {
      return false;
    }
    this.#compared = this.#withView(compared);
    return true;
  }

  /**
   * Compares what is listed with what is pinned, and pins what is new; true when the server still runs, and something
   * may have changed.
   */
  async compare(pins: PinStore, label: string): Promise<boolean> {
    const { serverId, launch } = this.subject;
    const [list, named, before] = [this.#list, this.#named, this.#compared];
    const hasListed = this.#hasListed;
    const pinned = await pins.read(this.subject);
    if (before?.list === list && before.pins === pinned) {
      return false;
    }
    const slices = new Slices();
    const tools = await this.#listedTools(named, slices);
    const others = pinned.tools ? [] : await pins.inOtherRevisions(this.subject);
    for (const _ of warmComparison(tools, pinned, others)) {
      if (slices.isUsedUp) {
        await slices.rest();
      }
    }
    const listing = { tools: hasListed ? tools : undefined, instructions: this.connection.instructions };
    const isLost = (latest: Pins): boolean =>
      isNothing(latest) &&
      others.every((other) => !other.tools) &&
      this.#decisions.wasPinned(serverId, launch);
    const withListed = (latest: Pins): Pins =>
      withNew(isLost(latest) ? { ...latest, isLost: true } : latest, listing, others);
    // Mostly nothing is new, which needs no second look at the file.
    const now = withListed(pinned) === pinned ? pinned : await pins.change(this.subject, withListed);
    await this.#decisions.markPinned(serverId, label, launch);
    const compared = this.#withView({ list, named, listing, pins: now });
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

  /** Each tool with its fingerprint, in slices; those that can't be compared are left out, and stay unseen. */
  async #listedTools(
    named: ReadonlyMap<string, Tool>,
    slices: Slices,
  ): Promise<ReadonlyMap<string, ListedTool>> {
    const tools = new Map<string, ListedTool>();
    for (const [name, tool] of named) {
      const listed = listedTool(tool);
      if (listed) {
        tools.set(name, listed);
      } else {
        this.connection.logger.log(
          'warn',
          `The tool ${visibleText(name)} is nested too deeply to be compared, so it is not offered.`,
        );
      }
      if (slices.isUsedUp) {
        await slices.rest();
      }
    }
    return tools;
  }

  #withView(found: Pick<Compared, 'list' | 'named' | 'listing' | 'pins'>): Compared {
    const view = serverTools(found.named, found.listing, found.pins, this.#context(found.pins));
    return { ...found, decided: this.#decided(), view };
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
