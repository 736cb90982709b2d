import type * as vscode from 'vscode';
import { looksLikeSecret, namesSecret } from '../../host/config/edit/secrets.ts';
import type { DraftLaunch } from '../../host/config/edit/serverDraft.ts';
import { splitCommandLine } from '../../host/config/edit/splitCommandLine.ts';
import { readSnippet } from '../../host/config/import/readSnippet.ts';
import type { InputDeclaration } from '../../host/config/serverDefinition.ts';
import { inQuickInput } from '../plainText.ts';
import { askPick, askText, type Frame, type Prompted } from './quickInputs.ts';

/** A launch that is being put together. */
export interface Begun {
  /** What it was read from. */
  readonly typed: string;
  /** Empty while nobody has given one. */
  name: string;
  launch: DraftLaunch;
  readonly inputs: readonly InputDeclaration[];
  readonly notes: readonly string[];
}

/** Asks for a command line, an address, or a definition in JSON. */
export async function askLaunch(
  frame: Frame,
  kind: 'stdio' | 'http',
  value: string,
): Promise<Begun | 'back' | 'cancelled'> {
  const answer = await askText(frame, {
    value,
    prompt:
      kind === 'stdio'
        ? 'The command line that starts the server. It is taken apart without a shell, and run without one'
        : 'The address of the server',
    placeholder: kind === 'stdio' ? 'npx -y @scope/server "an argument"' : 'https://example.com/mcp',
    isPassword: false,
    check: (typed) => {
      const read = readLaunch(typed);
      return typeof read === 'string' ? read : undefined;
    },
  });
  if (answer.kind === 'accepted') {
    const read = readLaunch(answer.value);
    return typeof read === 'string' ? 'cancelled' : read;
  }
  return answer.kind === 'back' ? 'back' : 'cancelled';
}

/** What was typed or pasted, whichever of the three it is; a sentence when it is none. */
function readLaunch(typed: string): Begun | string {
  const text = typed.trim();
  const none = { typed, name: '', inputs: [], notes: [] };
  const servers = readSnippet(text);
  if (servers) {
    const [server, ...others] = servers;
    if (others.length > 0) {
      return 'This defines several servers: paste them one by one.';
    }
    const { draft, notes } = server ?? { draft: undefined, notes: [] };
    return draft
      ? { typed, name: draft.name, launch: draft.launch, inputs: draft.inputs, notes }
      : notes.join(' ');
  }
  if (text.startsWith('{') || /^"[^"]*"\s*:/.test(text)) {
    return 'This looks like JSON, but is no definition of a server with "command" or "url".';
  }
  if (/^https?:/i.test(text)) {
    return URL.canParse(text)
      ? { ...none, launch: { type: 'http', url: text, headers: {} } }
      : 'This is not a whole address.';
  }
  const result = splitCommandLine(text, process.platform);
  if ('problem' in result) {
    return result.problem;
  }
  const { command, args, env } = result.line;
  return { ...none, launch: { type: 'stdio', command, args, env } };
}

type Part = 'args' | 'env' | 'headers';

const parts = {
  args: { one: 'Argument', placeholder: 'The command as it was split. Pick an argument to change it' },
  env: { one: 'Environment Variable', placeholder: 'Environment variables of the server' },
  headers: { one: 'Header', placeholder: 'Headers that are sent with every request' },
};

interface PartItem extends vscode.QuickPickItem {
  readonly action: 'continue' | 'add' | 'command' | { readonly index: number };
}

/** Shows one part of the launch item by item; the person changes it until it is right. */
export async function askParts(
  frame: Frame,
  begun: Begun,
  part: Part,
): Promise<'next' | 'back' | 'cancelled'> {
  const { one, placeholder } = parts[part];
  for (;;) {
    const answer = await askPick<PartItem>(frame, {
      items: [
        { label: '$(check) Continue', action: 'continue' },
        ...itemsOf(begun.launch, part),
        { label: `$(add) Add ${one}…`, action: 'add' },
      ],
      picked: [],
      placeholder,
      isMany: false,
    });
    if (answer.kind !== 'accepted') {
      return answer.kind === 'back' ? 'back' : 'cancelled';
    }
    const action = answer.value[0]?.action ?? 'continue';
    if (action === 'continue') {
      return 'next';
    }
    const changed =
      part === 'args'
        ? await askArgument(frame, begun.launch, action)
        : await askNamedText(frame, begun.launch, part, action);
    if (changed === 'cancelled') {
      return 'cancelled';
    }
    if (changed !== 'back') {
      begun.launch = changed;
    }
  }
}

