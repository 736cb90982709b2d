import type * as vscode from 'vscode';
import { DisposableStore } from '../../base/lifetime/disposable.ts';
import type { Gate } from '../../host/gate/gate.ts';
import type { McpHost } from '../../host/servers/mcpHost.ts';
import { registerCommand } from '../commands/commands.ts';
import type { ContextKeys } from '../workspace/contextKeys.ts';
import type { ViewDocuments } from '../documents/viewDocuments.ts';
import type { RequestPanels } from '../requestForms/requestPanels.ts';
import { PromptActions, registerPromptActions } from './promptActions.ts';
import { promptForms } from './promptForms.ts';
import { PromptPreviews } from './promptPreviews.ts';
import type { ServerNode } from '../nodes/serverNode.ts';
import { pickPrompt } from './pickPrompt.ts';

export interface UsePromptDependencies {
  readonly host: McpHost;
  /** What you get is recorded, too. */
  readonly gate: Gate;
  readonly viewDocuments: ViewDocuments;
  readonly contextKeys: ContextKeys;
  readonly panels: RequestPanels;
}

/** Registers "Use Prompt", from the palette or the tree, and the actions on its preview. */
export function registerUsePrompt({
  host,
  gate,
  viewDocuments,
  contextKeys,
  panels,
}: UsePromptDependencies): vscode.Disposable {
  const store = new DisposableStore();
  const previews = store.add(new PromptPreviews(viewDocuments, contextKeys));
  const actions = store.add(new PromptActions());
  store.add(registerPromptActions(previews, actions));
  store.add(panels.add('prompt', promptForms({ host, gate, viewDocuments, previews, actions })));
  store.add(
    registerCommand('usePrompt', async (node?: ServerNode) => {
      const used =
        node?.kind === 'prompt'
          ? { connection: node.server.connection, promptName: node.prompt.name }
          : await pickPrompt(host);
      if (used) {
        panels.open({ kind: 'prompt', server: used.connection.definition.id, name: used.promptName });
      }
    }),
  );
  return store;
}
