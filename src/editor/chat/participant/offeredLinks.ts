import type * as vscode from 'vscode';
import type { CallResult } from '../../../host/chat/loop/chatLoop.ts';
import type { ServerId } from '../../../host/config/serverDefinition.ts';
import { resourceKey, type ResourceAddress } from '../../../host/resources/resourceAddress.ts';
import { linkIn } from '../../../host/tools/resourceLinks.ts';
import { commandTo } from '../../commands/commandList.ts';
import { oneLine } from '../../messages/plainText.ts';

/** Links of one answer that get a button. */
const MAX_LINKS = 5;

/** The tool of a server that was called. */
export interface CalledTool {
  /** Undefined if a model has named a server that isn't there. */
  readonly serverId: ServerId | undefined;
  readonly server: string;
  readonly tool: string;
}

/** What the results of one answer link to. Nothing is read before you select it. */
export class OfferedLinks {
  readonly #links = new Map<string, { readonly name: string; readonly address: ResourceAddress }>();

  add({ serverId }: CalledTool, { content }: CallResult): void {
    for (const part of content) {
      const link = part.kind === 'text' ? linkIn(part.text) : undefined;
      if (link && serverId !== undefined) {
        const address = { serverId, uri: link.uri };
        this.#links.set(resourceKey(address), { name: link.name, address });
      }
    }
  }

  /** At the end of an answer, because the editor folds what comes between calls. Says how many get no button. */
  offer(stream: Pick<vscode.ChatResponseStream, 'button'>): number {
    const all = [...this.#links.values()];
    for (const { name, address } of all.slice(0, MAX_LINKS)) {
      stream.button(commandTo('openResource', `Open '${oneLine(name, 60)}'`, address));
    }
    return Math.max(0, all.length - MAX_LINKS);
  }
}
