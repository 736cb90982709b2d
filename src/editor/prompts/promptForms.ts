import type { Prompt } from '@modelcontextprotocol/client';
import { messageOf } from '../../host/errors/hostError.ts';
import type { Gate } from '../../host/gate/gate.ts';
import { listedPrompt, promptForForm, type PromptFormPort } from '../../host/requestForms/promptRequest.ts';
import type { RequestTarget } from '../../host/requestForms/requestFormProtocol.ts';
import type { RequestLook } from '../../host/requestForms/requestFormPort.ts';
import type { McpHost } from '../../host/servers/mcpHost.ts';
import { canSendText } from '../chat/chatCommands.ts';
import type { ViewDocuments } from '../documents/viewDocuments.ts';
import { oneLine } from '../messages/plainText.ts';
import { reportingError } from '../messages/notifications.ts';
import { lookAt } from '../requestForms/lookAt.ts';
import { openFromForm, type RequestForms } from '../requestForms/requestPanels.ts';
import type { PromptActions } from './promptActions.ts';
import type { PromptPreviews } from './promptPreviews.ts';

interface PromptFormDependencies {
  readonly host: McpHost;
  readonly gate: Gate;
  readonly viewDocuments: ViewDocuments;
  readonly previews: PromptPreviews;
  readonly actions: PromptActions;
}

/** The forms in which prompts are filled in. */
export function promptForms({
  host,
  gate,
  viewDocuments,
  previews,
  actions,
}: PromptFormDependencies): RequestForms {
  const find = ({ server, name }: RequestTarget): Prompt | undefined =>
    host.server(server)?.connection.catalogue?.prompts.find((one) => one.name === name);
  const look = (of: RequestTarget): RequestLook =>
    lookAt(host, of, 'use', (connection, server) => {
      connection.catalogue?.look('prompts');
      const prompt = find(of);
      return (
        prompt &&
        listedPrompt(prompt, { server, logger: connection.logger, schemas: connection.schemas }, connection)
      );
    });
  const portOf = ({ server: id, name }: RequestTarget, prompt: Prompt, server: string): PromptFormPort => {
    const names = { server, prompt: prompt.title ?? name };
    return {
      get: (args, options, signal) => gate.getPrompt({ kind: 'person' }, id, name, args, options, signal),
      canSend: canSendText,
      open: (openable) => openFromForm(id, [server, name], openable, viewDocuments),
      use: (document, how) =>
        void reportingError('The prompt could not be used', () =>
          how === 'document' ? previews.show(names, document) : actions.use(document.prompt, how),
        ),
    };
  };
  return {
    look,
    portOf: (of) => ({
      send: (sent, ...how) => {
        const { server } = look(of);
        const prompt = find(of) ?? { name: of.name };
        return promptForForm(server, prompt, sent, portOf(of, prompt, server), ...how);
      },
      failure: (error) => promptFailure(look(of).server, find(of)?.title ?? of.name, error),
    }),
  };
}

/** Why a prompt did not come, as a sentence. */
function promptFailure(server: string, title: string, error: unknown): string {
  return `Server '${server}' could not fill in '${oneLine(title, 60)}': ${messageOf(error)}`;
}
