import * as vscode from 'vscode';
import type { HostServer, McpHost } from '../../host/servers/mcpHost.ts';
import { HostError, messageOf } from '../../host/errors/hostError.ts';
import type { ConsentSubject } from '../../host/roots/rootsConsent.ts';
import { listedNames } from '../../host/roots/rootsSummary.ts';
import { offeredIn } from '../../host/roots/rootsView.ts';
import { pathOf, type SharedRoot } from '../../host/folders/sharedRoot.ts';
import { runCommand } from '../commands/commands.ts';
import { inNotification, oneLine } from '../messages/plainText.ts';
import { reportingError } from '../messages/notifications.ts';

/** Characters of a name in a dialog. */
const NAME_CHARACTERS = 60;

/** Shares one folder with one server, or stops sharing it. */
export async function setShared(
  host: McpHost,
  server: HostServer,
  uri: string,
  isShared: boolean,
): Promise<void> {
  if (isShared) {
    await changing(server, () => host.roots.setShared(subjectOf(server), uri, true));
  } else {
    await stopSharing(host, server, [uri]);
  }
}

/** Stops sharing these folders with one server. If none is left, you can restart the server. */
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
  await changing(server, () => host.roots.choose(subjectOf(server), uris));
}

/** Removes a subfolder from the list of a server, shared or not. */
export function removeSubfolder(host: McpHost, server: HostServer, uri: string): Promise<void> {
  return withdraw(host, server, [uri], async () => {
    await host.roots.removeSubfolder(subjectOf(server), uri);
    const { candidates } = host.rootsOf(server.connection.definition);
    const kept = candidates.find(({ root }) => root.uri === uri);
    if (kept) {
      const text = `'${kept.root.name}' isn't shared. It stays in the list because the definition of '${server.label}' names it.`;
      void vscode.window.showInformationMessage(inNotification(text));
    }
  });
}

/** Forgets your decision about a server's folders. A message says if you are not asked again. */
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
 * Lets you select a folder inside one of the workspace's folders and shares it with a server. A folder that cannot be
 * shared is refused with the reason. Returns what was added.
 */
export async function addSubfolder(
  host: McpHost,
  server: HostServer,
  start?: SharedRoot,
): Promise<SharedRoot | undefined> {
  const { candidates } = host.rootsOf(server.connection.definition);
  const first = start ?? candidates.find(({ problem }) => problem === undefined)?.root;
  if (!first) {
    const text = `The workspace has no folder whose subfolders can be shared with '${server.label}'.`;
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
    const again = 'Select Another…';
    const text = `'${chosen.fsPath}' can't be shared with '${server.label}'. ${messageOf(error)}`;
    const answer = await vscode.window.showErrorMessage(inNotification(text), ...(isRefused ? [again] : []));
    return answer === again ? addSubfolder(host, server, first) : undefined;
  }
}

/**
 * Runs something that stops sharing these folders. A process that is left without any may keep the last ones, as
 * server-filesystem does, so you can restart it.
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
    await changing(server, act);
    return;
  }
  const answer = await askAboutLast(server, shared, verb);
  if (answer === 'cancel') {
    return;
  }
  const isDone = await changing(server, act);
  if (isDone && answer === 'restart') {
    await runCommand('restartServer', definition.id);
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
    `'${server}' is then notified that it has no folder. Many servers keep using the last one: ` +
    `only a restart makes sure that it no longer uses ${folders}.`;
  const answer = await vscode.window.showWarningMessage(
    `Stop sharing all folders with '${server}'?`,
    { modal: true, detail },
    restart,
    only,
  );
  return answer === restart ? 'restart' : answer === only ? 'only' : 'cancel';
}

/** Changes what a server may see. True when it was done; a failure is shown. */
function changing({ label }: HostServer, change: () => Promise<void>): Promise<boolean> {
  return reportingError(`What '${label}' may see could not be changed`, change);
}

function subjectOf({ connection, label }: HostServer): ConsentSubject {
  return { definition: connection.definition, label };
}
