import * as vscode from 'vscode';
import type { HostServer, McpHost } from '../../host/servers/mcpHost.ts';
import { HostError, messageOf } from '../../host/errors/hostError.ts';
import type { ConsentSubject } from '../../host/roots/rootsConsent.ts';
import { listedNames } from '../../host/roots/rootsSummary.ts';
import { offeredIn } from '../../host/roots/rootsView.ts';
import { pathOf, type SharedRoot } from '../../host/folders/sharedRoot.ts';
import { inNotification, oneLine } from '../plainText.ts';

/** Characters of a name in a dialog. */
const NAME_CHARACTERS = 60;

/** Shares one folder with one server, or shares it no more. */
export async function setShared(
  host: McpHost,
  server: HostServer,
  uri: string,
  isShared: boolean,
): Promise<void> {
  if (isShared) {
    await telling(server, () => host.roots.setShared(subjectOf(server), uri, true));
  } else {
    await stopSharing(host, server, [uri]);
  }
}

/** Shares these folders no more with one server; without any left, the person may have it restarted. */
export function stopSharing(host: McpHost, server: HostServer, uris: readonly string[]): Promise<void> {
  return withdraw(host, server, uris, async () => {
    for (const uri of uris) {
      await host.roots.setShared(subjectOf(server), uri, false);
    }
  });
}

/** Shares every folder that can be shared, and those that are added later. */
export async function shareAll(host: McpHost, server: HostServer): Promise<void> {
  const view = host.rootsOf(server.connection.definition);
  const uris = offeredIn(view).map(({ root }) => root.uri);
  await telling(server, () => host.roots.choose(subjectOf(server), uris));
}

/** Takes a sub-folder off the list of a server, whether it was shared or not. */
export function removeSubfolder(host: McpHost, server: HostServer, uri: string): Promise<void> {
  return withdraw(host, server, [uri], async () => {
    await host.roots.removeSubfolder(subjectOf(server), uri);
    const { candidates } = host.rootsOf(server.connection.definition);
    const kept = candidates.find(({ root }) => root.uri === uri);
    if (kept) {
      const text = `'${kept.root.name}' is not shared; it stays on the list because the definition of '${server.label}' names it.`;
      void vscode.window.showInformationMessage(inNotification(text));
    }
  });
}

/** Forgets what the person decided of a server's folders, and says so where nothing is asked then. */
export async function resetToAsk(host: McpHost, server: HostServer): Promise<void> {
  const { definition } = server.connection;
  const all = host.rootsOf(definition).candidates.map(({ root }) => root.uri);
  await withdraw(
    host,
    server,
    all,
    async () => {
      await host.roots.reset(subjectOf(server));
      const { basis, shared } = host.rootsOf(definition);
      if (basis === 'setting' || basis === 'definition') {
        const by =
          basis === 'setting'
            ? 'your setting mcpHost.roots.default decides'
            : '"roots" in its definition decides';
        const what = listedNames(shared.map(({ name }) => name)) || 'no folder';
        const text = `You are not asked about '${server.label}', because ${by}. It sees: ${what}.`;
        void vscode.window.showInformationMessage(inNotification(text));
      }
    },
    'Reset',
  );
}

/**
 * Lets the person choose a folder inside one of the workspace's and shares it with a server; what cannot
 * be shared is refused with the reason. Gives what was added.
 */
export async function addSubfolder(
  host: McpHost,
  server: HostServer,
  start?: SharedRoot,
): Promise<SharedRoot | undefined> {
  const { candidates } = host.rootsOf(server.connection.definition);
  const first = start ?? candidates.find(({ problem }) => problem === undefined)?.root;
  if (!first) {
    const text = `The workspace has no folder from which one could be shared with '${server.label}'.`;
    void vscode.window.showInformationMessage(inNotification(text));
    return undefined;
  }
  const [chosen] =
    (await vscode.window.showOpenDialog({
      canSelectFolders: true,
      canSelectFiles: false,
      canSelectMany: false,
      defaultUri: vscode.Uri.file(pathOf(first)),
      openLabel: 'Share',
      title: `Share a subfolder with ${oneLine(server.label, NAME_CHARACTERS)}`,
    })) ?? [];
  if (!chosen) {
    return undefined;
  }
  try {
    return await host.roots.addSubfolder(subjectOf(server), chosen.fsPath);
  } catch (error) {
    const isRefused = error instanceof HostError && error.code === 'folderRefused';
    const again = 'Choose Another…';
    const text = `'${chosen.fsPath}' cannot be shared with '${server.label}'. ${messageOf(error)}`;
    const answer = await vscode.window.showErrorMessage(inNotification(text), ...(isRefused ? [again] : []));
    return answer === again ? addSubfolder(host, server, first) : undefined;
  }
}

/**
 * Runs an act that shares these folders no more. A process that is left without any may keep what it was
 * last told of, as server-filesystem does: the person is offered to restart it.
 */
async function withdraw(
  host: McpHost,
  server: HostServer,
  uris: readonly string[],
  act: () => Promise<void>,
  verb: 'Stop Sharing' | 'Reset' = 'Stop Sharing',
): Promise<void> {
  const { connection } = server;
  const { definition, state, rootsKnowledge } = connection;
  const { shared } = host.rootsOf(definition);
  const isLast = shared.length > 0 && shared.every(({ uri }) => uris.includes(uri));
  const mayKeep = definition.type === 'stdio' && state.kind === 'running' && rootsKnowledge.hasAsked;
  if (!isLast || !mayKeep) {
    await telling(server, act);
    return;
  }
  const answer = await askAboutLast(server, shared, verb);
  if (answer === 'cancel') {
    return;
  }
  const isDone = await telling(server, act);
  if (isDone && answer === 'restart') {
    await vscode.commands.executeCommand('mcpHost.restartServer', definition.id);
  }
}

async function askAboutLast(
  { label }: HostServer,
  shared: readonly SharedRoot[],
  verb: string,
): Promise<'restart' | 'only' | 'cancel'> {
  const server = oneLine(label, NAME_CHARACTERS);
  const folders = oneLine(listedNames(shared.map(({ name }) => name)), 2 * NAME_CHARACTERS);
  const restart: vscode.MessageItem = { title: `${verb} and Restart` };
  const only: vscode.MessageItem = { title: verb };
  const detail =
    `'${server}' is then told that it has no folder. Many servers go on with the last one that they knew: ` +
    `only a restart makes sure that it does not use ${folders} any more.`;
  const answer = await vscode.window.showWarningMessage(
    `Share no folder with '${server}' any more?`,
    { modal: true, detail },
    restart,
    only,
  );
  return answer === restart ? 'restart' : answer === only ? 'only' : 'cancel';
}

/** Runs an act; a failure is told. True when it was done. */
async function telling(server: HostServer, act: () => Promise<void>): Promise<boolean> {
  try {
    await act();
    return true;
  } catch (error) {
    const text = `What '${server.label}' may see could not be changed: ${messageOf(error)}`;
    void vscode.window.showErrorMessage(inNotification(text));
    return false;
  }
}

function subjectOf({ connection, label }: HostServer): ConsentSubject {
  return { definition: connection.definition, label };
}
