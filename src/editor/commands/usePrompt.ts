import type { GetPromptResult, Prompt } from '@modelcontextprotocol/client';
import * as vscode from 'vscode';
import { CancellationError } from '../../base/cancellation.ts';
import { DisposableStore } from '../../base/disposable.ts';
import type { ServerConnection } from '../../host/connection/serverConnection.ts';
import type { Gate } from '../../host/gate/gate.ts';
import { messageOf } from '../../host/errors/hostError.ts';
import type { McpHost } from '../../host/servers/mcpHost.ts';
import { argumentsToSend, promptArguments } from '../../host/completion/promptArguments.ts';
import { promptDocument } from '../../host/documents/promptDocument.ts';
import { canSendText } from '../chat/chatCommands.ts';
import type { ViewDocuments } from '../documents/viewDocuments.ts';
import { oneLine } from '../plainText.ts';
import { registerPromptActions } from '../prompts/promptActions.ts';
import { PromptPreviews } from '../prompts/promptPreviews.ts';
import { tellFailure } from '../tellFailure.ts';
import type { ServerNode } from '../views/serverNodes.ts';
import { askPromptArguments } from './askPromptArguments.ts';
import { LastEntered } from './lastEntered.ts';
import { pickListed } from './pickListed.ts';
import { withCallProgress } from './withCallProgress.ts';

export interface UsePromptDependencies {
  readonly host: McpHost;
  /** What the person gets by a click is written down, too. */
  readonly gate: Gate;
  readonly viewDocuments: ViewDocuments;
}

interface PromptReference {
  readonly connection: ServerConnection;
  readonly promptName: string;
}

/** Registers `mcpHost.usePrompt`, from the palette or the tree, and what can be done with its preview. */
export function registerUsePrompt({ host, gate, viewDocuments }: UsePromptDependencies): vscode.Disposable {
  const store = new DisposableStore();
  const previews = store.add(new PromptPreviews(viewDocuments, canSendText));
  store.add(registerPromptActions(previews));
  const lastEntered = new LastEntered<string, string>();

  const useOne = async (reference: PromptReference, canGoBack: boolean): Promise<'back' | 'done'> => {
    const { connection, promptName } = reference;
    const { id, name: ownName } = connection.definition;
    const server = host.server(id)?.label ?? ownName;
    const prompt = connection.catalogue?.prompts.find(({ name }) => name === promptName);
    if (!prompt) {
      await tellFailure(
        id,
        connection.state.kind === 'running'
          ? `Server '${server}' has no prompt '${promptName}' any more.`
          : `Server '${server}' is not running: start it, then use '${promptName}'.`,
      );
      return 'done';
    }
    const entered = lastEntered.of(id, promptName);
    return fillIn({ gate, connection, server, prompt, entered, canGoBack }, previews);
  };

  store.add(
    vscode.commands.registerCommand('mcpHost.usePrompt', async (node?: ServerNode) => {
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

async function pickPrompt(host: McpHost): Promise<PromptReference | undefined> {
  const prompt = await pickListed(host, {
    title: 'Use Prompt',
    placeholder: 'Prepared by a server for a language model; you see it before it is sent',
    offered: ({ prompts }) => prompts,
    plural: 'prompts',
    use: 'use a prompt',
  });
  return prompt && { connection: prompt.connection, promptName: prompt.name };
}

interface Filling {
  readonly gate: Gate;
  readonly connection: ServerConnection;
  readonly server: string;
  readonly prompt: Prompt;
  readonly entered: Map<string, string>;
  readonly canGoBack: boolean;
}

/** Asks for the arguments until the server takes them, and shows what it makes of them. */
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
      if (await tellFailure(id, problem, steps.length > 0 ? 'Change Arguments' : 'Try Again')) {
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
