import type { GetPromptResult, Prompt } from '@modelcontextprotocol/client';
import type * as vscode from 'vscode';
import { CancellationError } from '../../base/lifetime/cancellation.ts';
import { DisposableStore } from '../../base/lifetime/disposable.ts';
import type { ServerConnection } from '../../host/connection/serverConnection.ts';
import type { Gate } from '../../host/gate/gate.ts';
import type { McpHost } from '../../host/servers/mcpHost.ts';
import { argumentsToSend, promptArguments } from '../../host/completion/promptArguments.ts';
import { promptDocument } from '../../host/documents/promptDocument.ts';
import { registerCommand, runCommand } from '../commands/commands.ts';
import type { ContextKeys } from '../workspace/contextKeys.ts';
import type { ViewDocuments } from '../documents/viewDocuments.ts';
import { oneLine } from '../messages/plainText.ts';
import type { RequestPanels } from '../requestForms/requestPanels.ts';
import { PromptActions, registerPromptActions } from './promptActions.ts';
import { promptFailure, promptForms } from './promptForms.ts';
import { PromptPreviews } from './promptPreviews.ts';
import { tellFailure, tellNotRunning } from '../messages/tellFailure.ts';
import type { ServerNode } from '../views/servers/serverNodes.ts';
import { askPromptArguments } from './askPromptArguments.ts';
import { LastEntered } from '../quickInput/lastEntered.ts';
import { pickPrompt, type PromptReference } from './pickPrompt.ts';
import { withCallProgress } from '../messages/withCallProgress.ts';

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
  const lastEntered = new LastEntered<string, string>();

  /** In a panel with the prompt's form, or without one in quick inputs. */
  const useOne = ({ connection, promptName }: PromptReference, canGoBack: boolean): void => {
    const { id, name: ownName } = connection.definition;
    const ask = async (): Promise<void> => {
      const server = host.server(id)?.label ?? ownName;
      const prompt = connection.catalogue?.prompts.find(({ name }) => name === promptName);
      if (!prompt) {
        await (connection.state.kind === 'running'
          ? tellFailure(id, `Server '${server}' no longer has a prompt '${promptName}'.`)
          : tellNotRunning(server, connection, `use '${promptName}'`));
        return;
      }
      const entered = lastEntered.of(id, promptName);
      if ((await fillIn({ gate, connection, server, prompt, entered, canGoBack }, previews)) === 'back') {
        await runCommand('usePrompt');
      }
    };
    panels.open({ kind: 'prompt', server: id, name: promptName }, { withoutPanel: () => void ask() });
  };

  store.add(
    registerCommand('usePrompt', async (node?: ServerNode) => {
      if (node?.kind === 'prompt') {
        useOne({ connection: node.server.connection, promptName: node.prompt.name }, false);
        return;
      }
      const picked = await pickPrompt(host);
      if (picked) {
        useOne(picked, true);
      }
    }),
  );
  return store;
}

interface Filling {
  readonly gate: Gate;
  readonly connection: ServerConnection;
  readonly server: string;
  readonly prompt: Prompt;
  readonly entered: Map<string, string>;
  readonly canGoBack: boolean;
}

/** Asks for the arguments until the server accepts them, and shows the prompt. */
async function fillIn(filling: Filling, previews: PromptPreviews): Promise<'back' | 'done'> {
  const { gate, connection, server, prompt, entered, canGoBack } = filling;
  const { id } = connection.definition;
  const { name, title, description } = prompt;
  const steps = promptArguments(prompt);
  const called = oneLine(title ?? name, 60);
  for (;;) {
    const asked = await askPromptArguments({
      title: `${called} on ${oneLine(server, 60)}`,
      connection,
      promptName: name,
      steps,
      entered,
      canGoBack,
    });
    if (asked !== 'done') {
      return asked === 'back' ? 'back' : 'done';
    }
    const args = argumentsToSend(steps, entered);
    let result: GetPromptResult;
    try {
      result = await withCallProgress(`Waiting for '${called}' on ${server}`, (onProgress, signal) =>
        gate.getPrompt({ kind: 'person' }, id, name, args, { onProgress }, signal),
      );
    } catch (error) {
      if (error instanceof CancellationError) {
        return 'done';
      }
      const problem = promptFailure(server, called, error);
      const again = steps.length > 0 ? 'Change Arguments' : 'Try Again';
      if (await tellFailure(id, problem, { again, error })) {
        continue;
      }
      return 'done';
    }
    const sent = steps.map(({ name: argument }) => [argument, args[argument]] as const);
    await previews.show(
      { server, prompt: title ?? name },
      promptDocument({ server, name, title, description, args: sent }, result),
    );
    return 'done';
  }
}
