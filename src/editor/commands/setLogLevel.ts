import * as vscode from 'vscode';
import type { Disposable } from '../../base/disposable.ts';
import { isWanted, messageLevels, type WantedLevel } from '../../host/connection/lists/messageLevel.ts';
import type { McpHost } from '../../host/servers/mcpHost.ts';
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
  const row = (label: string, choice: LevelRow['choice'], ...notes: readonly string[]): LevelRow => ({
    label,
    description: [...(choice === (present ?? 'asLog') ? ['chosen'] : []), ...notes].join(' · '),
    choice,
  });
  const hidden = shown === 'off' ? 'the log shows nothing' : `the log shows ${names[shown]} and above`;
  const rows: readonly LevelRow[] = [
    row('As the Log Shows', 'asLog', names[shown]),
    ...messageLevels.map((level) => row(names[level], level, ...(isWanted(level, shown) ? [] : [hidden]))),
    row(names.off, 'off'),
    row('Change What the Log Shows…', 'changeLog'),
  ];
  const picked = await vscode.window.showQuickPick(rows, {
    title: `Log Level of '${inQuickInput(label)}'`,
    placeHolder: 'From which level on shall the server send messages?',
  });
  return picked?.choice;
}
