import * as vscode from 'vscode';
import type { Disposable } from '../../base/lifetime/disposable.ts';
import type { InputDeclaration } from '../../host/config/serverDefinition.ts';
import type { HostServer, McpHost } from '../../host/servers/mcpHost.ts';
import { registerCommand, runCommand } from '../commands/commands.ts';
import { inputButton, showUntilAnswered } from '../quickInput/quickInputs.ts';
import { inNotification, inQuickInput, oneLine } from '../messages/plainText.ts';
import { placeText } from '../messages/words.ts';
import { showInput, type ServersUsing } from './askForInput.ts';
import type { InputStore, StoredInput } from './inputStore.ts';

const replaceButton = inputButton('edit', 'Replace');
const forgetButton = inputButton('trash', 'Forget');

interface InputItem extends vscode.QuickPickItem {
  readonly input: StoredInput;
}

/** The servers of a host that use an input of a file. */
export function serversUsing(host: McpHost): ServersUsing {
  return (origin, id) => using(host, origin.place, id).map(({ label }) => label);
}

/** Registers `mcpHost.manageInputs`, for all stored inputs or for those of one server. */
export function registerManageInputs(host: McpHost, store: InputStore): Disposable {
  return registerCommand('manageInputs', async (argument?: unknown) => {
    const server = serverIn(argument);
    for (;;) {
      const inputs = (await store.list()).filter((input) => !server || belongsTo(input, server));
      if (inputs.length === 0) {
        await sayEmpty(server);
        return;
      }
      const chosen = await choose(host, inputs, server);
      if (!chosen) {
        return;
      }
      if (chosen.action === 'forget') {
        await store.forget(chosen.input);
      } else {
        await replace(host, store, chosen.input);
      }
    }
  });
}

/** The server of a row in the tree. */
function serverIn(argument: unknown): HostServer | undefined {
  const isNode = typeof argument === 'object' && argument !== null && 'server' in argument;
  return isNode ? (argument as { readonly server: HostServer }).server : undefined;
}

function belongsTo({ place, id }: StoredInput, { connection }: HostServer): boolean {
  const { origin, inputs } = connection.definition;
  return origin.place === place && inputs.some((declared) => declared.id === id);
}

function using(host: McpHost, place: string, id: string): readonly HostServer[] {
  return host.servers.filter(
    ({ connection: { definition } }) =>
      definition.origin.place === place && definition.inputs.some((declared) => declared.id === id),
  );
}

async function sayEmpty(server: HostServer | undefined): Promise<void> {
  await vscode.window.showInformationMessage(
    server
      ? inNotification(
          `No inputs are stored for '${server.label}'. It asks for what it needs when it starts.`,
        )
      : 'No inputs are stored. A server whose definition refers to ${input:…} asks for the value when it starts.',
  );
}

type Choice = { readonly action: 'replace' | 'forget'; readonly input: StoredInput };

function choose(
  host: McpHost,
  inputs: readonly StoredInput[],
  server: HostServer | undefined,
): Promise<Choice | undefined> {
  const pick = vscode.window.createQuickPick<InputItem>();
  pick.title = server ? `Stored Inputs of ${oneLine(server.label, 60)}` : 'Stored Inputs';
  pick.placeholder = 'Select an input to replace its value';
  pick.items = inputs.map((input) => itemOf(host, input));
  pick.matchOnDescription = true;
  pick.matchOnDetail = true;
  return showUntilAnswered<Choice>(pick, (store, { resolve }) => {
    store.add(
      pick.onDidAccept(() => {
        const [item] = pick.selectedItems;
        resolve(item && { action: 'replace', input: item.input });
      }),
    );
    store.add(
      pick.onDidTriggerItemButton(({ button, item }) =>
        resolve({ action: button === forgetButton ? 'forget' : 'replace', input: item.input }),
      ),
    );
  });
}

function itemOf(host: McpHost, input: StoredInput): InputItem {
  const servers = using(host, input.place, input.id).map(({ label }) => label);
  const use = servers.length === 0 ? 'not used by any server' : `used by ${servers.join(', ')}`;
  return {
    label: inQuickInput(input.id),
    description: input.isPassword ? 'password' : inQuickInput(input.value ?? '', 100),
    detail: inQuickInput(`${placeOf(host, input)} · ${use}`),
    buttons: [replaceButton, forgetButton],
    input,
  };
}

/** The label of the file that declares an input; its path if it defines no server now. */
function placeOf(host: McpHost, { place }: StoredInput): string {
  if (place === 'settings:user') {
    return 'your user settings';
  }
  const there = host.servers.find(({ connection }) => connection.definition.origin.place === place);
  return there ? placeText(there.connection.definition.origin) : vscode.Uri.parse(place).fsPath;
}

async function replace(host: McpHost, store: InputStore, input: StoredInput): Promise<void> {
  const users = using(host, input.place, input.id);
  const declared = users
    .flatMap(({ connection }) => connection.definition.inputs)
    .find(({ id }) => id === input.id);
  const fallback: InputDeclaration = { type: 'promptString', id: input.id, password: input.isPassword };
  const question = declared ?? fallback;
  const value = await showInput(
    input.isPassword || input.value === undefined ? question : { ...question, default: input.value },
    `Replace '${oneLine(input.id, 40)}'`,
    placeOf(host, input),
    new AbortController().signal,
  );
  if (value === undefined) {
    return;
  }
  await store.store(input, question.type === 'promptString' && question.password, value);
  if (users.length > 0) {
    void offerRestart(users);
  }
}

/** A running server keeps the old value until it restarts. */
async function offerRestart(servers: readonly HostServer[]): Promise<void> {
  const names = servers.map(({ label }) => `'${label}'`).join(', ');
  const restart = servers.length === 1 ? 'Restart Server' : 'Restart Servers';
  const text = inNotification(`${names} will use the new value after a restart.`);
  if ((await vscode.window.showInformationMessage(text, restart)) === restart) {
    for (const { connection } of servers) {
      await runCommand('restartServer', connection.definition.id);
    }
  }
}
