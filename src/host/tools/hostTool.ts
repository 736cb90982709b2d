import type { Tool } from '@modelcontextprotocol/client';
import type { ServerId } from '../config/serverDefinition.ts';

/** What of a tool is pinned: any change of it is a change of the tool. */
export interface PinnedTool {
  readonly name: string;
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  readonly inputSchema: unknown;
  readonly outputSchema?: unknown;
  readonly annotations?: unknown;
  /** How it can run as a task; absent if it can't (2025-11-25, basic/utilities/tasks). */
  readonly taskSupport?: string | undefined;
}

/** How a tool compares with what was pinned of its server. */
export type ToolStanding =
  /** Listed a moment ago, and not compared yet: not offered. */
  | { readonly kind: 'unseen' }
  | { readonly kind: 'known' }
  /** Came after the first list, and you chose to offer new tools; its first call asks. */
  | { readonly kind: 'new' }
  /** Came after the first list, or what was pinned of it is lost: not offered until you have seen it. */
  | { readonly kind: 'added' }
  /** Has changed: not offered until you have accepted the change. */
  | {
      readonly kind: 'changed';
      readonly before: PinnedTool;
      /** The name of a tool with the same schema that is gone. */
      readonly renamedFrom?: string;
    };

/** A server's tool as callers see it (server/tools). */
export interface HostTool {
  readonly serverId: ServerId;
  /** As the server lists it now. */
  readonly tool: Tool;
  /** As a model gets it: the approved texts, and annotations only of servers whose claims are trusted. */
  readonly offered: Tool;
  readonly standing: ToolStanding;
  /** Whether you let callers see it; see also `isOffered`. */
  readonly isExposed: boolean;
  /** That it runs only as a task, and its server runs none: nobody can call it. */
  readonly lacksTasks?: true;
}

/** True when callers can list and call the tool. */
export function isOffered({ isExposed, standing, lacksTasks }: HostTool): boolean {
  return isExposed && !lacksTasks && (standing.kind === 'known' || standing.kind === 'new');
}

/** True for a tool that only runs as a task (2025-11-25, basic/utilities/tasks). */
export function needsTask({ execution }: Tool): boolean {
  return execution?.taskSupport === 'required';
}

/** True for a tool that can run as a task. */
export function canBeTask({ execution }: Tool): boolean {
  return execution?.taskSupport === 'required' || execution?.taskSupport === 'optional';
}

/** Why a tool is not called that needs a task, of a server that runs none, as a clause. */
export const LACKS_TASKS = 'it runs only as a task, and its server does not run tools as tasks';
