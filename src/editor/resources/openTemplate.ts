import type { ResourceTemplateType } from '@modelcontextprotocol/client';
import type * as vscode from 'vscode';
import { CancellationError } from '../../base/lifetime/cancellation.ts';
import { ArgumentCompleter } from '../../host/completion/argumentCompleter.ts';
import type { ServerId } from '../../host/config/serverDefinition.ts';
import { messageOf } from '../../host/errors/hostError.ts';
import type { HostServer, McpHost } from '../../host/servers/mcpHost.ts';
import type { ResourceReader } from '../../host/resources/resourceReader.ts';
import { UriTemplate, type TemplateValues } from '../../host/resources/uriTemplate.ts';
import { registerCommand } from '../commands/commands.ts';
import { inQuickInput, oneLine } from '../messages/plainText.ts';
import { readWithProgress, type ShowResource } from './showResource.ts';
import { tellFailure, tellNotRunning } from '../messages/tellFailure.ts';
import { askVariables, type VariablesRequest } from './askVariables.ts';
import { LastEntered } from '../quickInput/lastEntered.ts';

/** A template of one server. */
interface TemplateReference {
  readonly serverId: ServerId;
  readonly template: ResourceTemplateType;
}

export interface OpenTemplateDependencies {
  readonly host: Pick<McpHost, 'server'>;
  readonly reader: ResourceReader;
  readonly show: ShowResource;
}

/** Registers "Open Template": asks for the variables of a template, then opens the resource. */
export function registerOpenTemplate(dependencies: OpenTemplateDependencies): vscode.Disposable {
  const lastEntered = new LastEntered<string, string>();
  return registerCommand('openTemplate', async (argument?: unknown) => {
    const server = isReference(argument) ? dependencies.host.server(argument.serverId) : undefined;
    if (isReference(argument) && server) {
      const { serverId, template } = argument;
      await openOne(server, template, lastEntered.of(serverId, template.uriTemplate), dependencies);
    }
  });
}

function isReference(argument: unknown): argument is TemplateReference {
  return (
    typeof argument === 'object' && argument !== null && 'serverId' in argument && 'template' in argument
  );
}

async function openOne(
  server: HostServer,
  listed: ResourceTemplateType,
  remembered: Map<string, string>,
  dependencies: OpenTemplateDependencies,
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
  const request: VariablesRequest = {
    title: inQuickInput(`Open ${name} from ${oneLine(label, 60)}`),
    template,
    completer: new ArgumentCompleter(connection, { type: 'ref/resource', uri: template.text }),
    description: listed.description,
    remembered,
  };
  for (let values = await askVariables(request); values; values = await askVariables(request)) {
    const failure = await openWith(template, values, { server, listed }, dependencies);
    const again = template.variables.length > 0 ? 'Change Values…' : undefined;
    if (!failure) {
      return;
    }
    const { text, error } = failure;
    if (!(await tellFailure(id, `Server '${label}' ${text}`, { again, error }))) {
      return;
    }
  }
}

/** Why nothing was opened; undefined when it was opened or you cancelled. */
async function openWith(
  template: UriTemplate,
  values: TemplateValues,
  { server, listed }: { readonly server: HostServer; readonly listed: ResourceTemplateType },
  { reader, show }: OpenTemplateDependencies,
): Promise<{ readonly text: string; readonly error?: unknown } | undefined> {
  const expansion = template.expand(values);
  if (expansion.kind === 'problem') {
    return { text: `can't be asked for it: ${expansion.message}` };
  }
  const { uri } = expansion;
  const address = { serverId: server.connection.definition.id, uri };
  try {
    // The document uses what is read here. Other values may fix a failure.
    await readWithProgress(reader, address);
  } catch (error) {
    return error instanceof CancellationError
      ? undefined
      : { text: `could not read ${oneLine(uri, 300)}: ${messageOf(error)}`, error };
  }
  await show(address, listed.mimeType);
  return undefined;
}
