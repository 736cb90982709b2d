/** An address as the editor's `Uri` prints it: `toString(true)` is what the editor opens. */
interface PrintedAddress {
  toString(skipEncoding: boolean): string;
}

/**
 * Whether a browser that the editor opens gets the same address. The editor decodes an address when it parses it, and
 * encodes it again with `encodeURI` when it opens it: `%26` in a parameter, for example, becomes `&` and ends that
 * parameter. Other notations of the same parameters, such as `:` for `%3A`, do no harm.
 *
 * An address with IPv6, such as `http://[::1]:8080/`, is none after that: `encodeURI` encodes the brackets.
 */
export function isPrintedAs(printed: PrintedAddress, address: string): boolean {
  const [opened, wanted] = [URL.parse(encodeURI(printed.toString(true))), URL.parse(address)];
  return opened !== null && wanted !== null && partsOf(opened) === partsOf(wanted);
}

function partsOf({ origin, pathname, searchParams, hash }: URL): string {
  return JSON.stringify([origin, pathname, [...searchParams], hash]);
}
