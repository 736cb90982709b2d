import { isDeepStrictEqual } from 'node:util';
import type { Event } from '../../base/lifetime/event.ts';
import { consistsOf } from '../../base/text/consistsOf.ts';
import { isRecord, isTexts } from '../../base/values/record.ts';
import { HostError } from '../errors/hostError.ts';

/** The editor's settings that decide which servers may run: the default, and the version 1.x that has it first. */
export const ruleSettings = {
  'chat.mcp.access': { preset: 'all', since: 99 },
  'chat.mcp.allowedServers': { preset: null, since: 130 },
  'chat.mcp.deniedServers': { preset: null, since: 130 },
  'chat.mcp.allowManagedServersOnly': { preset: false, since: 132 },
} as const;

export type RuleSetting = keyof typeof ruleSettings;

/** One of these settings as the editor reports it. No stable API reports what your organization sets. */
export interface ReportedSetting {
  /** The value that applies: that of your organization, if it sets one. */
  readonly value: unknown;
  /** The values in your files and in those of the workspace. */
  readonly layers: readonly unknown[];
}

/** Which servers may run, by the editor's settings. */
export interface ServerRules {
  readonly access: 'all' | 'registry' | 'none';
  /** Each of these lists must have an entry; without a list, all may run that aren't denied. */
  readonly allowed: readonly (readonly Entry[])[];
  /** Nothing may run, because only what your organization lists may, and it lists nothing. */
  readonly lacksList: boolean;
  readonly denied: readonly Entry[];
  /** The settings whose value is in no file of yours. */
  readonly managed: ReadonlySet<RuleSetting>;
}

export interface RulesSource {
  readonly now: ServerRules;
  readonly onDidChange: Event<void>;
}

/** The address of a server, or its command with all arguments. */
type Target = string | readonly string[];

/** A server as the rules compare it. */
export interface RuledServer {
  /** As it is defined. */
  readonly name: string;
  readonly written: Target;
  /** With its variables filled in; undefined while one of them isn't known. */
  readonly filled: Target | undefined;
}

/** An entry of a list: it matches a server's name, its address or its command. */
interface Entry {
  readonly about: 'name' | 'address' | 'command';
  matches(name: string, target: Target | undefined): boolean;
}

/** The rules of these settings; `report` returns undefined for one that the build doesn't know, which is no rule. */
export function readRules(report: (setting: RuleSetting) => ReportedSetting | undefined): ServerRules {
  const reported = (setting: RuleSetting): ReportedSetting =>
    report(setting) ?? { value: undefined, layers: [] };
  // A workspace can set these, but not loosen them.
  const levels = everywhere(reported('chat.mcp.access'));
  const access = (['none', 'registry'] as const).find((level) => levels.includes(level)) ?? 'all';
  const allowed = reported('chat.mcp.allowedServers');
  const isManaged = (setting: RuleSetting): boolean => {
    const { value, layers } = reported(setting);
    const known = [undefined, ruleSettings[setting].preset, ...layers];
    return !known.some((one) => isDeepStrictEqual(one, value));
  };
  const lists = isManaged('chat.mcp.allowedServers') ? [allowed.value] : everywhere(allowed);
  const isManagedOnly = everywhere(reported('chat.mcp.allowManagedServersOnly')).includes(true);
  return {
    access,
    allowed: lists.filter((list) => Array.isArray(list)).map(entriesOf),
    lacksList: isManagedOnly && !Array.isArray(allowed.value),
    denied: everywhere(reported('chat.mcp.deniedServers')).flatMap(entriesOf),
    managed: new Set((Object.keys(ruleSettings) as RuleSetting[]).filter(isManaged)),
  };
}

function everywhere({ value, layers }: ReportedSetting): readonly unknown[] {
  return [value, ...layers];
}

/**
 * Why a server may not run; undefined if it may. One that is allowed by its command or its address alone may go on until
 * all its variables are filled in.
 */
