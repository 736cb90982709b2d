import * as vscode from 'vscode';
import { noFilter, type TrafficFilter } from '../../host/traffic/trafficList.ts';
import type { TrafficEntry } from '../../host/traffic/trafficEntry.ts';
import { inQuickInput } from '../messages/plainText.ts';

interface FilterItem extends vscode.QuickPickItem {
  readonly add: (filter: TrafficFilter) => TrafficFilter;
}

const sources = { sent: 'Sent', received: 'Received', between: 'Output, HTTP and sessions' } as const;

/** Asks what a list shows; undefined if you leave it as it is. */
export async function pickTrafficFilter(
  entries: readonly TrafficEntry[],
  now: TrafficFilter,
): Promise<TrafficFilter | undefined> {
  const counts = new Map<string, number>([...now.methods].map((method) => [method, 0]));
  for (const entry of entries) {
    if (entry.kind === 'message' && entry.method !== undefined) {
      counts.set(entry.method, (counts.get(entry.method) ?? 0) + 1);
    }
  }
  const items: readonly (FilterItem | vscode.QuickPickItem)[] = [
    {
      label: 'Errors only',
      picked: now.failuresOnly,
      add: (filter: TrafficFilter) => ({ ...filter, failuresOnly: true }),
    },
    ...(['sent', 'received', 'between'] as const).map((source) => ({
      label: sources[source],
      picked: now.from.has(source),
      add: (filter: TrafficFilter) => ({ ...filter, from: new Set([...filter.from, source]) }),
    })),
    { label: 'Methods', kind: vscode.QuickPickItemKind.Separator },
    ...[...counts]
      .sort(([a], [b]) => a.localeCompare(b))
      .map(([method, count]) => ({
        label: inQuickInput(method),
        description: String(count),
        picked: now.methods.has(method),
        add: (filter: TrafficFilter) => ({ ...filter, methods: new Set([...filter.methods, method]) }),
      })),
  ];
  const picked = await vscode.window.showQuickPick(items, {
    canPickMany: true,
    title: 'Filter Traffic',
    placeHolder: 'Select what the list shows; nothing selected shows everything',
  });
  return picked?.reduce<TrafficFilter>(
    (filter, item) => ('add' in item ? item.add(filter) : filter),
    noFilter,
  );
}
