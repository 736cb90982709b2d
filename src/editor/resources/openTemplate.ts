import type { ResourceTemplateType } from '@modelcontextprotocol/client';
import type * as vscode from 'vscode';
import { CancellationError } from '../../base/lifetime/cancellation.ts';
import { DisposableStore } from '../../base/lifetime/disposable.ts';
import { ArgumentCompleter } from '../../host/completion/argumentCompleter.ts';
import type { ServerId } from '../../host/config/serverDefinition.ts';
import type { RequestTarget } from '../../host/requestForms/requestFormProtocol.ts';
import { openFailure } from '../../host/requestForms/templateRequest.ts';
import type { HostServer, McpHost } from '../../host/servers/mcpHost.ts';
import type { ResourceReader } from '../../host/resources/resourceReader.ts';
import { UriTemplate, type TemplateValues } from '../../host/resources/uriTemplate.ts';
import { registerCommand } from '../commands/commands.ts';
import { inQuickInput, oneLine } from '../messages/plainText.ts';
import { readWithProgress, type ShowResource } from './showResource.ts';
import { tellFailure, tellNotRunning } from '../messages/tellFailure.ts';
import { askVariables, type VariablesRequest } from './askVariables.ts';
import { LastEntered } from '../quickInput/lastEntered.ts';
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

/** Registers "Open Template": asks for the variables of a template, then opens the resource. */
export function registerOpenTemplate(dependencies: OpenTemplateDependencies): vscode.Disposable {
  const { host, panels } = dependencies;
  const store = new DisposableStore();
  const lastEntered = new LastEntered<string, string>();
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
        await openOne(server, template, lastEntered.of(id, template.uriTemplate), dependencies);
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
  const ask = (): Promise<void> => askAndOpen(template, { server, listed, name, remembered }, dependencies);
  if (template.variables.length === 0) {
    await ask();
    return;
  }
  dependencies.panels.open(
    { kind: 'template', server: id, name: template.text },
    { withoutPanel: () => void ask() },
  );
}

interface Asking {
  readonly server: HostServer;
  readonly listed: ResourceTemplateType;
  /** The template's name, short. */
  readonly name: string;
  readonly remembered: Map<string, string>;
}

/** In quick inputs, step by step; at once if there is nothing to ask. */
async function askAndOpen(
  template: UriTemplate,
  { server, listed, name, remembered }: Asking,
  dependencies: OpenTemplateDependencies,
): Promise<void> {
  const { connection, label } = server;
  const { id } = connection.definition;
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
    if (!failure || !(await tellFailure(id, failure.text, { again, error: failure.error }))) {
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
    return { text: openFailure(server.label, expansion, undefined) };
  }
  const address = { serverId: server.connection.definition.id, uri: expansion.uri };
  try {
    // The document uses what is read here. Other values may fix a failure.
    await readWithProgress(reader, address);
  } catch (error) {
    return error instanceof CancellationError
      ? undefined
      : { text: openFailure(server.label, expansion, error), error };
  }
  await show(address, listed.mimeType);
  return undefined;
}
