import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { closeServer, listen } from '../../fixtures/servers/serve.ts';
import { readProof } from './dpopProof.ts';
import type { AuthorizationServer } from './authorizationServer.ts';

/** What a protected server does. */
export interface ProtectedOptions {
  /** The methods that need a token; all without it. */
  needs?: readonly string[];
  /** The scope that a call of a tool needs, by its name. */
  scopes?: Readonly<Record<string, string>>;
  /** What its metadata names as scopes. */
  scopesSupported?: readonly string[];
  /** The issuers, in its metadata; the one it checks tokens with comes first. */
  issuers?: readonly string[];
  resource?: string;
  /** The challenge instead of its own; empty for none. */
  challenge?: string;
  /** Wants tokens that are bound to a key, with proofs that have this nonce. */
  dpopNonce?: string;
  /** Refuses every token. */
  refusesAll?: boolean;
}

/** A server of 2025-11-25 over HTTP with two tools, whose requests need a token of an issuer. */
export class ProtectedServer {
  options: ProtectedOptions;
  issuer: AuthorizationServer;
  /** The `Authorization` header of each request, by its method. */
  readonly seen: (readonly [method: string, authorization: string | undefined])[] = [];
  url = '';
  readonly #server: Server = createServer((request, response) => {
    this.#handle(request, response).catch(() => response.destroy());
  });

  private constructor(issuer: AuthorizationServer, options: ProtectedOptions) {
    this.issuer = issuer;
    this.options = options;
  }

  static async start(issuer: AuthorizationServer, options: ProtectedOptions = {}): Promise<ProtectedServer> {
    const server = new ProtectedServer(issuer, options);
    server.url = `${await listen(server.#server)}/mcp`;
    return server;
  }

  close(): Promise<void> {
    return closeServer(this.#server);
  }

  /** The `jti` of each proof. */
  readonly proofs = new Set<string>();
  /** How many calls of tools it has handled. */
  calls = 0;

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname } = new URL(request.url ?? '/', this.url);
    if (pathname === '/.well-known/oauth-protected-resource/mcp') {
      const { resource = this.url, issuers = [this.issuer.issuer], scopesSupported } = this.options;
      return send(response, 200, {
        resource,
        authorization_servers: issuers,
        ...(scopesSupported && { scopes_supported: scopesSupported }),
      });
    }
    const { authorization, dpop } = request.headers;
    const proof = { method: request.method ?? '', dpop };
    if (
      request.method === 'GET' &&
      pathname === '/mcp' &&
      this.#isRefused({ method: 'GET' }, authorization, proof, response)
    ) {
      return undefined;
    }
    if (request.method !== 'POST' || pathname !== '/mcp') {
      return send(response, request.method === 'GET' && pathname === '/mcp' ? 405 : 404, {});
    }
    const message = JSON.parse(await text(request)) as Message;
    this.seen.push([message.method, authorization]);
    if (!this.#isRefused(message, authorization, proof, response)) {
      this.#answer(message, response);
    }
    return undefined;
  }

  #isRefused(
    message: Message,
    authorization: string | undefined,
    proof: { readonly method: string; readonly dpop: unknown },
    response: ServerResponse,
  ): boolean {
    const { needs, scopes = {}, refusesAll } = this.options;
    if (needs && !needs.includes(message.method)) {
      return false;
    }
    const metadata = `resource_metadata="${new URL('/.well-known/oauth-protected-resource/mcp', this.url).href}"`;
    const { dpopNonce } = this.options;
    const scheme = dpopNonce === undefined ? 'Bearer' : 'DPoP';
    const value = new RegExp(`^${scheme} (.*)$`).exec(authorization ?? '')?.[1] ?? '';
    const token = this.issuer.tokens.get(value);
    const proven =
      dpopNonce === undefined
        ? undefined
        : readProof(proof.dpop, { method: proof.method, url: this.url, token: value });
    const isBound = proven?.thumbprint === token?.key && !this.proofs.has(proven?.jti ?? '');
    if (proven) {
      this.proofs.add(proven.jti);
    }
    const lacksNonce = isBound && proven !== undefined && proven.nonce !== dpopNonce;
    if (token?.isValid !== true || !isBound || lacksNonce || refusesAll === true) {
      const words = lacksNonce ? 'use_dpop_nonce' : 'invalid_token';
      const error = authorization === undefined ? '' : `error="${words}", `;
      const { challenge = `${scheme} ${error}${metadata}` } = this.options;
      if (lacksNonce && dpopNonce !== undefined) {
        response.setHeader('dpop-nonce', dpopNonce);
      }
      if (challenge !== '') {
        response.setHeader('www-authenticate', challenge);
      }
      send(response, 401, { error: 'invalid_token' });
      return true;
    }
    const needed = message.method === 'tools/call' ? scopes[message.params?.name ?? ''] : undefined;
    if (needed !== undefined && !token.scope.split(' ').includes(needed)) {
      response.setHeader(
        'www-authenticate',
        `Bearer error="insufficient_scope", scope="${needed}", ${metadata}`,
      );
      send(response, 403, { error: 'insufficient_scope' });
      return true;
    }
    return false;
  }

  #answer({ id, method, params }: Message, response: ServerResponse): undefined {
    if (id === undefined) {
      response.writeHead(202).end();
      return undefined;
    }
    const result = (value: unknown): undefined => send(response, 200, { jsonrpc: '2.0', id, result: value });
    switch (method) {
      case 'initialize':
        return result({
          protocolVersion: '2025-11-25',
          capabilities: { tools: {} },
          serverInfo: { name: 'protected', version: '1.0.0' },
        });
      case 'ping':
        return result({});
      case 'tools/list':
        return result({
          tools: ['read', 'write'].map((name) => ({ name, inputSchema: { type: 'object' } })),
        });
      case 'tools/call':
        this.calls += 1;
        return result({ content: [{ type: 'text', text: `did ${params?.name ?? ''}` }] });
      default:
        return send(response, 200, {
          jsonrpc: '2.0',
          id,
          error: { code: -32601, message: 'unknown method' },
        });
    }
  }
}

interface Message {
  readonly id?: number | string;
  readonly method: string;
  readonly params?: { readonly name?: string };
}

function send(response: ServerResponse, status: number, body: unknown): undefined {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  return undefined;
}
