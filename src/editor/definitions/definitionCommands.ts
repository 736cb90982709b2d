import { DisposableStore, type Disposable } from '../../base/lifetime/disposable.ts';
import { isEditable, withField } from '../../host/config/edit/changeServer.ts';
import { fileKindOf } from '../../host/config/edit/serversFile.ts';
import type { ServerId } from '../../host/config/serverDefinition.ts';
import type { McpHost } from '../../host/servers/mcpHost.ts';
import { registerCommands, runCommand } from '../commands/commands.ts';
import { tellFailure } from '../commands/tellFailure.ts';
import type { ServerNode } from '../nodes/serverNode.ts';
import { failureText } from '../messages/words.ts';
import { subjectOf, subjectOfRow, type DefinitionSubject } from './definitionSubject.ts';
import { editDefinitions } from './editDefinitions.ts';
import { pickServer } from '../commands/onServer.ts';
import { removeServer, type RemoveDependencies } from './removeServer.ts';
import { renameServer, type RenameDependencies } from './renameServer.ts';

export type DefinitionCommandDependencies = Omit<RemoveDependencies & RenameDependencies, 'whenServers'> & {
  /** The row that is selected in the view of servers. */
  readonly selected: () => ServerNode | undefined;
  /** Another name of a server, for which its tokens are as it says, where you can use that. */
  claimedAddress(id: ServerId): string | undefined;
};

/**
 * Registers the commands that change a definition in its file: from the menu of a row, by a key, or from the palette.
 */
export function registerDefinitionCommands(parts: DefinitionCommandDependencies): Disposable {
  const { host } = parts;
  // What waits for the servers to change ends with the store.
  const store = new DisposableStore();
  const dependencies = {
    ...parts,
    whenServers: (isSo: () => boolean) => whenServers(host, isSo, store),
  };
  const on =
    ({ placeholder, what, accepts = isInFile, run }: DefinitionCommand) =>
    async (argument?: unknown): Promise<void> => {
      const subject = await subjectFor(parts, argument, placeholder, accepts);
      if (!subject || !accepts(subject)) {
        return;
      }
      try {
        await run(subject);
      } catch (error) {
        const id = host.server(subject.id) && subject.id;
        await tellFailure(id, failureText(subject.label, what, error));
      }
    };
  const settingDisabled = (disabled: true | undefined) =>
    on({
      placeholder: `Select a server to ${disabled ? 'disable' : 'enable'}`,
      what: `could not be ${disabled ? 'disabled' : 'enabled'}`,
      run: (subject) => setField(parts, subject, 'disabled', disabled),
    });
  const commands = registerCommands({
    renameServer: on({
      placeholder: 'Select a server to rename',
      what: 'could not be renamed',
      run: (subject) => renameServer(dependencies, subject),
    }),
    removeServer: on({
      placeholder: 'Select a server to remove',
      what: 'could not be removed',
      accepts: (subject) => isAdded(subject) || isInFile(subject),
      run: (subject) =>
        isAdded(subject) ? runCommand('removeAddedServer', subject.id) : removeServer(dependencies, subject),
    }),
    disableServer: settingDisabled(true),
    enableServer: settingDisabled(undefined),
    useClaimedAddress: on({
      placeholder: 'Select a server to use the address that it names',
      what: 'could not be changed',
      run: async (subject) => {
        const address = parts.claimedAddress(subject.id);
        await (address === undefined ? undefined : setField(parts, subject, 'url', address));
      },
    }),
  });
  store.add(commands);
  return store;
}

function isInFile({ origin }: DefinitionSubject): boolean {
  return isEditable(origin);
}

/** It is a program of this extension: the sample server, or a recording. */
function isAdded({ origin }: DefinitionSubject): boolean {
  return origin.scope === 'extension';
}

interface DefinitionCommand {
  /** The placeholder of the quick pick that comes up when the command comes from the palette. */
  readonly placeholder: string;
  /** What failed, after the name of the server. */
  readonly what: string;
  /** What it can change: without it, definitions in files. */
  readonly accepts?: (subject: DefinitionSubject) => boolean;
  readonly run: (subject: DefinitionSubject) => Promise<unknown>;
}

/**
 * A key hands over the focused row, or something else in editors without that feature: then the selected row counts.
 */
async function subjectFor(
  { host, selected }: DefinitionCommandDependencies,
  argument: unknown,
  placeholder: string,
  accepts: (subject: DefinitionSubject) => boolean,
): Promise<DefinitionSubject | undefined> {
  if (typeof argument === 'string') {
    const server = host.server(argument);
    return server && subjectOf(server);
  }
  if (argument === undefined) {
    const server = await pickServer(host, placeholder, (one) => accepts(subjectOf(one)));
    return server && subjectOf(server);
  }
  const row = isRow(argument) ? argument : selected();
  return row && subjectOfRow(row);
}

function isRow(argument: unknown): argument is ServerNode {
  return typeof argument === 'object' && argument !== null && 'kind' in argument;
}

async function setField(
  { userSettings }: DefinitionCommandDependencies,
  { origin, name }: DefinitionSubject,
  field: string,
  value: string | true | undefined,
): Promise<void> {
  await editDefinitions(origin, userSettings, (text) =>
    withField(text, fileKindOf(origin), name, field, value),
  );
}

/** Resolves when something is true; never if the window closes before. */
function whenServers(host: McpHost, isSo: () => boolean, store: DisposableStore): Promise<void> {
  if (isSo()) {
    return Promise.resolve();
  }
  return new Promise((resolve) => {
    const listening = store.add(
      host.onDidChangeServers(() => {
        if (isSo()) {
          listening.dispose();
          resolve();
        }
      }),
    );
  });
}
