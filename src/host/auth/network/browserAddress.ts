import { unplainReason, webAddressOf, type WebAddress } from '../../addresses/webAddress.ts';
import { HostError } from '../../errors/hostError.ts';

/**
 * Reads an address that others wrote and a browser will open: only web addresses (2026-07-28,
 * basic/authorization/security-considerations), no command, no option such as `-x`.
 *
 * @throws HostError `protocol`
 */
export function readBrowserAddress(text: string): WebAddress {
  const reason = unplainReason(text) ?? otherReason(text);
  if (reason !== undefined) {
    throw new HostError(
      'protocol',
      `the address for signing in ${reason}, and isn't opened; whoever runs the sign-in has to correct it`,
    );
  }
  return webAddressOf(new URL(text));
}

/** RFC 6749, 3.1: no fragment. What is shown must be what is opened. */
function otherReason(text: string): string | undefined {
  if (text.includes('#')) {
    return 'has a fragment';
  }
  return new URL(text).href === text ? undefined : "isn't in its normal form";
}
