import { isServerAddress } from '../../addresses/serverAddress.ts';
import type { ParseError } from 'jsonc-parser';
import { jsonErrorText, parseJsonc } from '../../errors/jsonError.ts';
import { pastedText } from '../../json/bounds.ts';
import { textFault } from '../../json/textFault.ts';
import { launchLabel } from '../edit/secrets.ts';
import { splitCommandLine } from '../edit/splitCommandLine.ts';
import { runners } from '../edit/suggestName.ts';
import type { WrittenLaunch } from '../serverDefinition.ts';
import { fromAddCommand } from './addCommand.ts';
import type { ImportedServer } from './mapServer.ts';
import { readSnippet } from './readSnippet.ts';

/** One way to understand a text. */
export interface Reading {
  /** Such as `Run a program`. */
  readonly what: string;
  /** Such as `npx -y @scope/server`. */
  readonly line: string;
  /** Each has a draft; its name is empty if the text has none. */
  readonly servers: readonly ImportedServer[];
}

/** What a text can mean, the most likely first, or a sentence that says what is wrong with it. */
export type Understood = { readonly readings: readonly Reading[] } | { readonly problem: string };

export const expected = 'Enter a command line, an address, the name of a package, or JSON.';

/**
 * Understands a command line, an address, a snippet of JSON, the name of a package, or the command with which another
 * program adds a server. It looks nothing up.
 */
export function understand(typed: string, platform: NodeJS.Platform): Understood {
  const fault = textFault(typed, pastedText);
  if (fault) {
    return { problem: `This text ${fault.reason}.` };
  }
  const text = unwrapped(typed);
  if (text === '') {
    return { problem: expected };
  }
  return (
    fromJson(text) ??
    fromAddress(text) ??
    fromInstall(text) ??
    fromName(text) ??
    fromCommandLine(text, platform)
  );
}

