import { isRecord } from '../../../base/values/record.ts';
import { parseJsonc } from '../../errors/jsonError.ts';
import { isLoaderVariable } from '../loaderVariables.ts';
import type { Decides } from './besideTable.ts';

/** What in a file of settings changes what runs. */
export interface DecidingSettings {
  /** By its name; empty where nothing does. */
  readonly names: readonly string[];
  /** The part of the file that counts; undefined if all of it does. */
  readonly part?: string;
}

/** @param bin The name of the command that a package brings. */
export function decidingSettings(text: string, decides: Decides, bin: string | undefined): DecidingSettings {
  const lines = text.split(/[\r\n]/).filter((line) => !/^\s*(?:[#;]|$)/.test(line));
  switch (decides.kind) {
    case 'all':
      return { names: [] };
    case 'paths':
      return { names: lines.some((line) => /[/\\]/.test(line)) ? ['a path'] : [] };
    case 'variables': {
      const found = lines.filter((line) => isLoaderVariable(variableName(line)));
      return { names: found.map(variableName), part: found.join('\n') };
    }
    case 'bin':
      return ofBin(text, bin ?? '');
    case 'settings':
      return { names: settingsIn(lines).filter((name) => isDeciding(name, decides.names)) };
    case 'yaml':
      return { names: yamlNames(lines).filter((name) => isDeciding(name, decides.names)) };
  }
}

/** `*:registry` is that of any scope; a setting below one that decides does, too, and so does one that is written oddly. */
function isDeciding(name: string, names: readonly string[]): boolean {
  return (
    /[\\${]/.test(name) ||
    names.some((one) =>
      one.startsWith('*') ? name.endsWith(one.slice(1)) : name === one || name.startsWith(`${one}.`),
    )
  );
}

/** Names with their sections, as `.npmrc` and TOML have them. */
function settingsIn(lines: readonly string[]): readonly string[] {
  let section = '';
  return lines.flatMap((line) => {
    const trimmed = line.trim();
    if (trimmed.startsWith('[')) {
      section = `${plainName(trimmed)}.`;
      return [];
    }
    const equals = trimmed.indexOf('=');
    const [name, value] = equals < 0 ? [trimmed, ''] : [trimmed.slice(0, equals), trimmed.slice(equals + 1)];
    // A table within a line, and a text of several lines, could hold any setting.
    const isOpen = value.trim().startsWith('{') || /"""|'''/.test(value);
    return [`${section}${plainName(name)}${isOpen ? '.{' : ''}`];
  });
}

/** The names at the top: a mapping there may be indented. */
function yamlNames(lines: readonly string[]): readonly string[] {
  const indent = indentOf(lines[0] ?? '');
  return lines
    .filter((line) => indentOf(line) <= indent)
    .flatMap((line) => {
      const trimmed = line.trim();
      if (trimmed === '---' || trimmed === '-' || trimmed.startsWith('- ')) {
        return [];
      }
      const colon = trimmed.indexOf(':');
      const name = colon < 0 ? trimmed : trimmed.slice(0, colon);
      return /^[?{&!%*|-]/.test(name) ? ['{'] : [plainName(name)];
    });
}

function indentOf(line: string): number {
  return line.length - line.trimStart().length;
}

/** Without quotes, brackets and blanks. */
function plainName(name: string): string {
  return name.replaceAll(/["'[\]\s]/g, '');
}

function variableName(line: string): string {
  const name = line.split('=', 1)[0]?.trim() ?? '';
  return name.startsWith('export ') ? name.slice('export '.length).trim() : name;
}

/** A package that brings a command itself runs its own. */
function ofBin(text: string, bin: string): DecidingSettings {
  const manifest = parseJsonc(text, []);
  const { bin: brought, name } = isRecord(manifest) ? manifest : {};
  const own = typeof name === 'string' ? name.slice(name.indexOf('/') + 1) : undefined;
  const script =
    isRecord(brought) && Object.hasOwn(brought, bin) ? brought[bin] : own === bin ? brought : undefined;
  return typeof script === 'string' ? { names: [`bin.${bin}`], part: script } : { names: [], part: '' };
}
