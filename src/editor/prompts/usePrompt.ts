import type { GetPromptResult, Prompt } from '@modelcontextprotocol/client';
import type * as vscode from 'vscode';
import { CancellationError } from '../../base/lifetime/cancellation.ts';
import { DisposableStore } from '../../base/lifetime/disposable.ts';
import type { ServerConnection } from '../../host/connection/serverConnection.ts';
import type { Gate } from '../../host/gate/gate.ts';
import { messageOf } from '../../host/errors/hostError.ts';
import type { McpHost } from '../../host/servers/mcpHost.ts';
import { argumentsToSend, promptArguments } from '../../host/completion/promptArguments.ts';
import { promptDocument } from '../../host/documents/promptDocument.ts';
import { registerCommand } from '../commands/commands.ts';
import type { ContextKeys } from '../workspace/contextKeys.ts';
import type { ViewDocuments } from '../documents/viewDocuments.ts';
import { oneLine } from '../messages/plainText.ts';
import { registerPromptActions } from './promptActions.ts';
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
}

/** Registers "Use Prompt", from the palette or the tree, and the actions on its preview. */
export function registerUsePrompt({
  host,
  gate,
  viewDocuments,
  contextKeys,
}: UsePromptDependencies): vscode.Disposable {
  const store = new DisposableStore();
  const previews = store.add(new PromptPreviews(viewDocuments, contextKeys));
  store.add(registerPromptActions(previews));
  const lastEntered = new LastEntered<string, string>();

  const useOne = async (reference: PromptReference, canGoBack: boolean): Promise<'back' | 'done'> => {
    const { connection, promptName } = reference;
    const { id, name: ownName } = connection.definition;
    const server = host.server(id)?.label ?? ownName;
    const prompt = connection.catalogue?.prompts.find(({ name }) => name === promptName);
    if (!prompt) {
      await (connection.state.kind === 'running'
        ? tellFailure(id, `Server '${server}' no longer has a prompt '${promptName}'.`)
        : tellNotRunning(server, connection, `use '${promptName}'`));
      return 'done';
    }
    const entered = lastEntered.of(id, promptName);
    return fillIn({ gate, connection, server, prompt, entered, canGoBack }, previews);
  };

  store.add(
    registerCommand('usePrompt', async (node?: ServerNode) => {
      if (node?.kind === 'prompt') {
        await useOne({ connection: node.server.connection, promptName: node.prompt.name }, false);
        return;
      }
      for (let picked = await pickPrompt(host); picked; picked = await pickPrompt(host)) {
        if ((await useOne(picked, true)) === 'done') {
          return;
        }
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
      const problem = `Server '${server}' could not fill in '${called}': ${messageOf(error)}`;
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