function itemsOf(launch: DraftLaunch, part: Part): readonly PartItem[] {
  if (launch.type === 'stdio' && part === 'args') {
    return [
      { label: inQuickInput(shown(launch.command)), description: 'command', action: 'command' },
      ...launch.args.map((arg, index) => ({
        label: inQuickInput(shown(arg)),
        description: `argument ${index + 1}`,
        action: { index },
      })),
    ];
  }
  return Object.entries(recordOf(launch)).map(([name, value], index) => ({
    label: inQuickInput(name),
    description: looksLikeSecret(name, value) ? '••••••' : inQuickInput(value, 100),
    action: { index },
  }));
}

/** What is empty, or ends in a space, is seen in quotes only. */
function shown(text: string): string {
  return text === '' || /\s/.test(text) ? JSON.stringify(text) : text;
}

function recordOf(launch: DraftLaunch): Readonly<Record<string, string>> {
  return launch.type === 'stdio' ? launch.env : launch.headers;
}

type Changed = DraftLaunch | 'back' | 'cancelled';

async function askArgument(
  frame: Frame,
  launch: DraftLaunch,
  action: Exclude<PartItem['action'], 'continue'>,
): Promise<Changed> {
  if (launch.type !== 'stdio') {
    return launch;
  }
  const { command, args } = launch;
  const isNew = action === 'add';
  const index = action === 'add' || action === 'command' ? args.length : action.index;
  const answer = await askOne(
    frame,
    action === 'command' ? command : (args[index] ?? ''),
    action === 'command'
      ? 'The program that starts the server'
      : `Argument ${index + 1}, without quotes${isNew ? '' : '. Empty removes it'}`,
    action === 'command' || isNew,
  );
  if (answer.kind !== 'accepted') {
    return answer.kind === 'back' ? 'back' : 'cancelled';
  }
  if (action === 'command') {
    return { ...launch, command: answer.value };
  }
  return { ...launch, args: args.toSpliced(index, 1, ...(answer.value === '' ? [] : [answer.value])) };
}

async function askNamedText(
  frame: Frame,
  launch: DraftLaunch,
  part: 'env' | 'headers',
  action: Exclude<PartItem['action'], 'continue'>,
): Promise<Changed> {
  const record = recordOf(launch);
  const known = typeof action === 'object' ? Object.entries(record)[action.index] : undefined;
  let name = known?.[0];
  if (name === undefined) {
    const asked = await askText(
      { ...frame, canGoBack: true },
      {
        value: '',
        prompt: part === 'env' ? 'The name of the variable' : 'The name of the header',
        placeholder: part === 'env' ? 'API_KEY' : 'Authorization',
        isPassword: false,
        check: (typed) => problemOfKey(typed.trim(), part),
      },
    );
    if (asked.kind !== 'accepted') {
      return asked.kind === 'back' ? 'back' : 'cancelled';
    }
    name = asked.value.trim();
  }
  const answer = await askOne(
    frame,
    known?.[1] ?? '',
    `The value of ${inQuickInput(name, 60)}${known ? '. Empty removes it' : ''}`,
    false,
    namesSecret(name),
  );
  if (answer.kind !== 'accepted') {
    return answer.kind === 'back' ? 'back' : 'cancelled';
  }
  const others = Object.entries(record).filter(([other]) => other !== name);
  const changed = Object.fromEntries(
    known && answer.value === '' ? others : [...others, [name, answer.value]],
  );
  return launch.type === 'stdio' ? { ...launch, env: changed } : { ...launch, headers: changed };
}

function problemOfKey(name: string, part: 'env' | 'headers'): string | undefined {
  if (part === 'env') {
    return /^[^=\s\0]+$/.test(name) && name !== '__proto__'
      ? undefined
      : 'A variable needs a name without spaces and without "=".';
  }
  return /^[\w!#$%&'*+.^`|~-]+$/.test(name) && name !== '__proto__'
    ? undefined
    : 'A header needs a name of letters, digits and hyphens.';
}

function askOne(
  frame: Frame,
  value: string,
  prompt: string,
  isRequired: boolean,
  isPassword = false,
): Promise<Prompted<string>> {
  return askText(
    { ...frame, canGoBack: true },
    {
      value,
      prompt,
      placeholder: '',
      isPassword,
      check: (typed) => (isRequired && typed === '' ? 'Enter a text, or go back.' : undefined),
    },
  );
}
