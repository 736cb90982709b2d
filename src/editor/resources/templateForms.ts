import type { ResourceTemplateType } from '@modelcontextprotocol/client';
import type { RequestTarget } from '../../host/requestForms/requestFormProtocol.ts';
import type { RequestLook } from '../../host/requestForms/requestFormPort.ts';
import {
  expansionOf,
  listedTemplate,
  openedOutcome,
  openFailure,
} from '../../host/requestForms/templateRequest.ts';
import type { ResourceReader } from '../../host/resources/resourceReader.ts';
import { UriTemplate, type Expansion } from '../../host/resources/uriTemplate.ts';
import type { McpHost } from '../../host/servers/mcpHost.ts';
import { lookAt } from '../requestForms/lookAt.ts';
import type { RequestForms } from '../requestForms/requestPanels.ts';
import type { ShowResource } from './showResource.ts';

interface TemplateFormDependencies {
  readonly host: Pick<McpHost, 'server'>;
  readonly reader: ResourceReader;
  readonly show: ShowResource;
  /** A template that was opened although its server doesn't list it. */
  readonly unlisted: (of: RequestTarget) => ResourceTemplateType | undefined;
}

/** The forms in which templates are filled in. */
export function templateForms({ host, reader, show, unlisted }: TemplateFormDependencies): RequestForms {
  const find = (of: RequestTarget): ResourceTemplateType | undefined => {
    const { catalogue, state } = host.server(of.server)?.connection ?? {};
    const listed = catalogue?.resourceTemplates.find((one) => one.uriTemplate === of.name);
    return listed ?? (state?.kind === 'running' ? unlisted(of) : undefined);
  };
  const look = (of: RequestTarget): RequestLook =>
    lookAt(host, of, 'open', (connection, server) => {
      connection.catalogue?.look('resources');
      const listed = find(of);
      const template = UriTemplate.parse(of.name);
      return listed && template instanceof UriTemplate
        ? listedTemplate(
            listed,
            template,
            { server, logger: connection.logger, schemas: connection.schemas },
            connection,
          )
        : undefined;
    });
  return {
    look,
    portOf: (of) => ({
      send: async (sent, _events, signal) => {
        const expansion = expandFor(of, sent);
        if (expansion.kind === 'problem') {
          throw new Error(expansion.message);
        }
        const { uri } = expansion;
        const address = { serverId: of.server, uri };
        // The document uses what is read here. Other values may fix a failure.
        await reader.read(address, signal);
        await show(address, find(of)?.mimeType);
        return openedOutcome(uri);
      },
      failure: (error, sent) => openFailure(look(of).server, expandFor(of, sent), error),
    }),
  };
}

function expandFor({ name }: RequestTarget, sent: Parameters<typeof expansionOf>[1]): Expansion {
  const template = UriTemplate.parse(name);
  return template instanceof UriTemplate
    ? expansionOf(template, sent)
    : { kind: 'problem', message: template.message };
}
