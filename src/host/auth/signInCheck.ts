import type { ServerForm } from '../config/form/serverForm.ts';
import { refusalBy, type ServerRules } from '../config/serverRules.ts';
import { messageOf } from '../errors/hostError.ts';
import { ServerConnections } from './network/serverConnections.ts';
import { AddressCheck, hostText } from './network/addressCheck.ts';
import { parseChallenge } from './network/challenge.ts';
import { discover } from './network/discovery.ts';
import { oauthFetch } from './network/oauthFetch.ts';

/**
 * A request that begins nothing at the server. One that requires an account refuses it with 401 whatever it says, at every
 * revision (basic/authorization).
 */
const request = { jsonrpc: '2.0', id: 1, method: 'server/discover', params: {} };
const headers = { accept: 'application/json, text/event-stream', 'content-type': 'application/json' };

/**
 * Asks the server at the address of a form whether it requires you to sign in, and says it in a sentence or two. Nothing
 * of the form but the address reaches the server, and nothing at all where the rules don't let it run. Takes 30 s at most
 * for each request; doesn't throw.
 */
export async function signInCheck(
  form: Pick<ServerForm, 'name' | 'url' | 'headers'>,
  rules?: ServerRules,
): Promise<string> {
  if (form.headers.some(({ name }) => name.trim().toLowerCase() === 'authorization')) {
    return 'The header "Authorization" is used in place of a sign-in.';
  }
  const address = form.url.trim();
  if (!/^https?:/i.test(address) || !URL.canParse(address) || address.includes('${')) {
    return 'Only a whole address that begins with http or https, without variables, can be checked.';
  }
  const refusal = rules && refusalBy(rules, { name: form.name, written: address, filled: address });
  if (refusal) {
    return `The server is not asked: ${refusal.message}.`;
  }
  const check = new AddressCheck(address, new ServerConnections());
  try {
    const init = { method: 'POST', headers, body: JSON.stringify(request) };
    const response = await oauthFetch(check)(address, init);
    const { status } = response;
    await response.body?.cancel();
    if (status === 401) {
      return await accountWords(check, response.headers.get('www-authenticate') ?? undefined);
    }
    return status === 404 || status === 410 || status >= 500
      ? `No MCP server answers at this address: it answers with status ${status}.`
      : 'The server answers without an account. Some of its tools may still require one.';
  } catch (error) {
    return `The server could not be asked: ${messageOf(error)}.`;
  }
}

async function accountWords(check: AddressCheck, header: string | undefined): Promise<string> {
  const { origin } = check.server;
  const found = await discover(check, {
    challenge: parseChallenge(header),
    asksIssuer: (issuer) => new URL(issuer).origin === origin,
  }).catch(() => undefined);
  if (found && !found.resource && !found.metadata) {
    return 'The server requires a token, such as an API key. Enter it in "Token".';
  }
  // Signing in says what is wrong where nothing was found.
  const issuer = found ? ` at '${hostText(found.issuer)}'` : '';
  return `The server requires an account${issuer}. You sign in after you save it.`;
}
