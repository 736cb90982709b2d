import path from 'node:path';
import * as vscode from 'vscode';
import { expected, understand, type Reading } from '../../host/config/import/understand.ts';
import { RECORDING_ENDING } from '../../host/traffic/recording.ts';
import { inQuickInput } from '../messages/plainText.ts';
import { showUntilAnswered } from '../quickInput/quickInputs.ts';

interface ReadingItem extends vscode.QuickPickItem {
  /** Absent in a row that only says what is wrong. */
  readonly reading?: Reading;
  /** The path of a recording. */
  readonly recording?: string;
  /** The text that it was read from. */
  readonly text: string;
}

/** Asks in a box for whatever the documentation of a server shows, and lists below what it understands. */
export async function askWhat(): Promise<Reading | { readonly recording: string } | undefined> {
  const input = vscode.window.createQuickPick<ReadingItem>();
  input.title = 'Add Server';
  input.placeholder = 'Paste a command line, an address or JSON, or type the name of a package';
  // A click into the editor would lose what was pasted.
  input.ignoreFocusOut = true;
  input.items = itemsFor('');
  /** The pasted text, if the box has lost its line ends. */
  let whole: string | undefined;
  const textNow = (): string => (whole !== undefined && isSameLine(whole, input.value) ? whole : input.value);
  return showUntilAnswered<Reading | { readonly recording: string }>(input, (store, { resolve }) => {
    store.add(
      input.onDidChangeValue(async (value) => {
        input.items = itemsFor(textNow());
        if (!hasLostLines(value)) {
          return;
        }
        const copied = await vscode.env.clipboard.readText().then(undefined, () => '');
        if (isSameLine(copied, value) && input.value === value) {
          whole = copied;
          input.items = itemsFor(copied);
        }
      }),
    );
    store.add(
      input.onDidAccept(() => {
        const text = textNow();
        const [selected] = input.selectedItems;
        // Enter may come before the rows for the typed text; then it means the first of them.
        const chosen = selected?.text === text ? selected : itemsFor(text)[0];
        if (chosen?.reading) {
          resolve(chosen.reading);
        } else if (chosen?.recording !== undefined) {
          resolve({ recording: chosen.recording });
        }
      }),
    );
  });
}

function itemsFor(text: string): readonly ReadingItem[] {
  const file = text.trim();
  if (file.endsWith(RECORDING_ENDING) && path.isAbsolute(file)) {
    return [
      { label: 'Recording', description: inQuickInput(file, 300), alwaysShow: true, recording: file, text },
    ];
  }
  const understood = understand(text, process.platform);
  if ('readings' in understood) {
    return understood.readings.map((reading) => ({
      // What was typed is in the description, because the editor sorts rows by labels that contain it.
      label: inQuickInput(reading.what),
      description: inQuickInput(reading.line, 300),
      ...(notesOf(reading) !== '' && { detail: inQuickInput(notesOf(reading)) }),
      alwaysShow: true,
      reading,
      text,
    }));
  }
  const { problem } = understood;
  return problem === expected
    ? examples.map(([label, description]) => ({ label, description, alwaysShow: true, text }))
    : [{ label: `$(warning) ${inQuickInput(problem)}`, detail: expected, alwaysShow: true, text }];
}

const examples = [
  ['Command line', 'npx -y @scope/server'],
  ['Address', 'https://example.com/mcp'],
  ['JSON', '{ "mcpServers": { … } }, { "servers": { … } } or "name": { … }'],
  ['Name of a package', 'of npm or PyPI'],
  ['Recording', `/path/to/server${RECORDING_ENDING}`],
] as const;

function notesOf({ servers }: Reading): string {
  return servers.flatMap(({ notes }) => notes).join(' ');
}

/** A comment ends with its line, but the box has joined the lines. */
function hasLostLines(value: string): boolean {
  return 'problem' in understand(value, process.platform) && /(^|[^:])\/\/|#/.test(value);
}

function isSameLine(one: string, other: string): boolean {
  return one !== '' && withoutSpace(one) === withoutSpace(other);
}

function withoutSpace(text: string): string {
  return text.replaceAll(/\s+/g, '');
}
