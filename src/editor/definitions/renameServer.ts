import * as vscode from 'vscode';
import { fileKindOf } from '../../host/config/edit/serversFile.ts';
import { withRenamedServer } from '../../host/config/edit/changeServer.ts';
import { problemOfName } from '../../host/config/edit/withServer.ts';
import { serverId, type ServerId } from '../../host/config/serverDefinition.ts';
import { levelOf } from '../../host/config/serverNames.ts';
import type { KeptByServer, Successor } from '../../host/config/keptByServer.ts';
import type { McpHost } from '../../host/servers/mcpHost.ts';
import { inQuickInput, oneLine } from '../messages/plainText.ts';
import { placeText } from '../messages/words.ts';
import { isDefined, namesBeside, type DefinitionSubject } from './definitionSubject.ts';
import { editDefinitions } from './editDefinitions.ts';
import type { UserSettingsFile } from './userSettingsFile.ts';

export interface RenameDependencies {
  readonly host: McpHost;
  readonly userSettings: UserSettingsFile;
  /** Everything that is kept by the id of a server. */
  readonly kept: readonly KeptByServer[];
  /** The fingerprints of the launches that have decisions. */
  readonly launchesOf: (id: ServerId) => readonly string[];
  /** Resolves when something is true, which is checked whenever the servers change. */
  readonly whenServers: (isSo: () => boolean) => Promise<void>;
  /** Selects the row of a server. */
  readonly reveal: (id: ServerId) => Promise<void>;
}

/**
 * Asks for another name, and writes it. A server is identified by its file and name, so what is kept about it is
 * copied to the new name first, so that nothing is asked again, and forgotten for the old name once that is gone.
 *
 * @throws Error that says why the file cannot be changed; nothing has changed then.
 */
export async function renameServer(
  dependencies: RenameDependencies,
  subject: DefinitionSubject,
): Promise<void> {
  const { host, kept, reveal, whenServers } = dependencies;
  const { id, origin, name } = subject;
  const to = await askName(host, subject);
  if (to === undefined || to === name) {
    return;
  }
  const successor: Successor = {
    id: serverId(origin, to),
    label: to,
    launches: launchesOf(dependencies, id),
  };
  await copyAll(kept, id, successor);
  try {
    await editDefinitions(origin, dependencies.userSettings, (text) =>
      withRenamedServer(text, fileKindOf(origin), name, to),
    );
  } catch (error) {
    await forgetAll(kept, successor.id);
    throw error;
  }
  await whenServers(() => isDefined(host, successor.id) && !isDefined(host, id));
  await forgetAll(kept, id);
  if (host.server(successor.id)) {
    await reveal(successor.id);
  }
}

async function askName(host: McpHost, subject: DefinitionSubject): Promise<string | undefined> {
  const { name, origin, label } = subject;
  const taken = namesBeside(host, subject);
  const place = placeText(origin);
  return vscode.window.showInputBox({
    title: `Rename '${oneLine(label, 60)}'`,
    prompt: inQuickInput(`The new name in ${place}. The server keeps its decisions, folders, and inputs.`),
    value: name,
    valueSelection: [0, name.length],
    validateInput: (value) => {
      const problem = value === name ? undefined : problemOfName(value, taken);
      return problem === undefined ? sameElsewhere(host, subject, value) : inQuickInput(problem);
    },
  });
}

/** Of two servers of one name at different levels only one runs: worth knowing, but not an error. */
function sameElsewhere(
  host: McpHost,
  { origin, name }: DefinitionSubject,
  value: string,
): vscode.InputBoxValidationMessage | undefined {
  const level = levelOf(origin);
  const other =
    value === name
      ? undefined
      : host.servers
          .map(({ connection }) => connection.definition)
          .find((one) => one.name === value && levelOf(one.origin) !== level);
  return (
    other && {
      message: inQuickInput(
        `'${value}' is also defined in ${placeText(other.origin)}: only the one in ${placeText(levelOf(other.origin) < level ? other.origin : origin)} will run.`,
      ),
      severity: vscode.InputBoxValidationSeverity.Info,
    }
  );
}

function launchesOf({ host, launchesOf: decided }: RenameDependencies, id: ServerId): readonly string[] {
  const server = host.server(id);
  const running = host.runningLaunchOf(id);
  return [
    ...new Set([
      ...decided(id),
      ...(server ? [host.launchOf(server.connection.definition)] : []),
      ...(running === undefined ? [] : [running]),
    ]),
  ];
}

async function copyAll(kept: readonly KeptByServer[], from: ServerId, to: Successor): Promise<void> {
  for (const one of kept) {
    await one.copy(from, to);
  }
}

async function forgetAll(kept: readonly KeptByServer[], id: ServerId): Promise<void> {
  for (const one of kept) {
    await one.forget(id);
  }
}
