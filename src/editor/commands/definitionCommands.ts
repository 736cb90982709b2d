import * as vscode from 'vscode';
import { DisposableStore, type Disposable } from '../../base/disposable.ts';
import { isEditable, withField } from '../../host/config/edit/changeServer.ts';
import { fileKindOf } from '../../host/config/edit/serversFile.ts';
import type { ServerId } from '../../host/config/serverDefinition.ts';
import type { HostServer, McpHost } from '../../host/servers/mcpHost.ts';
import { tellFailure } from '../tellFailure.ts';
import type { ServersView } from '../views/serversView.ts';
import type { ServerNode } from '../views/serverNodes.ts';
import { failureText } from '../words.ts';
import { subjectOf, subjectOfRow, type DefinitionSubject } from './definitionSubject.ts';
import { editDefinitions } from './editDefinitions.ts';
import { pickServer } from './onServer.ts';
import { removeServer, type RemoveDependencies } from './removeServer.ts';
import { renameServer, type RenameDependencies } from './renameServer.ts';

export type DefinitionCommandDependencies = Omit<
  RemoveDependencies & RenameDependencies,
  'whenServers' | 'reveal'
> & {
  /** Undefined in an editor that has no such view. */
  readonly view: ServersView | undefined;
};

/** What is done to a definition in its file: from the menu of a row, with a key on it, or from the palette. */
export function registerDefinitionCommands(parts: DefinitionCommandDependencies): Disposable {
  const { host, view } = parts;
  const store = new DisposableStore();
  const dependencies = {
    ...parts,
    reveal: async (id: ServerId) => view?.reveal(id),
    whenServers: (isSo: () => boolean) => whenServers(host, isSo, store),
  };
  const register = (
    command: string,
    { question, what, accepts = () => true, run }: DefinitionCommand,
  ): void => {
    store.add(
      vscode.commands.registerCommand(command, async (argument: unknown) => {
        const subject = await subjectFor(parts, argument, question, accepts);
        if (!subject || !isEditable(subject.origin)) {
          return;
        }
        try {
          await run(subject);
        } catch (error) {
          const id = host.server(subject.id) && subject.id;
          await tellFailure(id, failureText(subject.label, what, error));
        }
      }),
    );
  };
  register('mcpHost.renameServer', {
    question: 'Select a server to rename',
    what: 'could not be renamed',
    run: (subject) => renameServer(dependencies, subject),
  });
  register('mcpHost.removeServer', {
    question: 'Select a server to remove',
    what: 'could not be removed',
    run: (subject) => removeServer(dependencies, subject),
  });
  register('mcpHost.disableServer', {
    question: 'Select a server to disable',
    what: 'could not be disabled',
    accepts: ({ connection }) => !connection.definition.disabled,
    run: (subject) => setDisabled(subject, true),
  });
  register('mcpHost.enableServer', {
    question: 'Select a server to enable',
    what: 'could not be enabled',
    accepts: ({ connection }) => connection.definition.disabled,
    run: (subject) => setDisabled(subject, undefined),
  });
  return store;
}

interface DefinitionCommand {
  /** What the quick pick asks when the command comes from the palette. */
  readonly question: string;
  /** What failed, after the name of the server. */
  readonly what: string;
  readonly accepts?: (server: HostServer) => boolean;
  readonly run: (subject: DefinitionSubject) => Promise<unknown>;
}

/** A key comes with the focused row, or with something else where the editor does not know that form: then the selected row counts. */
async function subjectFor(
  { host, view }: DefinitionCommandDependencies,
  argument: unknown,
  question: string,
  accepts: (server: HostServer) => boolean,
): Promise<DefinitionSubject | undefined> {
  if (typeof argument === 'string') {
    const server = host.server(argument);
    return server && subjectOf(server);
  }
  if (argument === undefined) {
    const server = await pickServer(
      host,
      question,
      (one) => isEditable(one.connection.definition.origin) && accepts(one),
    );
    return server && subjectOf(server);
  }
  const row = isRow(argument) ? argument : view?.selected;
  return row && subjectOfRow(row);
}

function isRow(argument: unknown): argument is ServerNode {
  return typeof argument === 'object' && argument !== null && 'kind' in argument;
}

async function setDisabled({ origin, name }: DefinitionSubject, value: true | undefined): Promise<void> {
  await editDefinitions(origin, (text) => withField(text, fileKindOf(origin), name, 'disabled', value));
}

/** Resolves when something is so; never, where the window ends before. */
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
