import * as vscode from 'vscode';
import type { Disposable } from '../../base/disposable.ts';
import { isWanted, messageLevels, type WantedLevel } from '../../host/connection/messageLevel.ts';
import type { McpHost } from '../../host/mcpHost.ts';
import type { ChosenLevels } from '../chosenLevels.ts';
import { inQuickInput } from '../plainText.ts';
import { registerOn } from './onServer.ts';

/** A row: a level, the log's own, or the way to where that is changed. */
interface LevelRow extends vscode.QuickPickItem {
  readonly choice: WantedLevel | 'asLog' | 'changeLog';
}

/** "Set Log Level…" of one server: from which level on it is to send messages. */
export function registerSetLogLevel(host: McpHost, levels: ChosenLevels): Disposable {
  return registerOn(host, 'mcpHost.setLogLevel', {
    question: "Which server's log level?",
    accepts: () => true,
    run: async ({ connection, label }) => {
      const { id } = connection.definition;
      const choice = await pickLevel(label, levels.of(id), connection.logLevel.shown);
      if (choice === 'changeLog') {
        connection.logger.show?.();
        await vscode.commands.executeCommand('workbench.action.setLogLevel');
      } else if (choice !== undefined) {
        await levels.choose(id, choice === 'asLog' ? undefined : choice);
      }
    },
  });
}

const names: Record<WantedLevel, string> = {
  debug: 'Debug',
  info: 'Info',
  notice: 'Notice',
  warning: 'Warning',
  error: 'Error',
  critical: 'Critical',
  alert: 'Alert',
  emergency: 'Emergency',
  off: 'Off',
};

async function pickLevel(
  label: string,
  present: WantedLevel | undefined,
  shown: WantedLevel,
): Promise<LevelRow['choice'] | undefined> {
  const rows: readonly LevelRow[] = [
    { label: 'As the Log Shows', description: names[shown], choice: 'asLog' },
    ...messageLevels.map((choice): LevelRow => {
      // Asked for all the same, the messages are in the log of whoever reads it at a lower level.
      const description = isWanted(choice, shown) ? '' : hiddenBy(shown);
      return { label: names[choice], description, choice };
    }),
    { label: names.off, choice: 'off' },
    { label: 'Change What the Log Shows…', choice: 'changeLog' },
  ];
  const picked = await vscode.window.showQuickPick(
    rows.map((row) =>
      row.choice === (present ?? 'asLog') ? { ...row, label: `$(check) ${row.label}` } : row,
    ),
    {
      title: `Log Level of '${inQuickInput(label)}'`,
      placeHolder: 'From which level on shall the server send messages?',
    },
  );
  return picked?.choice;
}

function hiddenBy(shown: WantedLevel): string {
  return shown === 'off' ? 'the log shows nothing' : `the log shows ${names[shown]} and above`;
}
