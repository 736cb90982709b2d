import * as vscode from 'vscode';
import type { Disposable } from '../../base/lifetime/disposable.ts';
import { capitalized } from '../../base/text/words.ts';
import { isWanted, messageLevels, type WantedLevel } from '../../host/connection/messages/logLevels.ts';
import type { McpHost } from '../../host/servers/mcpHost.ts';
import type { ChosenLevels } from './chosenLevels.ts';
import { inQuickInput } from '../messages/plainText.ts';
import { registerCommand } from '../commands/commands.ts';
import { onServer } from '../commands/onServer.ts';

/** A row: a level, that of the log, or where to change what the log shows. */
interface LevelRow extends vscode.QuickPickItem {
  readonly choice: WantedLevel | 'asLog' | 'changeLog';
}

/** Registers "Set Log Level…": the lowest level of messages that a server sends. */
export function registerSetLogLevel(host: McpHost, levels: ChosenLevels): Disposable {
  const set = onServer(host, {
    placeholder: 'Select a server to set its log level',
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
  return registerCommand('setLogLevel', set);
}

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
  const hidden = shown === 'off' ? 'the log shows nothing' : `the log shows ${capitalized(shown)} and above`;
  const rows: readonly LevelRow[] = [
    row('As the Log Shows', 'asLog', capitalized(shown)),
    ...messageLevels.map((level) =>
      row(capitalized(level), level, ...(isWanted(level, shown) ? [] : [hidden])),
    ),
    row('Off', 'off'),
    row('Change What the Log Shows…', 'changeLog'),
  ];
  const picked = await vscode.window.showQuickPick(rows, {
    title: `Log Level of '${inQuickInput(label)}'`,
    placeHolder: 'Select the lowest level of messages that the server sends',
  });
  return picked?.choice;
}
