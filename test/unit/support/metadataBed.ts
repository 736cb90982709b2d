import type { IncomingMessage, ServerResponse } from 'node:http';
import { AddressCheck } from '../../../src/host/auth/network/addressCheck.ts';
import { discover, type Discovery, type DiscoveryRequest } from '../../../src/host/auth/network/discovery.ts';
import { serve, type HttpServer } from '../../fixtures/servers/serve.ts';
import { connectedTo, FakeNames } from './namesBed.ts';

/** What a path answers: a document, or a whole response. */
export type Answer =
  | { readonly json: unknown }
  | { readonly status?: number; readonly headers?: Readonly<Record<string, string>>; readonly body: string };

const PROTECTED = '/.well-known/oauth-protected-resource';
export const paths = {
  ofServer: `${PROTECTED}/mcp`,
  ofRoot: PROTECTED,
  oauth: '/.well-known/oauth-authorization-server',
  openid: '/.well-known/openid-configuration',
} as const;

/** An MCP server and an issuer, each with an origin on loopback and the documents that a test gives them. */
export class MetadataBed {
  readonly resource: Record<string, Answer> = {};
  readonly issuer: Record<string, Answer> = {};
  readonly #servers: readonly [HttpServer, HttpServer];

  private constructor(servers: readonly [HttpServer, HttpServer]) {
    this.#servers = servers;
  }

  static async start(): Promise<MetadataBed> {
    let bed: MetadataBed | undefined;
    const answer =
      (of: 'resource' | 'issuer') =>
      ({ url = '' }: IncomingMessage, response: ServerResponse): void => {
        const found = bed?.[of][url] ?? { status: 404, body: 'not found' };
        const {
          status = 200,
          headers = {},
          body,
        } = 'json' in found ? { body: JSON.stringify(found.json) } : found;
        response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body);
      };
    const both = [await serve('', answer('resource')), await serve('', answer('issuer'))] as const;
    bed = new MetadataBed(both);
    return bed;
  }

  get serverUrl(): string {
    return `${this.resourceOrigin}/mcp`;
  }

  get resourceOrigin(): string {
    return `http://localhost:${new URL(this.#servers[0].url).port}`;
  }

  get issuerUrl(): string {
    return `http://localhost:${new URL(this.#servers[1].url).port}`;
  }

  /** The paths that were asked for, of the server and of the issuer. */
  get asked(): readonly (readonly string[])[] {
    return this.#servers.map(({ requests }) => requests.map((one) => one.replace('GET ', '')));
  }

  /** Metadata of the resource that names the issuer. */
  protectedResource(more: Readonly<Record<string, unknown>> = {}): Answer {
    return { json: { resource: this.serverUrl, authorization_servers: [this.issuerUrl], ...more } };
  }

  /** Metadata of an issuer. */
  metadataOf(issuer = this.issuerUrl, more: Readonly<Record<string, unknown>> = {}): Answer {
    return {
      json: {
        issuer,
        authorization_endpoint: `${issuer}/authorize`,
        token_endpoint: `${issuer}/token`,
        response_types_supported: ['code'],
        code_challenge_methods_supported: ['S256'],
        ...more,
      },
    };
  }

  /** Both documents where clients look first. */
  publish(
    resource: Readonly<Record<string, unknown>> = {},
    issuer: Readonly<Record<string, unknown>> = {},
  ): void {
    this.resource[paths.ofServer] = this.protectedResource(resource);
    this.issuer[paths.oauth] = this.metadataOf(this.issuerUrl, issuer);
  }

  discover(
    request: DiscoveryRequest = {},
    { url = this.serverUrl, names = {}, signal = undefined as AbortSignal | undefined } = {},
  ): Promise<Discovery> {
    const { lookup } = new FakeNames({ localhost: ['127.0.0.1'], ...names });
    return discover(new AddressCheck(url, connectedTo('public'), lookup), request, signal);
  }

  async close(): Promise<void> {
    await Promise.all(this.#servers.map((server) => server.close()));
  }
}