/** The text without a code fence, a prompt, and backslashes at line ends. */
function unwrapped(typed: string): string {
  const [, inner] =
    /^```(?:(?:json[c5]?|bash|sh|shell|zsh|console|text|powershell|cmd)\b)?([^]*?)(?:```)?$/.exec(
      typed.trim(),
    ) ?? [undefined, typed];
  const text = (inner ?? '').trim().replace(/^`([^`]+)`$/, '$1');
  // An input box of one line turns a line end into a space.
  return text.startsWith('{') || text.startsWith('"') ? text : text.replaceAll(/(?<=\s)\\\s+(?=\S)/g, ' ');
}

function fromJson(text: string): Understood | undefined {
  const servers = readSnippet(text);
  if (servers) {
    return ofServers(servers, 'from JSON');
  }
  if (!text.startsWith('{') && !/^"[^"]*"\s*:/.test(text)) {
    return undefined;
  }
  const errors: ParseError[] = [];
  const whole = text.startsWith('{') ? text : `{${text}}`;
  parseJsonc(whole, errors);
  const [first] = errors;
  return {
    problem: first
      ? `This is not valid JSON: ${jsonErrorText(first)} ${placeText(whole, first.offset)}.`
      : 'This is JSON, but not a definition of a server with "command" or "url".',
  };
}

function placeText(text: string, offset: number): string {
  const rest = text.slice(offset).trim();
  return rest === '' ? 'at its end' : `at '${rest.slice(0, 20)}'`;
}

function ofServers(servers: readonly ImportedServer[], where: string): Understood {
  const usable = servers.filter(({ draft }) => draft);
  const [first] = usable;
  if (!first?.draft) {
    return { problem: [...new Set(servers.flatMap(({ notes }) => notes))].join(' ') };
  }
  const rows = usable.map((server): Reading => {
    const { name, draft } = server;
    const line = draft ? launchLabel(draft.launch) : '';
    return { what: `${name === '' ? 'Server' : `Server '${name}'`} ${where}`, line, servers: [server] };
  });
  const all = usable.map(({ name }) => name).join(', ');
  return {
    readings:
      usable.length === 1
        ? rows
        : [{ what: `${usable.length} servers ${where}`, line: all, servers: usable }, ...rows],
  };
}

function fromAddress(text: string): Understood | undefined {
  const [scheme] = /^[a-z][a-z\d+.-]*:\/\//i.exec(text) ?? [];
  if (scheme !== undefined) {
    if (!/^(?:https?|unix|pipe):/i.test(scheme)) {
      return {
        problem: `Addresses that begin with ${scheme} are not supported: use https:// or http://.`,
      };
    }
    return isServerAddress(text) && !/\s/.test(text)
      ? { readings: [connect(text)] }
      : { problem: 'This address is not complete.' };
  }
  if (
    !/^(localhost|\d{1,3}(\.\d{1,3}){3}|\[[\da-f:]+\]|([a-z\d-]+\.)+[a-z]{2,})(:\d+)?([/?#]\S*)?$/i.test(
      text,
    ) ||
    /^[^/?#:]+\.([cm]?[jt]s|py|sh|exe|cmd|bat|jar|rb|json)$/i.test(text)
  ) {
    return undefined;
  }
  const isLocal = /^(localhost|127\.|\[::1\])/i.test(text);
  const reading = connect(`${isLocal ? 'http' : 'https'}://${text}`);
  const isPlain = /^[^/?#:]+$/.test(text) && !isLocal && !/^\d/.test(text);
  return { readings: [reading, ...(isPlain ? packages(text) : [])] };
}

function connect(url: string): Reading {
  const launch: WrittenLaunch = { type: 'http', url, headers: {} };
  return { what: 'Connect to', line: launchLabel(launch), servers: [unnamed(launch)] };
}

/** `npm install -g x` installs the package of the server. */
function fromInstall(text: string): Understood | undefined {
  const [, npm] =
    /^(?:npm|pnpm|yarn|bun)\s+(?:install|i|add|global add)(?:\s+-g|\s+--global)?\s+(\S+)$/.exec(text) ?? [];
  const [, pip] =
    /^(?:pip3?|pipx|uv\s+tool|uv\s+pip|python3?\s+-m\s+pip)\s+install\s+(\S+)$/.exec(text) ?? [];
  return npm !== undefined
    ? { readings: [npmPackage(npm)] }
    : pip === undefined
      ? undefined
      : { readings: [pypiPackage(pip)] };
}

function fromName(text: string): Understood | undefined {
  if (/^@[\w.-]+\/[\w.-]+(@[\w.^~-]+)?$/.test(text)) {
    return { readings: [npmPackage(text)] };
  }
  if (!/^[a-z\d][\w.-]*(\[[\w,-]+\])?((@|==)[\w.^~-]+)?$/i.test(text)) {
    return undefined;
  }
  if (runners.test(text.toLowerCase())) {
    return { problem: `'${text}' also needs the name of what to run, such as: npx -y @scope/server` };
  }
  return { readings: packages(text) };
}

/** One row for each registry, because a name alone does not say which one it is in. */
function packages(name: string): readonly Reading[] {
  if (/==|\[/.test(name)) {
    return [pypiPackage(name)];
  }
  return [
    npmPackage(name),
    pypiPackage(name),
    ...(name.includes('@') ? [] : [program({ type: 'stdio', command: name, args: [], env: {} })]),
  ];
}

function npmPackage(name: string): Reading {
  return {
    what: 'npm package',
    line: `${name} — npx -y ${name}`,
    servers: [unnamed({ type: 'stdio', command: 'npx', args: ['-y', name], env: {} })],
  };
}

function pypiPackage(name: string): Reading {
  return {
    what: 'PyPI package',
    line: `${name} — uvx ${name}`,
    servers: [unnamed({ type: 'stdio', command: 'uvx', args: [name], env: {} })],
  };
}

function fromCommandLine(text: string, platform: NodeJS.Platform): Understood {
  const result = splitCommandLine(text, platform);
  if ('problem' in result) {
    return result;
  }
  const { command, args, env } = result.line;
  const added = fromAddCommand(result.line);
  if (added === undefined) {
    return { readings: [program({ type: 'stdio', command, args, env })] };
  }
  return added.length > 0
    ? ofServers(added, `from '${command}'`)
    : { problem: `This command of '${command}' names no server with a command or an address.` };
}

function program(launch: WrittenLaunch): Reading {
  return { what: 'Run a program', line: launchLabel(launch), servers: [unnamed(launch)] };
}

function unnamed(launch: WrittenLaunch): ImportedServer {
  return { name: '', draft: { name: '', launch, inputs: [], values: new Map() }, notes: [] };
}
