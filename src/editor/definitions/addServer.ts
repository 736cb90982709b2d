import * as vscode from 'vscode';
import type { Disposable } from '../../base/lifetime/disposable.ts';
import { visibleParts } from '../../base/text/visibleText.ts';
import { formView } from '../../host/review/formView.ts';
import type { FormCheck, FormFrame, FormToSave } from '../../host/review/formSession.ts';
import { definitionOf, type ServerDraft } from '../../host/config/edit/serverDraft.ts';
import { firstFree, suggestName } from '../../host/config/edit/suggestName.ts';
import type { withServer } from '../../host/config/edit/withServer.ts';
import type { AccountOwner } from '../../host/auth/accounts/account.ts';
import { sentHeader, type SentHeader } from '../../host/config/tokenText.ts';
import { serverFormOf, readForm, type NamedText } from '../../host/config/form/serverForm.ts';
import type { ImportedServer } from '../../host/config/import/mapServer.ts';
import type { RulesSource } from '../../host/config/serverRules.ts';
import {
  launchOf,
  serverId,
  type AnyLaunch,
  type InputDeclaration,
  type ServerDefinition,
  type ServerId,
} from '../../host/config/serverDefinition.ts';
import type { LaunchQuestion } from '../../host/launch/question/launchQuestion.ts';
import type { McpHost } from '../../host/servers/mcpHost.ts';
import { registerCommand, runCommand } from '../commands/commands.ts';
import type { InputStore } from '../inputs/inputStore.ts';
import { askServer, type FormEnd } from '../review/serverPanel.ts';
import { reportingError, tellNoPage } from '../messages/notifications.ts';
import { askWhat } from './askWhat.ts';
import { saveServers } from './saveServers.ts';
import { namesTaken, saveTargets, type SaveTarget } from './saveTargets.ts';
import type { UserSettingsFile } from './userSettingsFile.ts';
import { isThere, startNow } from '../servers/startWhenThere.ts';

export interface AddServerDependencies {
  readonly host: McpHost;
  readonly extensionUri: vscode.Uri;
  readonly rules: RulesSource;
  readonly inputs: InputStore;
  readonly userSettings: UserSettingsFile;
  /** Records the answer to the question about a launch: allowed, with these folders, and for chat if you chose that. */
  readonly approve: (question: LaunchQuestion, roots: readonly string[], inChat?: boolean) => Promise<void>;
  /** Shows the row of a server that was just saved. */
  readonly reveal: (id: ServerId) => Promise<void>;
  /** Keeps a token for the requests to a server. */
  readonly keepToken: (owner: AccountOwner, sent: SentHeader) => Promise<void>;
}

/** Registers "Add Server": a box that takes whatever documentation shows, then a page. */
export function registerAddServer(dependencies: AddServerDependencies): Disposable {
  return registerCommand('addServer', () =>
    reportingError('The server was not added', async () => {
      const reading = await askWhat();
      if (reading && 'recording' in reading) {
        await runCommand('addRecording', vscode.Uri.file(reading.recording));
      } else if (reading) {
        await addServers(reading.servers, dependencies);
      }
    }),
  );
}

/** Opens a page for each server, one after the other. */
export async function addServers(
  servers: readonly ImportedServer[],
  dependencies: AddServerDependencies,
): Promise<void> {
  let place: string | undefined;
  for (const [index, server] of servers.entries()) {
    const count = servers.length > 1 ? ` (${index + 1} of ${servers.length})` : '';
    const isLast = index === servers.length - 1;
    const end = server.draft
      ? await addServer({ ...server, draft: server.draft }, dependencies, {
          title: `Add an MCP Server${count}`,
          leave: isLast ? 'Cancel' : 'Skip',
          place,
          onPlace: (chosen) => (place = chosen),
        })
      : 'left';
    if (end === 'failed') {
      await tellNoPage('The page for the new server');
      return;
    }
    if (end === 'closed') {
      return;
    }
  }
}

interface Around {
  readonly title: string;
  readonly leave: string;
  /** Where the previous server was saved. */
  readonly place: string | undefined;
  readonly onPlace: (place: string) => void;
}

