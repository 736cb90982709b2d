import * as vscode from 'vscode';
import type { McpHost } from '../../host/servers/mcpHost.ts';
import { isResourceAddress, type ResourceAddress } from '../../host/resources/resourceAddress.ts';
import { registerCommand, runCommand } from '../commands/commands.ts';
import { confirmDone } from '../messages/notifications.ts';
import type { ShowResource } from './showResource.ts';
import type { RecentList } from '../workspace/recentList.ts';
import { isRow, mimeTypeIn } from './resourceArgument.ts';
import type { RenewedAnswer } from '../quickInput/pickRenewed.ts';
import { ResourcePicker } from './pickResource.ts';
import { addToChatButton, copyUriButton, type ResourceRow, type RowTarget } from './resourcePickRows.ts';

export interface OpenResourceDependencies {
  readonly host: McpHost;
  readonly recent: RecentList<ResourceAddress>;
  readonly show: ShowResource;
}

/** Registers "Open Resource": from the palette it asks for the resource; for a row or an address it opens it. */
export function registerOpenResource({ host, recent, show }: OpenResourceDependencies): vscode.Disposable {
  const picker = new ResourcePicker(host, recent);
  return registerCommand('openResource', async (argument?: unknown) => {
    if (isResourceAddress(argument)) {
      await show(argument);
    } else if (isRow(argument)) {
      await show(argument.address, mimeTypeIn(argument));
    } else {
      await openPicked(show, await picker.pick());
    }
  });
}

async function openPicked(show: ShowResource, answer: RenewedAnswer<ResourceRow> | undefined): Promise<void> {
  const target = answer?.row.target;
  if (!target) {
    return;
  }
  if (answer.button === copyUriButton) {
    await copyUri(target);
  } else if (target.kind === 'template') {
    const { serverId, template } = target;
    await runCommand('openTemplate', { serverId, template });
  } else if (answer.button === addToChatButton) {
    const { address, mimeType } = target;
    await runCommand('addResourceToChat', { address, mimeType });
  } else {
    await show(target.address, target.mimeType);
  }
}

async function copyUri(target: RowTarget): Promise<void> {
  await vscode.env.clipboard.writeText(
    target.kind === 'template' ? target.template.uriTemplate : target.address.uri,
  );
  confirmDone('Copied the URI');
}
