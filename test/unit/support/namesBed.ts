import { channel } from 'node:diagnostics_channel';
import type { LookupAddress } from 'node:dns';
import { isIPv4, type LookupFunction, type Socket } from 'node:net';
import type { AddressKind } from '../../../src/host/addresses/addressKind.ts';
import type { ServerConnections } from '../../../src/host/auth/network/serverConnections.ts';

/** Resolves names as a test says: each look-up of a name gives its next addresses, and the last ones again and again. */
export class FakeNames {
  readonly looked: string[] = [];
  readonly #names: ReadonlyMap<string, (readonly string[])[]>;

  constructor(names: Readonly<Record<string, readonly (string | readonly string[])[]>>) {
    this.#names = new Map(
      Object.entries(names).map(([name, answers]) => [
        name,
        answers.map((one) => (typeof one === 'string' ? [one] : one)),
      ]),
    );
  }

  readonly lookup: LookupFunction = (name, { all }, callback) => {
    this.looked.push(name);
    const answers = this.#names.get(name) ?? [];
    const addresses = (answers.length > 1 ? answers.shift() : answers[0]) ?? [];
    const found = addresses.map((address): LookupAddress => ({ address, family: isIPv4(address) ? 4 : 6 }));
    const [first] = found;
    if (!first) {
      const error = Object.assign(new Error(`${name} was not found`), { code: 'ENOTFOUND' });
      // Node gives nothing else, although its types say so.
      callback(error, undefined as unknown as string);
    } else if (all) {
      callback(null, found);
    } else {
      callback(null, first.address, first.family);
    }
  };
}

/** Servers that have answered at an address of this kind, whatever they are called. */
export function connectedTo(kind: AddressKind): Pick<ServerConnections, 'kindOf'> {
  return { kindOf: () => Promise.resolve(kind) };
}

/** The IP addresses to which this process tries to connect, by any code, in each test of the suite that calls this. */
export function connectionAttempts(): readonly string[] {
  const addresses: string[] = [];
  const watch = (message: unknown): void => {
    const { socket } = message as { readonly socket: Socket };
    socket.on('connectionAttempt', (address: string) => addresses.push(address));
  };
  setup(() => {
    addresses.length = 0;
    channel('net.client.socket').subscribe(watch);
  });
  teardown(() => {
    channel('net.client.socket').unsubscribe(watch);
  });
  return addresses;
}
