import type { Disposable } from '../../base/disposable.ts';
import type { Event } from '../../base/event.ts';
import type { ServerId } from '../config/serverDefinition.ts';
import type { HostTool, PinnedTool } from './hostTool.ts';

/** What is not as it was approved, of one server at one moment. */
export interface ServerChanges {
  readonly serverId: ServerId;
  /** Tools that are held back. */
  readonly tools: readonly {
    readonly name: string;
    readonly before: PinnedTool;
    readonly now: PinnedTool;
    readonly renamedFrom?: string;
    /** True from the second change of its texts on, where schema and annotations are as before. */
    readonly canVary: boolean;
  }[];
  /** The server's `instructions`, when they have changed. */
  readonly instructions?: {
    readonly before: string | undefined;
    readonly now: string | undefined;
    readonly canVary: boolean;
  };
}

/**
 * Every server's tools as doors may see them: what the person exposes, how each tool stands to what was
 * pinned of it, and whose claims are trusted.
 */
export interface HostTools extends Disposable {
  /** What doors may see of a server is different, or how its tools stand. */
  readonly onDidChange: Event<ServerId>;
  /** All tools that a server lists, those that no door shows too; empty while it does not run. */
  of(id: ServerId): readonly HostTool[];
  /** Compares one tool anew, at the moment of a call. */
  check(id: ServerId, name: string): HostTool | undefined;
  /** The server's `instructions` as they were approved, for a model. */
  instructions(id: ServerId): string | undefined;
  /** The fingerprint of the launch that runs. */
  launchOf(id: ServerId): string | undefined;
  /** What is held back; undefined when nothing is. */
  changes(id: ServerId): ServerChanges | undefined;
  /** Takes what was shown as the new state: exactly these changes, and none that came since. */
  accept(shown: ServerChanges): Promise<void>;
  /** Takes the changes as texts that vary: a model gets the approved ones from then on. */
  letVary(shown: ServerChanges): Promise<void>;
  /** A new tool is new no more: its first call was asked about, or the server was granted. */
  acknowledge(id: ServerId, names: readonly string[]): Promise<void>;
  /** Shows a tool in doors or not; without a name, all of the server's. */
  expose(id: ServerId, isExposed: boolean, name?: string): Promise<void>;
  isTrusted(id: ServerId): boolean;
  /** Believes what the server claims of its tools, for the launch that runs, or no more. */
  trust(id: ServerId, isTrusted: boolean): Promise<void>;
}
