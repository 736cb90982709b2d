import * as vscode from 'vscode';
import type { Disposable } from '../../base/lifetime/disposable.ts';
import { commandId, type ArgumentsOf, type CommandName } from './commandList.ts';

/** What menus and keys hand over is not checked: `run` looks at it. */
export function registerCommand<Name extends CommandName>(
  name: Name,
  run: (...args: ArgumentsOf<Name>) => unknown,
): Disposable {
  return vscode.commands.registerCommand(commandId(name), run);
}

/** As `registerCommand`, for several commands by their names. */
export function registerCommands(commands: {
  readonly [Name in CommandName]?: (...args: ArgumentsOf<Name>) => unknown;
}): Disposable {
  const registered = Object.entries(commands).map(([name, run]) =>
    vscode.commands.registerCommand(commandId(name as CommandName), run),
  );
  return vscode.Disposable.from(...registered);
}

/** Resolves when the command has ended. */
export async function runCommand<Name extends CommandName>(
  name: Name,
  ...args: ArgumentsOf<Name>
): Promise<void> {
  await vscode.commands.executeCommand(commandId(name), ...args);
}
