import type { CommandLine } from '../edit/splitCommandLine.ts';
import { mapServer, type ImportedServer } from './mapServer.ts';
import { readSnippet } from './readSnippet.ts';

/** Options that only say where the other program stores the server. */
const ownOptions = new Set(['-s', '--scope']);

/**
 * The servers that `claude mcp add …`, the same command of another program, or `code --add-mcp …` would add.
 * Undefined for any other command; an empty list if it names no server.
 */
export function fromAddCommand({ command, args }: CommandLine): readonly ImportedServer[] | undefined {
  if (/^code(-insiders)?$/.test(command)) {
    const json = args[args.indexOf('--add-mcp') + 1];
    return args.includes('--add-mcp') ? (json !== undefined && readSnippet(json)) || [] : undefined;
  }
  const [first, verb, ...rest] = args;
  if (!/^(claude|codex|gemini|qwen|amp|copilot|opencode)$/.test(command) || first !== 'mcp') {
    return undefined;
  }
  if (verb === 'add-json') {
    const [name = '', json = ''] = rest.filter((word, at) => !isOwn(word) && !isOwn(rest[at - 1]));
    return (readSnippet(json) ?? []).map((server) => named(server, name));
  }
  return verb === 'add' ? added(rest) : [];
}

function added(words: readonly string[]): readonly ImportedServer[] {
  const env: [string, string][] = [];
  const headers: [string, string][] = [];
  const positional: string[] = [];
  let type: string | undefined;
  let url: string | undefined;
  let index = 0;
  // Everything after the name and a command belongs to the command; after an address options may follow.
  const isCommandsTurn = (): boolean => positional.length >= 2 && !isAddress(positional[1]);
  for (; index < words.length && !isCommandsTurn() && words[index] !== '--'; index += 1) {
    const word = words[index] ?? '';
    const [, option = word, joined] = /^(--?[\w-]+)=([^]*)$/.exec(word) ?? [];
    const value = (): string => joined ?? words[(index += 1)] ?? '';
    if (option === '-e' || option === '--env') {
      env.push(pairOf(value(), '='));
      while (/^[A-Za-z_]\w*=/.test(words[index + 1] ?? '')) {
        index += 1;
        env.push(pairOf(words[index] ?? '', '='));
      }
    } else if (option === '-H' || option === '--header') {
      headers.push(pairOf(value(), ':'));
    } else if (option === '-t' || option === '--transport') {
      type = value();
    } else if (option === '--url') {
      url = value();
    } else if (isOwn(option)) {
      value();
    } else if (!option.startsWith('-')) {
      positional.push(word);
    }
  }
  const rest = words.slice(words[index] === '--' ? index + 1 : index);
  const [name = '', ...before] = positional;
  const [start, ...args] = [...before, ...rest];
  url ??= isAddress(start) ? start : undefined;
  if (url === undefined && start === undefined) {
    return [];
  }
  const said = type === undefined ? {} : { type };
  const value =
    url === undefined
      ? { ...said, command: start, args, env: Object.fromEntries(env) }
      : { ...said, url, headers: Object.fromEntries(headers) };
  return [mapServer(name, value, [], 'any')];
}

function isAddress(word: string | undefined): boolean {
  return /^https?:\/\//i.test(word ?? '');
}

function isOwn(word: string | undefined): boolean {
  return word !== undefined && ownOptions.has(word);
}

function pairOf(text: string, separator: string): [string, string] {
  const at = text.indexOf(separator);
  return at < 0 ? [text, ''] : [text.slice(0, at).trim(), text.slice(at + 1).trim()];
}

function named(server: ImportedServer, name: string): ImportedServer {
  return { ...server, name, ...(server.draft && { draft: { ...server.draft, name } }) };
}
