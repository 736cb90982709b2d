import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import { hasTexts, isRecord } from '../../base/values/record.ts';
import { isShape, isString, type Guard, type Shape } from '../../base/values/shape.ts';
import { isGroupId, type KnownProcess, type LaunchedGroup } from './processTable.ts';

/** The version that this code writes. */
const VERSION = 1;

const machineFields = {
  /** Different for another machine or container. */
  name: isString,
  /** Different after each start of the system, on systems that count the starts of processes from there. */
  boot: isString,
};

/** The machine or container to which process ids belong. */
export type Machine = Shape<typeof machineFields>;

export const isMachine: Guard<Machine> = isShape(machineFields);

/** The process groups of one extension host, as they are stored. */
export interface GroupRecord {
  readonly machine: Machine;
  readonly host: KnownProcess;
  readonly groups: readonly LaunchedGroup[];
}

export type ReadRecord =
  | { readonly kind: 'record'; readonly record: GroupRecord }
  /** Written by a later version of this extension. */
  | { readonly kind: 'newer' }
  | { readonly kind: 'unreadable' };

/** This machine. Several may share a home directory. */
export function thisMachine(): Machine {
  const space = tried(() => readlinkSync('/proc/self/ns/pid'));
  const boot = tried(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim());
  return { name: [hostname(), space].filter(Boolean).join(' '), boot };
}

export function recordText(record: GroupRecord): string {
  return `${JSON.stringify({ version: VERSION, ...record })}\n`;
}

export function readRecord(text: string): ReadRecord {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { kind: 'unreadable' };
  }
  if (!isRecord(value)) {
    return { kind: 'unreadable' };
  }
  const { version, machine, host, groups } = value;
  if (Number.isInteger(version) && Number(version) > VERSION) {
    return { kind: 'newer' };
  }
  const isSound =
    version === VERSION &&
    isMachine(machine) &&
    isKnown(host) &&
    Array.isArray(groups) &&
    groups.every(isLaunched);
  return isSound ? { kind: 'record', record: { machine, host, groups } } : { kind: 'unreadable' };
}

function isKnown(value: unknown): value is KnownProcess {
  return isRecord(value) && isGroupId(value['pid']) && Number.isSafeInteger(value['start']);
}

function isLaunched(value: unknown): value is LaunchedGroup {
  return isKnown(value) && hasTexts(value, 'mark');
}

/** Empty on a system without this file. */
function tried(read: () => string): string {
  try {
    return read();
  } catch {
    return '';
  }
}
