import { namesLoopback } from '../../host/addresses/addressKind.ts';
import {
  problemOfToken,
  problemOfTokenHeader,
  sentHeader,
  type SentHeader,
} from '../../host/config/tokenText.ts';
import type { ServerSignIn } from '../../host/auth/serverSignIn.ts';
import { tokenPlaceOf } from '../../host/connection/failures/remedies.ts';
import { takesToken } from '../../host/servers/serverRemedies.ts';
import type { AnyLaunch } from '../../host/config/serverDefinition.ts';
import type { HostServer, McpHost } from '../../host/servers/mcpHost.ts';
import { runCommand } from '../commands/commands.ts';
import { onServer, reportFailure } from '../commands/onServer.ts';
import { confirmDone } from '../messages/notifications.ts';
import { inQuickInput, oneLine } from '../messages/plainText.ts';
import { askText, inputButton } from '../quickInput/quickInputs.ts';
import { reportStartFailure } from '../servers/remedyCommands.ts';
import { remediesFor } from '../../host/servers/serverRemedies.ts';
import { withStartProgress } from '../servers/withStartProgress.ts';
import type { SignInDependencies } from './signInNotices.ts';

/** "Set Token…", for a server that needs one: it is asked for, or is where its definition has it. */
export function setToken({ host, accounts }: SignInDependencies): ReturnType<typeof onServer> {
  const accountOf = ({ connection }: HostServer): ReturnType<typeof accounts.accountOf> =>
    accounts.accountOf(connection.definition.id);
  return onServer(host, {
    placeholder: 'Select a server to set its token',
    accepts: (server) =>
      remediesFor(server)[0]?.kind === 'setKey' ||
      takesToken(server.connection.definition, accountOf(server)),
    run: async (server) => {
      const { definition } = server.connection;
      const account = accountOf(server);
      const { signIn } = server;
      const place = account?.kind === 'token' ? 'account' : tokenPlaceOf(definition);
      if (place === 'input') {
        await runCommand('manageInputs', { server });
      } else if (place === 'definition' || !signIn) {
        await runCommand('editServer', definition.id);
      } else {
        const sent = await askToken(server, account?.kind === 'token' ? account.header : '');
        if (sent) {
          await keep(host, server, signIn, sent);
        }
      }
    },
  });
}

/** Keeps a token; a server that waits for it starts, and what is wrong then is shown. */
async function keep(
  host: McpHost,
  server: HostServer,
  signIn: ServerSignIn,
  sent: SentHeader,
): Promise<void> {
  const { connection, label } = server;
  const isWaiting = ['signInRequired', 'authorizing', 'failed'].includes(connection.state.kind);
  await reportFailure(server, 'could not get the token', async () => {
    await signIn.setToken(sent);
    confirmDone(`Set the token of '${label}'`);
  });
  if (isWaiting) {
    await reportStartFailure(server, () =>
      withStartProgress(host, server, () => host.start(connection.definition.id)),
    );
  }
}

/** Asks for a token, and for the name of its header if you want another one; undefined if you cancel. */
async function askToken({ connection, label }: HostServer, before: string): Promise<SentHeader | undefined> {
  const another = inputButton('settings-gear', 'Send in Another Header…');
  const title = inQuickInput(`Set the token of '${oneLine(label, 60)}'`, 120);
  let [header, typed] = [before, ''];
  for (;;) {
    const token = await askText(
      { title, buttons: [another] },
      {
        value: typed,
        prompt: promptFor(connection.definition, header),
        placeholder: 'Paste the token, such as an API key',
        isPassword: true,
        check: (text) => (text.trim() === '' ? 'Enter a token.' : problemOfToken(text)),
      },
    );
    if (token.kind === 'accepted') {
      return sentHeader(header, token.value);
    }
    if (token.kind !== 'pressed') {
      return undefined;
    }
    typed = token.typed;
    const named = await askText(
      { title, canGoBack: true },
      {
        value: header,
        prompt:
          'The header that the documentation of the server names. Leave it empty for "Authorization: Bearer"',
        placeholder: 'X-API-Key',
        isPassword: false,
        check: problemOfTokenHeader,
      },
    );
    if (named.kind === 'cancelled') {
      return undefined;
    }
    header = named.kind === 'accepted' ? named.value.trim() : header;
  }
}

function promptFor({ url: address = '' }: AnyLaunch, header: string): string {
  const url = URL.parse(address);
  const where = url ? inQuickInput(url.origin, 100) : 'the origin of the server';
  const warning =
    url?.protocol === 'http:' && !namesLoopback(url)
      ? ' The address is not encrypted: others in the network can read the token'
      : '';
  const { header: name } = sentHeader(header, '');
  return `Sent in the header "${inQuickInput(name, 60)}" to ${where} alone. Kept encrypted on this machine.${warning}`;
}
