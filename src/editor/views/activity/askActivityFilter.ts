import * as vscode from 'vscode';
import { capitalized } from '../../../base/text/words.ts';
import type { Ledger } from '../../../host/ledger/ledger.ts';
import type { LedgerMethod, LedgerOutcome } from '../../../host/ledger/ledgerEntry.ts';
import { outcomeWords } from '../../../host/ledger/ledgerWords.ts';
import { inQuickInput } from '../../messages/plainText.ts';
import type { ActivityFilter } from './activityNodes.ts';

const outcomes: readonly LedgerOutcome[] = ['done', 'toolError', 'failed', 'cancelled', 'refused'];

const methods: readonly (readonly [method: LedgerMethod, label: string])[] = [
  ['tools/call', 'Tools'],
  ['resources/read', 'Resources'],
  ['prompts/get', 'Prompts'],
  ['completion/complete', 'Suggestions'],
  ['sampling/createMessage', 'Language Models'],
  ['elicitation/create', 'Forms and Addresses'],
];

interface FilterItem extends vscode.QuickPickItem {
  readonly isEverywhere?: true;
  readonly server?: string;
  readonly method?: LedgerMethod;
  readonly outcome?: LedgerOutcome;
}

/** Asks which activity to show; undefined when you cancel. */
export async function askActivityFilter(
  { entries, running, workspace }: Pick<Ledger, 'entries' | 'running' | 'workspace'>,
  filter: ActivityFilter,
): Promise<ActivityFilter | undefined> {
  const counts = new Map<string, number>();
  const servers = new Set([...filter.servers, ...running.map(({ server }) => server)]);
  const inScope = entries.filter((entry) => filter.workspaces === 'all' || entry.workspace === workspace);
  for (const { server, method, outcome } of inScope) {
    servers.add(server);
    counts.set(method, (counts.get(method) ?? 0) + 1);
    counts.set(`server ${server}`, (counts.get(`server ${server}`) ?? 0) + 1);
    counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
  }
  const items: readonly FilterItem[] = [
    { label: 'Workspaces', kind: vscode.QuickPickItemKind.Separator },
    {
      label: 'All Workspaces',
      description: 'not only this one',
      picked: filter.workspaces === 'all',
      isEverywhere: true,
    },
    { label: 'Servers', kind: vscode.QuickPickItemKind.Separator },
    ...[...servers].sort().map((server) => ({
      label: inQuickInput(server, 100),
      description: String(counts.get(`server ${server}`) ?? 0),
      picked: filter.servers.includes(server),
      server,
    })),
    { label: 'Requests For', kind: vscode.QuickPickItemKind.Separator },
    ...methods.map(([method, label]) => ({
      label,
      description: String(counts.get(method) ?? 0),
      picked: filter.methods.includes(method),
      method,
    })),
    { label: 'Outcomes', kind: vscode.QuickPickItemKind.Separator },
    ...outcomes.map((outcome) => ({
      label: capitalized(outcomeWords(outcome)),
      description: String(counts.get(outcome) ?? 0),
      picked: filter.outcomes.includes(outcome),
      outcome,
    })),
  ];
  const picked = await vscode.window.showQuickPick(items, {
    title: 'Filter Activity',
    placeHolder: 'Select what to show. An empty group shows all.',
    canPickMany: true,
  });
  return (
    picked && {
      workspaces: picked.some(({ isEverywhere }) => isEverywhere) ? 'all' : 'this',
      servers: picked.flatMap(({ server }) => server ?? []),
      methods: picked.flatMap(({ method }) => method ?? []),
      outcomes: picked.flatMap(({ outcome }) => outcome ?? []),
    }
  );
}
