import { samplingPolicies } from '../config/serverDefinition.ts';
import type { Decision } from './decision.ts';

/** The version that this code writes. */
const SCHEMA_VERSION = 1;

type Json = Readonly<Record<string, unknown>>;

/** For each older version, what makes its entry one of the next version. */
export type Migrations = Readonly<Record<number, (entry: Json) => Json>>;

const migrations: Migrations = {};

/** A decision in its file. */
export interface Entry {
  readonly decision: Decision;
  /** The entries of the same key that the person's answer was given in knowledge of: they count no more. */
  readonly over: readonly string[];
}

/** What a file holds; `newer` was written by a later version of this extension. */
export type ReadEntry =
  { readonly kind: 'entry'; readonly entry: Entry } | { readonly kind: 'newer' | 'unreadable' };

export function entryText({ decision, over }: Entry): string {
  return `${JSON.stringify({ version: SCHEMA_VERSION, over, decision }, undefined, 2)}\n`;
}

export function readEntry(text: string, steps: Migrations = migrations, current = SCHEMA_VERSION): ReadEntry {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return { kind: 'unreadable' };
  }
  if (!isObject(json) || !Number.isInteger(json['version'])) {
    return { kind: 'unreadable' };
  }
  const version = Number(json['version']);
  if (version > current) {
    return { kind: 'newer' };
  }
  let entry: Json = json;
  for (let from = version; from < current; from += 1) {
    const step = steps[from];
    if (!step) {
      return { kind: 'unreadable' };
    }
    entry = step(entry);
  }
  const { over, decision } = entry;
  return isTexts(over) && isDecision(decision)
    ? { kind: 'entry', entry: { decision, over } }
    : { kind: 'unreadable' };
}

function isDecision(value: unknown): value is Decision {
  if (!isObject(value) || !haveTexts(value, 'key', 'serverId', 'label') || typeof value['at'] !== 'number') {
    return false;
  }
  switch (value['kind']) {
    case 'launch':
      return (
        (value['answer'] === 'allow' || value['answer'] === 'deny') &&
        value['span'] === 'always' &&
        haveTexts(value, 'place', 'fingerprint') &&
        (value['completed'] === undefined || isCompleted(value['completed'])) &&
        isSnapshot(value['snapshot']) &&
        (value['files'] === undefined || areFiles(value['files']))
      );
    case 'roots':
      return (
        (value['folders'] === 'all' || isTexts(value['folders'])) &&
        isTexts(value['offered']) &&
        (value['subfolders'] === undefined || isSubfolders(value['subfolders'])) &&
        (value['realPaths'] === undefined || isTextRecord(value['realPaths']))
      );
    case 'preference':
    case 'sample':
    case 'grant':
      return true;
    case 'exposure':
      return (
        ['definition', 'all', 'none'].includes(String(value['basis'])) &&
        isTexts(value['except']) &&
        (value['newTools'] === undefined || value['newTools'] === 'offered')
      );
    case 'trust':
    case 'pinned':
      return haveTexts(value, 'fingerprint');
    case 'call':
      return (
        (value['answer'] === 'allow' || value['answer'] === 'deny') &&
        (value['span'] === 'always' || (value['span'] === 'workspace' && isTexts(value['folders']))) &&
        haveTexts(value, 'door', 'doorText', 'fingerprint') &&
        isTarget(value['target'])
      );
    case 'sampling':
      return haveTexts(value, 'fingerprint') && isPolicy(value['inCall']) && isPolicy(value['unasked']);
    default:
      return false;
  }
}

function isPolicy(value: unknown): boolean {
  return value === undefined || samplingPolicies.some((policy) => policy === value);
}

function isSnapshot(value: unknown): boolean {
  return (
    isObject(value) &&
    haveTexts(value, 'type', 'salt', 'command', 'cwd', 'envFile', 'url', 'urlHash') &&
    isTexts(value['args']) &&
    ['env', 'envFileVariables', 'headers', 'inputs'].every((field) => isTextRecord(value[field])) &&
    // Older decisions do not have them.
    ['places', 'values', 'shown'].every((field) => value[field] === undefined || isTextRecord(value[field]))
  );
}

function areFiles(value: unknown): boolean {
  return Array.isArray(value) && value.every((one) => isObject(one) && haveTexts(one, 'path', 'sha256'));
}

function isCompleted(value: unknown): boolean {
  return isObject(value) && haveTexts(value, 'fingerprint') && isTextRecord(value['given']);
}

function isSubfolders(value: unknown): boolean {
  return (
    Array.isArray(value) &&
    value.every(
      (one) => isObject(one) && haveTexts(one, 'uri', 'within') && typeof one['isShared'] === 'boolean',
    )
  );
}

function isTarget(value: unknown): boolean {
  return (
    isObject(value) &&
    ['tool', 'resource', 'prompt'].includes(String(value['kind'])) &&
    (value['name'] === undefined || haveTexts(value, 'name'))
  );
}

function isTextRecord(value: unknown): boolean {
  return isObject(value) && isTexts(Object.values(value));
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((one) => typeof one === 'string');
}

function haveTexts(value: Json, ...fields: readonly string[]): boolean {
  return fields.every((field) => typeof value[field] === 'string');
}