async function addServer(
  { draft, notes }: ImportedServer & { readonly draft: ServerDraft },
  dependencies: AddServerDependencies,
  { title, leave, place, onPlace }: Around,
): Promise<FormEnd> {
  const targets = saveTargets();
  const first = targets.find(({ origin }) => origin.place === place) ?? targets[0];
  if (!first) {
    return 'failed';
  }
  const { servers } = await namesTaken(first);
  const named = draft.name.trim() === '' ? suggestName(draft.launch, servers) : freeName(draft, servers);
  const frame: FormFrame = {
    title: visibleParts(title),
    isNew: true,
    places: targets.map(({ origin, label, detail }) => ({ place: origin.place, label, detail })),
    inputs: inputViews(draft.inputs),
    notes: notes.map(visibleParts),
    leave,
  };
  const form = serverFormOf(named, first.origin.place, draft.launch);
  return askServer<Placed>(dependencies, 'Add Server', frame, form, {
    check: async (now) => {
      const target = targets.find(({ origin }) => origin.place === now.place) ?? first;
      const taken = await namesTaken(target);
      const reading = readForm(now, draft.inputs, { where: target.where, scope: target.origin.scope, taken });
      return checked(now, reading, { ...draft, ...reading.draft }, target, dependencies.host);
    },
    save: async (what) => {
      const { draft: made, target, token } = what.draft;
      onPlace(target.origin.place);
      await saveShown(
        { ...what, draft: { target, token, draft: what.start ? made : { ...made, autoStart: false } } },
        dependencies,
      );
    },
  });
}

/** A name that no other server has. */
export function freeName({ name }: Pick<ServerDraft, 'name'>, taken: ReadonlySet<string>): string {
  return firstFree(name.trim() === '' || name === '__proto__' ? 'my-server' : name.trim(), taken);
}

/** What a page makes: a server, and where it is saved. */
export interface Placed {
  readonly draft: ServerDraft;
  readonly target: SaveTarget;
  /** See `ServerForm.token`. */
  readonly token: NamedText | undefined;
}

export function checked(
  form: Parameters<typeof formView>[0],
  reading: Parameters<typeof formView>[1],
  draft: ServerDraft,
  target: SaveTarget,
  host: McpHost,
  existing?: ServerDefinition,
): FormCheck<Placed> {
  const definition = definitionOf(draft, target.origin);
  const { roots, tools, sampling } = existing ?? {};
  const asksForSandbox = existing?.type === 'stdio' && existing.asksForSandbox === true;
  const question = host.questionAbout({
    ...definition,
    ...(roots && { roots }),
    ...(tools && { tools }),
    ...(sampling && { sampling }),
    ...(asksForSandbox && { asksForSandbox }),
  });
  return { view: formView(form, reading, question), draft: { draft, target, token: form.token }, question };
}

/** Text inputs can be entered on the page; other inputs are asked for at the first start. */
function inputViews(inputs: readonly InputDeclaration[]): FormFrame['inputs'] {
  return inputs
    .filter((input) => input.type === 'promptString')
    .map(({ id, description = id, password }) => ({
      id,
      label: visibleParts(description),
      isPassword: password,
    }));
}

/** Writes what the page showed, by `change` unless the server is added, and starts the server if you chose that. */
export async function saveShown(
  { draft: { draft, target, token }, question, roots, inChat, start }: FormToSave<Placed>,
  { host, inputs, userSettings, approve, reveal, keepToken }: AddServerDependencies,
  change?: typeof withServer,
): Promise<void> {
  const saving = {
    inputs,
    userSettings,
    approve: async (definition: ServerDefinition) => {
      if (launchOf(definition) !== launchOf(question.definition)) {
        throw new Error('What would be written differs from what the page shows.');
      }
      const { url }: AnyLaunch = definition;
      if (token && token.value.trim() !== '' && url !== undefined) {
        const owner = { server: definition.id, url: new URL(url).href };
        await keepToken(owner, sentHeader(token.name, token.value));
      }
      await approve(question, roots, inChat);
    },
  };
  const isSaved = await saveServers([draft], target, saving, change);
  if (isSaved) {
    // The page is done: the tree shows what follows.
    const id = serverId(target.origin, draft.name);
    void follow(id, launchOf(question.definition), start, host, reveal);
  }
}

/** Shows the row of a server that was just saved, and starts it, unless its file has changed since. */
async function follow(
  id: ServerId,
  launch: string,
  start: boolean,
  host: McpHost,
  reveal: AddServerDependencies['reveal'],
): Promise<void> {
  if (await isThere(host, id, launch)) {
    await Promise.all([reveal(id), ...(start ? [startNow(host, id)] : [])]);
  }
}
