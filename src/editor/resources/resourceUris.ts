import * as vscode from 'vscode';
import type { ServerId } from '../../host/config/serverDefinition.ts';
import type { HostServer, McpHost } from '../../host/servers/mcpHost.ts';
import {
  authorityOf,
  placedResource,
  placeOf,
  RESOURCE_SCHEME,
  type ResourceAddress,
} from '../../host/resources/resourceAddress.ts';

/** Turns the resources of the configured servers into the URIs of their documents, and back. */
export class ResourceUris {
  readonly #host: Pick<McpHost, 'servers' | 'server'>;

  constructor(host: Pick<McpHost, 'servers' | 'server'>) {
    this.#host = host;
  }

  /** The URI of a resource's document; `mimeType` helps where the resource's own name has no ending. */
  uriOf({ serverId, uri }: ResourceAddress, mimeType?: string): vscode.Uri | undefined {
    const server = this.#host.server(serverId);
    return (
      server &&
      vscode.Uri.from({
        scheme: RESOURCE_SCHEME,
        authority: authorityOf(server.connection.definition),
        path: placeOf(uri, mimeType),
      })
    );
  }

  /** The resource whose document this is; undefined for any other URI, and when its server is not configured. */
  addressOf({ scheme, authority, path }: vscode.Uri): ResourceAddress | undefined {
    const server = scheme === RESOURCE_SCHEME ? this.serverOf(authority) : undefined;
    const placed = server && placedResource(path);
    return placed && { serverId: server.connection.definition.id, uri: placed.uri };
  }

  /** The MIME type that the server has listed a resource with. */
  listedTypeOf({ serverId, uri }: ResourceAddress): string | undefined {
    const resources = this.#host.server(serverId)?.connection.catalogue?.resources;
    return resources?.find((resource) => resource.uri === uri)?.mimeType;
  }

  /** The name of a server that messages show; undefined when it is not configured. */
  labelOf(serverId: ServerId): string | undefined {
    return this.#host.server(serverId)?.label;
  }

  /** The server whose authority a document's URI has. */
  serverOf(authority: string): HostServer | undefined {
    return this.#host.servers.find(({ connection }) => authorityOf(connection.definition) === authority);
  }
}
