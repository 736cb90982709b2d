import * as vscode from 'vscode';
import type { McpHost } from '../../host/servers/mcpHost.ts';
import { isResourceAddress, type ResourceAddress } from '../../host/resources/resourceAddress.ts';
import type { ShowResource } from '../resources/showResource.ts';
import type { RecentList } from '../recentList.ts';
import { isRow, mimeTypeIn } from '../resources/resourceArgument.ts';
import type { RenewedAnswer } from './pickRenewed.ts';
import { ResourcePicker } from './pickResource.ts';
import { addToChatButton, copyUriButton, type ResourceRow, type RowTarget } from './resourcePickRows.ts';

export interface OpenResourceDependencies {
  readonly host: McpHost;
  readonly recent: RecentList<ResourceAddress>;
  readonly show: ShowResource;
}

/**
 * Registers `mcpHost.openResource`: from the palette it asks for the resource, a row of a tree or an address
 * is opened.
 */
export function registerOpenResource({ host, recent, show }: OpenResourceDependencies): vscode.Disposable {
  const picker = new ResourcePicker(host, recent);
  return vscode.commands.registerCommand('mcpHost.openResource', async (argument?: unknown) => {
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
    await vscode.commands.executeCommand('mcpHost.openTemplate', { serverId, template });
  } else if (answer.button === addToChatButton) {
    const { address, mimeType } = target;
    await vscode.commands.executeCommand('mcpHost.addResourceToChat', { address, mimeType });
  } else {
    await show(target.address, target.mimeType);
  }
}

async function copyUri(target: RowTarget): Promise<void> {
  await vscode.env.clipboard.writeText(
    target.kind === 'template' ? target.template.uriTemplate : target.address.uri,
  );
  vscode.window.setStatusBarMessage('The URI was copied.', 3_000);
}
