import type { Tool } from '@modelcontextprotocol/client';
import { isRecord } from '../../base/values/record.ts';
import type { ServerId } from '../config/serverDefinition.ts';
import type { Standing } from './pinnedItem.ts';

/** A server's tool as callers see it (server/tools). */
export interface HostTool {
  readonly serverId: ServerId;
  /** As the server lists it now. */
  readonly tool: Tool;
  /** As a model gets it: the approved texts, and annotations only of servers whose claims are trusted. */
  readonly offered: Tool;
  readonly standing: Standing;
  /** Whether you let callers see it; see also `isOffered`. */
  readonly isExposed: boolean;
  /** That it runs only as a task, and its server runs none: nobody can call it. */
  readonly lacksTasks?: true;
}

/** A server's prompt or resource template as callers see it. */
export interface HostItem<T> {
  /** As a model gets it: the approved texts, and nothing that is not compared. */
  readonly offered: T;
  readonly standing: Standing;
}

/** True when callers can list and call the tool. */
export function isOffered(listed: HostTool): boolean {
  const { isExposed, standing } = listed;
  return isExposed && isForModels(listed) && (standing.kind === 'known' || standing.kind === 'new');
}

/** False for a tool that no caller but you is ever offered. */
export function isForModels({ tool, lacksTasks }: HostTool): boolean {
  return !lacksTasks && !isForApps(tool);
}

/** True for a tool that its server offers to its own views alone (extension apps, `_meta.ui.visibility`). */
export function isForApps({ _meta }: Tool): boolean {
  const ui = _meta?.['ui'];
  const visibility = isRecord(ui) ? ui['visibility'] : undefined;
  return Array.isArray(visibility) && !visibility.includes('model');
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
