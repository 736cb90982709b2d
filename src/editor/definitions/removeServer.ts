import * as vscode from 'vscode';
import type { ServerAccounts } from '../../host/auth/accounts/serverAccounts.ts';
import type { ServerDecisions } from '../../host/decisions/serverDecisions.ts';
import { fileKindOf } from '../../host/config/edit/serversFile.ts';
import { withoutServer } from '../../host/config/edit/changeServer.ts';
import type { McpHost } from '../../host/servers/mcpHost.ts';
import { messageOf } from '../../host/errors/hostError.ts';
import type { InputStore } from '../inputs/inputStore.ts';
import { inNotification } from '../messages/plainText.ts';
import { placeText } from '../messages/words.ts';
import { isDefined, type DefinitionSubject } from './definitionSubject.ts';
import { editDefinitions } from './editDefinitions.ts';
import { openDefinition } from '../documents/openDefinition.ts';
import type { UserSettingsFile } from './userSettingsFile.ts';

export interface RemoveDependencies {
  readonly host: McpHost;
  readonly decisions: ServerDecisions;
  readonly inputs: InputStore;
  readonly userSettings: UserSettingsFile;
  readonly accounts: ServerAccounts;
  readonly whenServers: (isSo: () => boolean) => Promise<void>;
}

/**
 * Removes a definition from its file, and forgets the decisions about the server, its account and its inputs once it is
 * gone. "Undo" restores all of that, as long as the file has not changed since.
 *
 * @throws Error that says why the file cannot be changed.
 */
export async function removeServer(
  dependencies: RemoveDependencies,
  subject: DefinitionSubject,
): Promise<void> {
  const { host, userSettings, whenServers } = dependencies;
  const { origin, name, id } = subject;
  let before = '';
  let after = '';
  let inputs: readonly string[] = [];
  const isSaved = await editDefinitions(origin, userSettings, (text) => {
    before = text;
    ({ text: after, inputs } = withoutServer(text, fileKindOf(origin), name));
    return after;
  });
  let isUndone = false;
  let forgotten: Promise<() => Promise<void>> | undefined;
  // What is not saved, or not applied, still holds.
  const forgetting = isSaved
    ? whenServers(() => !isDefined(host, id)).then(() => {
        forgotten = isUndone ? undefined : forget(dependencies, subject, inputs);
        return forgotten;
      })
    : Promise.resolve();
  forgetting.catch((error: unknown) => tellUnforgotten(subject, error));
  const undo = 'Undo';
  const removed = inNotification(`Removed '${subject.label}' from ${placeText(origin)}.`);
  if ((await vscode.window.showInformationMessage(removed, undo)) === undo) {
    await takeBack(subject, userSettings, async (text) => {
      if (text !== after) {
        throw new Error('the file has changed since');
      }
      isUndone = true;
      const restore = await forgotten;
      await restore?.();
      return before;
    });
  }
}

function tellUnforgotten({ label }: DefinitionSubject, error: unknown): void {
  const text = `What you decided about '${label}' could not be forgotten: ${messageOf(error)}`;
  void vscode.window.showErrorMessage(inNotification(text));
}

/** Returns what restores everything that was forgotten. */
async function forget(
  { decisions, inputs: store, accounts }: RemoveDependencies,
  { id, origin }: DefinitionSubject,
  inputs: readonly string[],
): Promise<() => Promise<void>> {
  const decided = decisions.of(id);
  await decisions.forget(id);
  const restoreAccounts = await accounts.take(id);
  const values = await Promise.all(inputs.map((input) => store.take({ place: origin.place, id: input })));
  return async () => {
    await decisions.restore(decided);
    await restoreAccounts();
    await Promise.all(values.map(async (putBack) => putBack?.()));
  };
}

async function takeBack(
  { origin, name, label }: DefinitionSubject,
  userSettings: UserSettingsFile,
  change: (text: string) => Promise<string>,
): Promise<void> {
  try {
    await editDefinitions(origin, userSettings, change);
  } catch (error) {
    const open = 'Open File';
    const text = `Server '${label}' was not restored in ${placeText(origin)}: ${messageOf(error)}.`;
    if ((await vscode.window.showErrorMessage(inNotification(text), open)) === open) {
      await openDefinition(origin, name);
    }
  }
}
