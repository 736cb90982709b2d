import { createHash, randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { closeServer, listen } from '../../fixtures/servers/serve.ts';
import { readProof } from './dpopProof.ts';

/** What an authorization server does differently from a well-behaved one. */
export interface IssuerOptions {
  /** `code_challenge_methods_supported`; S256 without it. */
  pkce?: readonly string[] | undefined;
  /** Whether it registers clients; so without it. */
  registers?: boolean;
  revokes?: boolean;
  scopesSupported?: readonly string[];
  authMethods?: readonly string[];
  /** Seconds that a token lives; 3,600 without it, 0 for no `expires_in`. */
  expiresIn?: number;
  givesRefreshToken?: boolean;
  /** Sends `iss` and says so; what it sends instead, if it is a text. */
  iss?: true | string;
  /** What `/authorize` answers. */
  answer?: 'code' | 'denied' | 'wrongState' | 'emptyState' | 'noState' | 'twoStates' | 'nothing';
  /** What `/token` answers, besides what the request deserves. */
  token?: 'redirect' | 'broken' | 'invalidClient' | 'page';
  /** Scopes that it knows; all without it. Others it refuses. */
  validScopes?: readonly string[];
  /** Refuses a client the scopes that it was not registered for, as some issuers do. */
  grantsRegistered?: true;
  /** Registers clients for scopes that it does not list. */
  registersUnlisted?: true;
  /** Refuses to register clients, although it says that it does. */
  refusesClients?: true;
  /** Answers its metadata with a page. */
  metadata?: 'page';
  /** What its refusal of a grant has besides. */
  refusal?: Readonly<Record<string, unknown>>;
  /** What it grants of what was asked for. */
  grants?: (asked: string) => string;
  authorizationEndpoint?: string;
  /** Says that it binds tokens to keys; does so for requests with a proof. */
  offersProofs?: boolean;
  /** Binds tokens to the key of a proof, which must have this nonce. */
  dpopNonce?: string;
  /** Members that its answers have in place of its own, by where it answers; undefined removes one. */
  answers?: Readonly<Partial<Record<'metadata' | 'register' | 'token', Readonly<Record<string, unknown>>>>>;
  /** A name for an ID token. */
  user?: string;
}

interface Client {
  readonly id: string;
  readonly secret: string | undefined;
  readonly redirects: readonly string[];
  readonly applicationType: unknown;
  /** What it was registered for. */
  readonly scope?: unknown;
}

interface Grant {
  readonly client: string;
  readonly challenge: string | null;
  readonly redirect: string | null;
  readonly scope: string;
  readonly resource: string | null;
  isUsed?: boolean;
}

interface IssuedToken {
  /** The thumbprint of the key that it is bound to. */
  readonly key: string | undefined;
  readonly scope: string;
  readonly resource: string | null;
  isValid: boolean;
}

/** A small authorization server on loopback: OAuth 2.1 with registration, rotation and revocation. */
export class AuthorizationServer {
  options: IssuerOptions;
  /** Each request in its order, as `METHOD /path`. */
  readonly requests: string[] = [];
  readonly tokenRequests: URLSearchParams[] = [];
  readonly authorizations: URLSearchParams[] = [];
  readonly clients = new Map<string, Client>();
  readonly tokens = new Map<string, IssuedToken>();
  readonly #grants = new Map<string, Grant>();
  readonly #refresh = new Map<string, Grant & { access: string }>();
  readonly #server: Server = createServer((request, response) => {
    this.#handle(request, response).catch(() => response.destroy());
  });
  issuer = '';

  constructor(options: IssuerOptions = {}) {
    this.options = options;
  }

  static async start(options: IssuerOptions = {}): Promise<AuthorizationServer> {
    const server = new AuthorizationServer(options);
    server.issuer = await listen(server.#server);
    return server;
  }

  /** All values that nobody else may see: tokens, secrets and codes, also those that are no longer valid. */
  readonly secrets = new Set<string>();

  count(request: string): number {
    return this.requests.filter((one) => one === request).length;
  }

  /** Makes all access tokens invalid. */
  expire(): void {
    this.tokens.forEach((token) => (token.isValid = false));
  }

  /** Forgets all grants, so that no token is refreshed. */
  endSessions(): void {
    this.expire();
    this.#refresh.clear();
  }

  close(): Promise<void> {
    return closeServer(this.#server);
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', this.issuer);
    this.requests.push(`${request.method ?? ''} ${url.pathname}`);
    switch (`${request.method ?? ''} ${url.pathname}`) {
      case 'GET /.well-known/oauth-authorization-server':
        return this.options.metadata === 'page' ? page(response) : json(response, 200, this.#metadata());
      case 'POST /register':
        return this.#register(JSON.parse(await text(request)) as Readonly<Record<string, unknown>>, response);
      case 'GET /authorize':
        return this.#authorize(url.searchParams, response);
      case 'POST /token':
        return this.#token(request, new URLSearchParams(await text(request)), response);
      case 'POST /revoke':
        return this.#revoke(new URLSearchParams(await text(request)), response);
      default:
        return json(response, 404, {});
    }
  }

  #metadata(): Readonly<Record<string, unknown>> {
    const {
      pkce = ['S256'],
      registers = true,
      revokes = true,
      scopesSupported,
      authMethods,
      iss,
    } = this.options;
    return {
      issuer: this.issuer,
      authorization_endpoint: this.options.authorizationEndpoint ?? `${this.issuer}/authorize`,
      token_endpoint: `${this.issuer}/token`,
      response_types_supported: ['code'],
      ...(pkce.length > 0 && { code_challenge_methods_supported: pkce }),
      ...(registers && { registration_endpoint: `${this.issuer}/register` }),
      ...((this.options.dpopNonce !== undefined || this.options.offersProofs === true) && {
        dpop_signing_alg_values_supported: ['ES256'],
      }),
      ...(revokes && { revocation_endpoint: `${this.issuer}/revoke` }),
      ...(scopesSupported && { scopes_supported: scopesSupported }),
      ...(authMethods && { token_endpoint_auth_methods_supported: authMethods }),
      ...(iss !== undefined && { authorization_response_iss_parameter_supported: true }),
      ...this.options.answers?.metadata,
    };
  }

  #register(metadata: Readonly<Record<string, unknown>>, response: ServerResponse): void {
    if (this.options.refusesClients) {
      return json(response, 403, { error: 'access_denied' });
    }
    const { scope } = metadata;
    const { scopesSupported: listed = [], registersUnlisted } = this.options;
    // As some issuers do: RFC 7591, 2 leaves that to them.
    if (
      !registersUnlisted &&
      typeof scope === 'string' &&
      !scope.split(' ').every((one) => listed.includes(one))
    ) {
      return json(response, 400, { error: 'invalid_client_metadata' });
    }
    const isPublic = metadata['token_endpoint_auth_method'] === 'none';
    const client: Client = {
      id: `client-${randomBytes(8).toString('hex')}`,
      secret: isPublic ? undefined : this.#secret('secret'),
      redirects: metadata['redirect_uris'] as readonly string[],
      applicationType: metadata['application_type'],
      scope,
    };
    this.clients.set(client.id, client);
    return json(response, 201, {
      ...metadata,
      client_id: client.id,
      ...(client.secret !== undefined && { client_secret: client.secret, client_secret_expires_at: 0 }),
      ...this.options.answers?.register,
    });
  }

  #authorize(asked: URLSearchParams, response: ServerResponse): void {
    this.authorizations.push(asked);
    const client = this.clients.get(asked.get('client_id') ?? '');
    const redirect = asked.get('redirect_uri');
    // Compared exactly, as many issuers do.
    if (!client || !redirect || !client.redirects.includes(redirect)) {
      return json(response, 400, { error: 'unknown client or redirect' });
    }
    const { answer = 'code', iss, grants = (scope: string) => scope } = this.options;
    if (answer === 'nothing') {
      return json(response, 200, {});
    }
    const back = new URL(redirect);
    const state = asked.get('state') ?? '';
    if (answer !== 'noState') {
      back.searchParams.set('state', { wrongState: `${state}x`, emptyState: '' }[answer as string] ?? state);
    }
    if (answer === 'twoStates') {
      back.searchParams.append('state', 'another');
    }
    if (iss !== undefined) {
      back.searchParams.set('iss', iss === true ? this.issuer : iss);
    }
    const registered = typeof client.scope === 'string' ? client.scope.split(' ') : scopesOf(asked);
    const exceeds = scopesOf(asked).some((one) => !registered.includes(one));
    if (!this.#isKnown(asked) || (this.options.grantsRegistered && exceeds)) {
      back.searchParams.set('error', 'invalid_scope');
    } else if (answer === 'denied') {
      back.searchParams.set('error', 'access_denied');
      back.searchParams.set('error_description', 'You pressed no.');
    } else {
      const code = this.#secret('code');
      this.#grants.set(code, {
        client: client.id,
        challenge: asked.get('code_challenge_method') === 'S256' ? asked.get('code_challenge') : null,
        redirect,
        scope: grants(asked.get('scope') ?? ''),
        resource: asked.get('resource'),
      });
      back.searchParams.set('code', code);
    }
    response.writeHead(302, { location: back.href }).end();
  }

  #token(request: IncomingMessage, form: URLSearchParams, response: ServerResponse): void {
    this.tokenRequests.push(form);
    const { token } = this.options;
    if (token === 'redirect') {
      response.writeHead(307, { location: `${this.issuer}/elsewhere` }).end();
      return undefined;
    }
    if (token === 'broken') {
      return json(response, 500, {});
    }
    if (token === 'page') {
      return page(response);
    }
    const { dpopNonce } = this.options;
    const proof =
      request.headers['dpop'] === undefined
        ? undefined
        : readProof(request.headers['dpop'], { method: 'POST', url: `${this.issuer}/token` });
    if (dpopNonce !== undefined && proof?.nonce !== dpopNonce) {
      response.setHeader('dpop-nonce', dpopNonce);
      return json(response, 400, { error: proof ? 'use_dpop_nonce' : 'invalid_dpop_proof' });
    }
    const [id, secret] = credentialsOf(request, form);
    const client = this.clients.get(id);
    if (!client || client.secret !== secret || token === 'invalidClient') {
      return json(response, 401, { error: 'invalid_client' });
    }
    switch (form.get('grant_type')) {
      case 'authorization_code': {
        const grant = this.#grants.get(form.get('code') ?? '');
        const verified = createHash('sha256')
          .update(form.get('code_verifier') ?? '')
          .digest('base64url');
        const isSound =
          grant?.client === id &&
          grant.isUsed !== true &&
          grant.redirect === form.get('redirect_uri') &&
          grant.challenge === verified &&
          grant.resource === form.get('resource');
        if (!grant || !isSound) {
          return json(response, 400, { error: 'invalid_grant' });
        }
        grant.isUsed = true;
        return this.#issue(grant, proof?.thumbprint, response);
      }
      case 'refresh_token': {
        const before = form.get('refresh_token') ?? '';
        const grant = this.#refresh.get(before);
        if (!grant) {
          // A token that is used twice was stolen: everything ends (OAuth 2.1, 4.3.1).
          this.endSessions();
          return json(response, 400, { error: 'invalid_grant', ...this.options.refusal });
        }
        this.#refresh.delete(before);
        return this.#issue(grant, proof?.thumbprint, response);
      }
      case 'client_credentials':
        if (!this.#isKnown(form)) {
          return json(response, 400, {
            error: 'invalid_scope',
            error_description: 'Nobody knows that scope.',
          });
        }
        return this.#issue(
          {
            client: id,
            challenge: null,
            redirect: null,
            scope: form.get('scope') ?? '',
            resource: form.get('resource'),
          },
          proof?.thumbprint,
          response,
        );
      default:
        return json(response, 400, { error: 'unsupported_grant_type' });
    }
  }

  #isKnown(asked: URLSearchParams): boolean {
    const { validScopes } = this.options;
    return !validScopes || scopesOf(asked).every((one) => validScopes.includes(one));
  }

  #issue(grant: Grant, key: string | undefined, response: ServerResponse): void {
    const { expiresIn = 3_600, givesRefreshToken = true, user } = this.options;
    const access = this.#secret('access');
    const refresh = this.#secret('refresh');
    this.tokens.set(access, { key, scope: grant.scope, resource: grant.resource, isValid: true });
    if (givesRefreshToken && grant.redirect !== null) {
      this.#refresh.set(refresh, { ...grant, access });
    }
    json(response, 200, {
      access_token: access,
      token_type: key === undefined ? 'Bearer' : 'DPoP',
      ...(expiresIn > 0 && { expires_in: expiresIn }),
      ...(givesRefreshToken && grant.redirect !== null && { refresh_token: refresh }),
      ...(grant.scope !== '' && { scope: grant.scope }),
      ...(user !== undefined && { id_token: idToken({ sub: 'subject-1', email: user }) }),
      ...this.options.answers?.token,
    });
  }

  #secret(kind: string): string {
    const secret = `${kind}-${randomBytes(16).toString('hex')}`;
    this.secrets.add(secret);
    return secret;
  }

  #revoke(form: URLSearchParams, response: ServerResponse): void {
    const token = form.get('token') ?? '';
    const grant = this.#refresh.get(token);
    this.#refresh.delete(token);
    const access = this.tokens.get(grant?.access ?? token);
    if (access) {
      access.isValid = false;
    }
    json(response, 200, {});
  }
}

function credentialsOf(
  { headers }: IncomingMessage,
  form: URLSearchParams,
): readonly [string, string | undefined] {
  const basic = /^Basic (.*)$/.exec(headers.authorization ?? '')?.[1];
  if (basic === undefined) {
    return [form.get('client_id') ?? '', form.get('client_secret') ?? undefined];
  }
  const [id = '', secret] = Buffer.from(basic, 'base64').toString().split(':');
  return [id, secret];
}

function scopesOf(asked: URLSearchParams): readonly string[] {
  return (asked.get('scope') ?? '').split(' ').filter(Boolean);
}

function idToken(claims: Readonly<Record<string, string>>): string {
  const part = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');
  return `${part({ alg: 'none' })}.${part(claims)}.`;
}

function json(response: ServerResponse, status: number, body: unknown): undefined {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  return undefined;
}

function page(response: ServerResponse): undefined {
  response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><h1>Back soon</h1>');
  return undefined;
}
