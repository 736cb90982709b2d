import * as vscode from 'vscode';
import type { Disposable } from '../../../base/lifetime/disposable.ts';
import { entryDocument } from '../../../host/documents/entryDocument.ts';
import type { Ledger } from '../../../host/ledger/ledger.ts';
import type { LedgerEntry } from '../../../host/ledger/ledgerEntry.ts';
import { localTime } from '../../../host/documents/resultDocument.ts';
import { registerCommands } from '../../commands/commands.ts';
import { fileName } from '../../documents/documentStore.ts';
import { askWhereToSave } from '../../documents/saveTarget.ts';
import type { ViewDocuments } from '../../documents/viewDocuments.ts';
import { inNotification } from '../../messages/plainText.ts';
import { reportingError } from '../../messages/notifications.ts';
import type { ActivityView } from './activityView.ts';
import { requestLabel } from './activityRows.ts';
import { callsOf } from '../servers/serverNodes.ts';
import { openTaskResult, type TaskResultDependencies } from './openTaskResult.ts';
import { showCalls } from './showCalls.ts';

/** The entries that the list of activity shows. */
type ShownActivity = Pick<ActivityView, 'shows' | 'scope'>;

export interface ActivityDependencies extends TaskResultDependencies {
  readonly viewDocuments: ViewDocuments;
}

/** Registers the commands on requests: open, export, cancel. */
export function registerActivityCommands(
  { ledger, viewDocuments, ...others }: ActivityDependencies,
  shown: ShownActivity,
): Disposable {
  const opened = new Map<string, vscode.Uri>();
  return registerCommands({
    openActivity: async (argument) => {
      const id = typeof argument === 'string' ? argument : argument?.id;
      const entry = ledger.entries.find((one) => one.id === id);
      if (entry) {
        const text = entryDocument(entry, await ledger.contentOf(entry.id));
        const instead = opened.get(entry.id);
        const options = { language: 'mcp-host-result', instead, preview: true };
        opened.set(entry.id, await viewDocuments.show(documentName(entry), text, options));
      }
    },
    openTaskResult: async (node) => {
      if (node?.kind === 'entry') {
        await openTaskResult(node.entry, { ledger, ...others });
      }
    },
    cancelCall: (node) => {
      switch (node?.kind) {
        case 'running':
          return node.request.cancel();
        case 'tool':
          return callsOf(node.listed, ledger).forEach((call) => call.cancel());
        default:
          return showCalls(ledger);
      }
    },
    showCalls: () => showCalls(ledger),
    exportActivity: () => exportActivity(ledger, shown),
  });
}

function documentName(entry: LedgerEntry): string {
  const { server, at } = entry;
  const time = localTime(new Date(at)).slice(11).replaceAll(':', '-');
  return `${['Activity', server, `${requestLabel(entry)} ${time}`].map(fileName).join('/')}.txt`;
}

/** Exports what the list shows. */
async function exportActivity(ledger: Ledger, shown: ShownActivity): Promise<void> {
  await ledger.load();
  const { scope } = shown;
  const wanted = ledger.entries.filter((entry) => shown.shows(entry)).length;
  if (wanted === 0) {
    void vscode.window.showInformationMessage(inNotification(`There is no activity to export for ${scope}.`));
    return;
  }
  const name = `mcp-activity-${localTime(new Date()).slice(0, 10)}.jsonl`;
  const target = await askWhereToSave(name, {
    title: `Export Activity: ${scope}`,
    saveLabel: 'Export',
    filters: { 'JSON Lines': ['jsonl'] },
  });
  if (!target) {
    return;
  }
  await reportingError('The activity could not be exported', async () => {
    const count = await vscode.window.withProgress(
      { location: vscode.ProgressLocation.Notification, title: 'Exporting activity', cancellable: true },
      (progress, token) => write(ledger, shown, target, progress, token),
    );
    if (count !== undefined) {
      const what = count === 1 ? 'Exported 1 entry' : `Exported ${count} entries`;
      void vscode.window.showInformationMessage(inNotification(`${what}: ${scope}.`));
    }
  });
}

/** The number of entries; undefined when you cancelled, and nothing was written. */
async function write(
  ledger: Ledger,
  shown: ShownActivity,
  target: vscode.Uri,
  progress: vscode.Progress<{ message: string }>,
  token: vscode.CancellationToken,
): Promise<number | undefined> {
  const lines: Buffer[] = [];
  for await (const line of ledger.exportLines((entry) => shown.shows(entry))) {
    if (token.isCancellationRequested) {
      return undefined;
    }
    lines.push(Buffer.from(line));
    if (lines.length % 1_000 === 0) {
      progress.report({ message: `${lines.length} entries` });
    }
  }
  await vscode.workspace.fs.writeFile(target, Buffer.concat(lines));
  return lines.length;
}
