import type { ResourceTemplateType } from '@modelcontextprotocol/client';
import type * as vscode from 'vscode';
import { DisposableStore } from '../../base/lifetime/disposable.ts';
import type { ServerId } from '../../host/config/serverDefinition.ts';
import type { RequestTarget } from '../../host/requestForms/requestFormProtocol.ts';
import { openFailure } from '../../host/requestForms/templateRequest.ts';
import type { HostServer, McpHost } from '../../host/servers/mcpHost.ts';
import type { ResourceReader } from '../../host/resources/resourceReader.ts';
import { UriTemplate } from '../../host/resources/uriTemplate.ts';
import { registerCommand } from '../commands/commands.ts';
import { oneLine } from '../messages/plainText.ts';
import type { ShowResource } from './showResource.ts';
import { tellFailure, tellNotRunning } from '../commands/tellFailure.ts';
import type { RequestPanels } from '../requestForms/requestPanels.ts';
import { templateForms } from './templateForms.ts';

/** A template of one server. */
interface TemplateReference {
  readonly serverId: ServerId;
  readonly template: ResourceTemplateType;
}

export interface OpenTemplateDependencies {
  readonly host: Pick<McpHost, 'server'>;
  readonly reader: ResourceReader;
  readonly show: ShowResource;
  readonly panels: RequestPanels;
}

/** Registers "Open Template": a form for the variables of a template, or without any the resource at once. */
export function registerOpenTemplate(dependencies: OpenTemplateDependencies): vscode.Disposable {
  const { host, panels } = dependencies;
  const store = new DisposableStore();
  const opened = new Map<string, ResourceTemplateType>();
  const unlisted = ({ server, name }: RequestTarget): ResourceTemplateType | undefined =>
    opened.get(JSON.stringify([server, name]));
  store.add(panels.add('template', templateForms({ ...dependencies, unlisted })));
  store.add(
    registerCommand('openTemplate', async (argument?: unknown) => {
      const server = isReference(argument) ? host.server(argument.serverId) : undefined;
      if (isReference(argument) && server) {
        const { serverId: id, template } = argument;
        opened.set(JSON.stringify([id, template.uriTemplate]), template);
        await openOne(server, template, dependencies);
      }
    }),
  );
  return store;
}

function isReference(argument: unknown): argument is TemplateReference {
  return (
    typeof argument === 'object' && argument !== null && 'serverId' in argument && 'template' in argument
  );
}

async function openOne(
  server: HostServer,
  listed: ResourceTemplateType,
  { panels, show }: OpenTemplateDependencies,
): Promise<void> {
  const { connection, label } = server;
  const { id } = connection.definition;
  const name = oneLine(listed.title?.trim() || listed.name.trim() || listed.uriTemplate, 60);
  if (connection.state.kind !== 'running') {
    await tellNotRunning(label, connection, `open '${name}'`);
    return;
  }
  const template = UriTemplate.parse(listed.uriTemplate);
  if (!(template instanceof UriTemplate)) {
    await tellFailure(
      id,
      `Server '${label}' offers '${name}' with a malformed URI template: ${template.message}`,
    );
    return;
  }
  if (template.variables.length > 0) {
    panels.open({ kind: 'template', server: id, name: template.text });
    return;
  }
  const expansion = template.expand({});
  if (expansion.kind === 'problem') {
    await tellFailure(id, openFailure(label, expansion, undefined));
  } else {
    await show({ serverId: id, uri: expansion.uri }, listed.mimeType);
  }
}
