import { lookup as lookUp, type LookupAddress, type LookupOptions } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { callbackify } from 'node:util';
import { visibleText } from '../../../base/text/visibleText.ts';
import { cutTo } from '../../../base/text/words.ts';
import {
  hostOf,
  kindOfAddress,
  literalOf,
  namesLoopback,
  type AddressKind,
} from '../../addresses/addressKind.ts';
import type { WebAddress } from '../../addresses/webAddress.ts';
import { HostError } from '../../errors/hostError.ts';
import type { ServerConnections } from './serverConnections.ts';
import { farAway, ruleForAddress, ruleForUrl, type AddressRule } from './addressRules.ts';
import { readBrowserAddress } from './browserAddress.ts';

/** Where connections to servers lead. */
type Connections = Pick<ServerConnections, 'kindOf'>;

/**
 * Decides which addresses may be asked, or opened in the browser, for the sign-in of one server, whoever names them
 * (2026-07-28, tutorials/security: SSRF). Where the server is matters only when an address depends on it.
 */
export class AddressCheck {
  readonly server: URL;
  readonly #connections: Connections;
  readonly #lookup: LookupFunction;

  /** `lookup` resolves names, as Node's own does. */
  constructor(serverUrl: string, connections: Connections, lookup: LookupFunction = lookUp) {
    this.server = new URL(serverUrl);
    this.#connections = connections;
    this.#lookup = lookup;
  }

  /** @throws HostError `protocol` if the URL may not be asked, whatever its name resolves to. */
  async request(url: URL): Promise<void> {
    await this.#enforce(ruleForUrl(url, this.server), url);
  }

  /**
   * Reads an address that a browser is about to open.
   *
   * @throws HostError `protocol` if it may not be opened.
   */
  async browser(text: string): Promise<WebAddress> {
    const address = readBrowserAddress(text);
    const url = new URL(address.url);
    await this.#enforce(ruleForUrl(url, this.server), url);
    return address;
  }

  /**
   * Resolves names for connections to `url`; fails with HostError `protocol` if one of the addresses may not be asked.
   * The connection is opened to what was checked, so that a name that leads elsewhere at each look-up changes nothing.
   */
  lookupFor(url: URL): LookupFunction {
    const resolve = callbackify((name: string, options: LookupOptions) => this.#checked(name, options, url));
    return (name, options, callback) => {
      resolve(name, options, (error, found) => {
        const [first] = error ? [] : found;
        if (error || !first) {
          callback(error ?? new Error(`no address for ${name}`), '');
        } else if (options.all) {
          callback(null, [...found]);
        } else {
          callback(null, first.address, first.family);
        }
      });
    };
  }

  async #checked(name: string, options: LookupOptions, url: URL): Promise<readonly LookupAddress[]> {
    const found = await this.#resolve(name, options);
    const asked = name === this.server.hostname ? await this.#ofServer(found) : found;
    for (const { address } of asked) {
      await this.#enforce(ruleForAddress(address, url), url);
    }
    return asked;
  }

  /** Of the server's own addresses, those where it has answered. */
  async #ofServer(found: readonly LookupAddress[]): Promise<readonly LookupAddress[]> {
    if (new Set(found.map(kindOf)).size < 2) {
      return found;
    }
    const kind = await this.#kindOfServer();
    const same = found.filter((one) => kindOf(one) === kind);
    return same.length > 0 ? same : found;
  }

  async #enforce(rule: AddressRule, url: URL): Promise<void> {
    if (rule.kind === 'refused') {
      throw this.#refusal(url, rule.reason);
    }
    if (rule.kind === 'nearby' && (await this.#kindOfServer()) !== rule.of) {
      const isPlainText = url.protocol === 'http:' && !namesLoopback(url);
      throw this.#refusal(url, isPlainText ? "isn't https" : farAway(rule.of));
    }
  }

  #refusal(url: URL, reason: string): HostError {
    return new HostError(
      'protocol',
      `sign-in at '${hostText(this.server)}' needs the address of '${hostText(url)}', which ${reason}; whoever runs the server has to correct it`,
    );
  }

  /** Where the server is: what its URL says, whatever is between, or else where its connection leads. */
  async #kindOfServer(): Promise<AddressKind> {
    const literal = literalOf(this.server);
    if (literal !== undefined) {
      return kindOfAddress(literal);
    }
    return namesLoopback(this.server) ? 'loopback' : this.#connections.kindOf(this.server);
  }

  #resolve(name: string, options: LookupOptions): Promise<readonly LookupAddress[]> {
    return new Promise((resolve, reject) => {
      this.#lookup(name, { ...options, all: true }, (error, found) => {
        if (error) {
          reject(error);
        } else {
          resolve(Array.isArray(found) ? found : []);
        }
      });
    });
  }
}

function kindOf({ address }: LookupAddress): AddressKind {
  return kindOfAddress(address);
}

/** Characters of a host in a message. */
const MAX_HOST = 100;

/** The host of an address for a message: what is after it can contain secrets. */
export function hostText(address: URL | string): string {
  const { href, protocol } = typeof address === 'string' ? { href: address, protocol: '' } : address;
  const text = visibleText(hostOf(href)) || protocol;
  return cutTo(text, MAX_HOST);
}
