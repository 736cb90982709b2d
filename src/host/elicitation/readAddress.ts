import { isRecord } from '../../base/values/record.ts';
import { kindOfAddress, literalOf, namesLoopback } from '../addresses/addressKind.ts';
import { lookAlikeSentence } from '../addresses/lookAlikes.ts';
import { refusedReason, webAddressOf, type WebAddress } from '../addresses/webAddress.ts';
import { ElicitationFailure } from '../errors/elicitationFailure.ts';

const MAX_ID = 1_000;
/** Addresses in one error. */
const MAX_REQUIRED = 10;

/** An address that a server asks you to open. */
export interface AddressRequest {
  /** What `notifications/elicitation/complete` names it by; undefined in revisions without that. */
  readonly id: string | undefined;
  readonly message: string;
  readonly address: WebAddress;
  /** Sentences on what is unusual about the address. */
  readonly warnings: readonly string[];
  /** Declining is what the card proposes. */
  readonly isFlagged: boolean;
}

/**
 * The addresses in the data of error -32042 (2025-11-25, client/elicitation).
 *
 * @throws ElicitationFailure malformed, with a sentence.
 */
export function readRequiredAddresses(data: unknown): readonly AddressRequest[] {
  const { elicitations } = isRecord(data) ? data : {};
  if (!Array.isArray(elicitations) || elicitations.length === 0 || elicitations.length > MAX_REQUIRED) {
    throw malformedElicitation(`Error -32042 must name 1 to ${MAX_REQUIRED} addresses.`);
  }
  const all = elicitations.map((one: unknown) => {
    const params = isRecord(one) ? one : {};
    if ((params['mode'] ?? 'url') !== 'url') {
      throw malformedElicitation("Error -32042 can require only the mode 'url'.");
    }
    return readAddress(params, true);
  });
  if (new Set(all.map(({ id }) => id)).size < all.length) {
    throw malformedElicitation("Each address must have another 'elicitationId'.");
  }
  return all;
}

/**
 * The address of a request with the mode `url` (client/elicitation). It is neither fetched nor looked up.
 *
 * @throws ElicitationFailure malformed, with a sentence that quotes nothing of the address.
 */
export function readAddress(
  { message: given, url: text, elicitationId: id }: Readonly<Record<string, unknown>>,
  hasId: boolean,
): AddressRequest {
  const message = readReason(given);
  if (hasId && (typeof id !== 'string' || id === '' || id.length > MAX_ID)) {
    throw malformedElicitation(
      `'elicitationId' must be a text of 1 to ${MAX_ID.toLocaleString('en-US')} characters.`,
    );
  }
  if (typeof text !== 'string') {
    throw malformedElicitation("'url' must be a web address.");
  }
  const reason = refusedReason(text);
  if (reason !== undefined) {
    throw malformedElicitation(`The address ${reason}, and isn't opened.`);
  }
  const url = new URL(text);
  const address = webAddressOf(url);
  const lookAlike = lookAlikeSentence(address.readableHost.replace(/:\d+$/, ''));
  return {
    id: hasId ? String(id) : undefined,
    message,
    address,
    warnings: [...(lookAlike === undefined ? [] : [lookAlike]), ...placeWarnings(url, address)],
    isFlagged: lookAlike !== undefined,
  };
}

function placeWarnings(url: URL, { host, readableHost }: WebAddress): readonly string[] {
  const literal = literalOf(url);
  if (namesLoopback(url)) {
    return ['The page is on your own machine, or on the one that the editor is connected to.'];
  }
  if (literal === undefined ? isLocalName(url.hostname) : kindOfAddress(literal) !== 'public') {
    return ['The page is in a private network, where pages can change devices such as a router.'];
  }
  if (literal !== undefined) {
    return ["The host is a number and not a name, so that you can't tell whose page it is."];
  }
  return host === readableHost
    ? []
    : [`The host isn't written in plain Latin letters: it reads ${readableHost}, and its name is ${host}.`];
}

/** A name that only a private network knows (RFC 6762, RFC 8375, and the name that ICANN keeps free). */
function isLocalName(hostname: string): boolean {
  const name = hostname.replace(/\.$/, '');
  return !name.includes('.') || /\.(?:local|internal|lan|home\.arpa)$/.test(name);
}

/** What a server says with its request. @throws ElicitationFailure malformed, with a sentence. */
export function readReason(message: unknown): string {
  if (typeof message !== 'string') {
    throw malformedElicitation("'message' must be a text.");
  }
  return message;
}

export function malformedElicitation(message: string): ElicitationFailure {
  return new ElicitationFailure('malformed', message);
}
