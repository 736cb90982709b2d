import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { socketAddress } from '../addresses/serverAddress.ts';
import { unlessAborted } from '../../base/lifetime/cancellation.ts';
import { capitalized } from '../../base/text/words.ts';
import { addressText } from '../documents/serverReport.ts';
import { messageOf } from '../errors/hostError.ts';
import { unreachable } from '../transport/http/networkFailure.ts';
import type { Finding } from './checkStep.ts';

/** A proxy, and what names it. */
export interface NamedProxy {
  readonly host: string;
  readonly by: string;
}

/** The proxy that the editor's setting, or else the environment, names for an address. */
export function proxyFor(
  url: string,
  setting: string | undefined,
  env: NodeJS.ProcessEnv,
): NamedProxy | undefined {
  const variable = url.startsWith('https:') ? 'HTTPS_PROXY' : 'HTTP_PROXY';
  const named = [variable, variable.toLowerCase(), 'ALL_PROXY', 'all_proxy'].find((name) => env[name]);
  const [text, by] = setting ? [setting, 'http.proxy'] : [named && env[named], named];
  if (!text || by === undefined || socketAddress(url)) {
    return undefined;
  }
  // Never as it is written: it may have a password.
  return { host: URL.parse(text)?.host || 'an address that is not valid', by };
}

/** Whether the host of an address is found, and where it is. */
export async function addressFinding(
  url: string,
  proxy: NamedProxy | undefined,
  signal: AbortSignal,
): Promise<Finding> {
  const address = `${addressText(url)}.`;
  const host = (URL.parse(url)?.hostname ?? '').replaceAll(/[[\]]/g, '');
  if (host === '' || socketAddress(url) || isIP(host) !== 0) {
    return { outcome: 'ok', text: address };
  }
  try {
    const found = await unlessAborted(lookup(host, { all: true }), signal);
    const where = found.map((one) => one.address).join(', ');
    return { outcome: 'ok', text: `${address}\n${host} is ${where}.` };
  } catch (error) {
    if (signal.aborted) {
      throw error;
    }
    const why = capitalized((unreachable(error) ?? { message: messageOf(error) }).message);
    return proxy
      ? { outcome: 'noted', text: `${address}\n${why}. The proxy may find it.` }
      : {
          outcome: 'failed',
          text: `${address}\n${why}.`,
          advice: 'Check the host in its definition, and your network.',
          action: { kind: 'edit' },
        };
  }
}

export function proxyFinding(proxy: NamedProxy | undefined): Finding {
  return proxy
    ? {
        outcome: 'noted',
        text: `${proxy.by} names the proxy ${proxy.host}. The editor uses it unless its settings or NO_PROXY exclude the server.`,
      }
    : { outcome: 'ok', text: "Neither the editor's settings nor its environment name a proxy." };
}
