import * as vscode from 'vscode';
import { DisposableStore } from '../../base/lifetime/disposable.ts';
import type { DefinitionOrigin, InputDeclaration } from '../../host/config/serverDefinition.ts';
import { askPick, askText, type Frame } from '../quickInput/quickInputs.ts';
import { inQuickInput, oneLine } from '../messages/plainText.ts';
import { placeText } from '../messages/words.ts';
import type { AskForInput } from './inputStore.ts';

/** The labels of the servers that use an input of a file. */
export type ServersUsing = (origin: DefinitionOrigin, id: string) => readonly string[];

/** Asks with an input box or a quick pick that says which servers ask, and which file. */
export function askForInput(serversUsing: ServersUsing): AskForInput {
  return async (declaration, origin, signal) => {
    const servers = serversUsing(origin, declaration.id).map((name) => `'${oneLine(name, 40)}'`);
    const who = servers.length === 0 ? 'A server' : servers.join(', ');
    const title = `${who} ${servers.length > 1 ? 'need' : 'needs'} '${oneLine(declaration.id, 40)}'`;
    return showInput(declaration, title, placeText(origin), signal);
  };
}

/** Shows the input box or quick pick; undefined if it is closed without an answer. */
export async function showInput(
  declaration: InputDeclaration,
  title: string,
  place: string,
  signal: AbortSignal,
): Promise<string | undefined> {
  const frame: Frame = { title: inQuickInput(title, 120) };
  const description = inQuickInput(declaration.description ?? '', 200);
  const described = description && `${description}${/[.?!:…]$/.test(description) ? '' : '.'} `;
  const asked = `${described}Declared in ${inQuickInput(place)}`;
  const store = new DisposableStore();
  signal.addEventListener('abort', closeQuestion);
  store.add({ dispose: () => signal.removeEventListener('abort', closeQuestion) });
  try {
    if (declaration.type === 'pickString') {
      const items = declaration.options.map(({ label, value }) => ({
        label: inQuickInput(label),
        ...(label !== value && { description: inQuickInput(value) }),
        value,
      }));
      const picked = await askPick(frame, {
        items,
        picked: items.filter(({ value }) => value === declaration.default),
        placeholder: asked,
        isMany: false,
      });
      return picked.kind === 'accepted' ? picked.value[0]?.value : undefined;
    }
    const typed = await askText(frame, {
      value: declaration.default ?? '',
      prompt: declaration.password
        ? `${asked}. Kept in the editor's secret storage`
        : `${asked}. Kept on this machine`,
      placeholder: '',
      isPassword: declaration.password,
      check: (text) =>
        text === '' ? 'Enter a value, or press Escape to keep the server stopped.' : undefined,
    });
    return typed.kind === 'accepted' ? typed.value : undefined;
  } finally {
    store.dispose();
  }
}

function closeQuestion(): void {
  void vscode.commands.executeCommand('workbench.action.closeQuickOpen');
}