export function refusalBy(rules: ServerRules, { name, written, filled }: RuledServer): HostError | undefined {
  const { access, allowed, lacksList, denied } = rules;
  if (access !== 'all') {
    const what = access === 'none' ? 'turns off MCP servers' : 'lets only servers of a registry run';
    return refusal(rules, 'chat.mcp.access', what);
  }
  if (denied.some((entry) => entry.matches(name, written) || entry.matches(name, filled))) {
    return refusal(rules, 'chat.mcp.deniedServers', 'has an entry for it');
  }
  if (lacksList) {
    const what = 'lets only servers run that your organization lists, and it lists none';
    return refusal(rules, 'chat.mcp.allowManagedServersOnly', what);
  }
  const kind = typeof written === 'string' ? 'address' : 'command';
  const mayMatch = (entry: Entry): boolean =>
    entry.matches(name, filled) || (filled === undefined && entry.about === kind);
  return allowed.every((list) => list.some(mayMatch))
    ? undefined
    : refusal(rules, 'chat.mcp.allowedServers', 'has no entry for it');
}

function refusal({ managed }: ServerRules, setting: RuleSetting, what: string): HostError {
  const isManaged = managed.has(setting);
  const [owner, by] = isManaged ? [' of your organization', `your organization (${setting})`] : ['', setting];
  return new HostError('forbidden', `the setting ${setting}${owner} ${what}`, {
    word: `not allowed by ${by}`,
    ...(!isManaged && { setting }),
  });
}

/** The valid entries of a list: exactly one of the three fields, and not empty. */
function entriesOf(list: unknown): readonly Entry[] {
  return Array.isArray(list) ? list.flatMap(entryOf) : [];
}

function entryOf(entry: unknown): readonly Entry[] {
  const { serverName, serverUrl, serverCommand } = isRecord(entry) ? entry : {};
  const found: Entry[] = [];
  if (typeof serverName === 'string' && serverName !== '') {
    found.push({ about: 'name', matches: (name) => name === serverName });
  }
  if (typeof serverUrl === 'string' && serverUrl !== '') {
    const fits = addressPattern(serverUrl);
    found.push({ about: 'address', matches: (_name, target) => typeof target === 'string' && fits(target) });
  }
  if (isTexts(serverCommand) && serverCommand.length > 0) {
    found.push({ about: 'command', matches: (_name, target) => isDeepStrictEqual(target, serverCommand) });
  }
  return found.length === 1 ? found : [];
}

/**
 * Compares whole addresses, without case, as requests go to them: without what is before an `@`, the port that the scheme
 * implies, and what follows a `#`. `*` matches any text, but before the path no `/`; `:*` matches any port or none.
 */
function addressPattern(written: string): (address: string) => boolean {
  if (!written.includes('*')) {
    const only = URL.parse(written);
    return (address) => only !== null && partsOf(address)?.join('') === partsOf(only.href)?.join('');
  }
  const text = written.toLowerCase().replaceAll('\\', '/');
  const begin = text.indexOf('://') < 0 ? 0 : text.indexOf('://') + 3;
  const scheme = text.slice(0, begin);
  const [whole = ''] = text.slice(begin).split('#');
  const end = whole.search(/[/?]/);
  const [authority, rest] = end < 0 ? [whole, ''] : [whole.slice(0, end), whole.slice(end)];
  const implied = { 'http://': ':80', 'https://': ':443' }[scheme];
  const place = authority.slice(authority.lastIndexOf('@') + 1);
  const hasPort = implied !== undefined && place.endsWith(implied);
  const host = hasPort ? place.slice(0, -implied.length) : place;
  const pieces = [scheme, host, rest.startsWith('/') ? rest : `/${rest}`].map((part) => part.split('*'));
  const withoutPort = host.endsWith(':*') ? host.slice(0, -2).split('*') : undefined;
  return (address) =>
    partsOf(address)?.every(
      (part, index) =>
        consistsOf(part, pieces[index] ?? []) ||
        (index === 1 && withoutPort !== undefined && consistsOf(part, withoutPort)),
    ) === true;
}

/** The scheme, the host with its port, and the path with its query. */
function partsOf(address: string): readonly string[] | undefined {
  const url = URL.parse(address.toLowerCase());
  return url === null ? undefined : [`${url.protocol}//`, url.host, url.pathname + url.search];
}
