import { lookup as lookUp } from 'node:dns';
import type { LookupFunction, Socket } from 'node:net';
import type { FetchLike } from '@modelcontextprotocol/client';
import { kindOfAddress, type AddressKind } from '../../addresses/addressKind.ts';
import { HostError } from '../../errors/hostError.ts';
import { unreachable } from '../../transport/http/networkFailure.ts';
import { nodeFetchBy, type Connecting } from '../../transport/http/nodeFetch.ts';

/** Milliseconds for a connection that is opened only to learn where it leads. */
const CONNECT_MS = 10_000;

/**
 * Where the connections of this window to servers lead: a sign-in may use addresses nearby only if the server is there
 * (security, line 10). What counts is the address to which a connection was made, not those to which a name resolves.
 */
export class ServerConnections {
  readonly #lookup: LookupFunction;
  /** Of open connections: a request that uses one again looks nothing up. */
  readonly #open = new WeakMap<Socket, AddressKind>();
  /** By origin. */
  readonly #origins = new Map<string, AddressKind>();

  /** `lookup` resolves names, as Node's own does. */
  constructor(lookup: LookupFunction = lookUp) {
    this.#lookup = lookup;
  }

  /** As `nodeFetch`. Uses no connection again that something else has opened. */
  readonly fetch: FetchLike = (url, init) => nodeFetchBy(this.#connecting(new URL(url)))(url, init);

  /**
   * The kind of address at which a server has answered, whose URL has a name; `public` through a proxy, because only the
   * proxy knows. If the server hasn't answered yet in this window, sends it an empty request.
   *
   * @throws HostError `unreachable`
   */
  async kindOf({ origin, host }: URL): Promise<AddressKind> {
    if (!this.#origins.has(origin)) {
      try {
        // No path, header or body: they can contain secrets.
        const response = await this.fetch(origin, {
          method: 'HEAD',
          signal: AbortSignal.timeout(CONNECT_MS),
        });
        await response.body?.cancel();
      } catch (error) {
        throw (
          unreachable(error, `'${host}'`) ??
          new HostError('unreachable', `'${host}' gave no valid response`, { cause: error })
        );
      }
    }
    return this.#origins.get(origin) ?? 'public';
  }

  #connecting({ origin, hostname, protocol }: URL): Connecting {
    const found = new Set<string>();
    return {
      lookup: (name, options, callback) =>
        this.#lookup(name, options, (error, address, family) => {
          // A proxy's name doesn't count.
          if (!error && name === hostname) {
            [address].flat().forEach((one) => found.add(typeof one === 'string' ? one : one.address));
          }
          callback(error, address, family);
        }),
      mayUse: (socket) => this.#open.has(socket),
      answered: (socket) => {
        const { remoteAddress = '' } = socket;
        // To a proxy, a connection leads to none of the addresses of the server.
        const direct = found.has(remoteAddress) ? kindOfAddress(remoteAddress) : 'public';
        const kind = this.#open.get(socket) ?? direct;
        this.#open.set(socket, kind);
        const before = this.#origins.get(origin) ?? kind;
        // Without TLS, any server can answer once the name leads elsewhere: then nothing nearby is asked.
        this.#origins.set(origin, protocol === 'https:' || before === kind ? kind : 'public');
      },
    };
  }
}
