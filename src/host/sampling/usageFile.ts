import { readFile } from 'node:fs/promises';
import { isRecord } from '../../base/record.ts';
import type { ServerId } from '../config/serverDefinition.ts';

/** Requests of a server that reached a model, and the tokens that they took, estimated. */
export interface Usage {
  readonly requests: number;
  readonly tokens: number;
}

const NAME = /^(?<day>\d{4}-\d{2}-\d{2})-[0-9a-f-]{36}\.json(?<rest>(?:\..{1,50})?\.tmp)?$/;

/** The day of a moment where the person is, such as `2026-07-28`; days are in order as texts. */
export function dayOf(time: number): string {
  const date = new Date(time);
  const [month, day] = [date.getMonth() + 1, date.getDate()].map((part) => String(part).padStart(2, '0'));
  return `${date.getFullYear()}-${month}-${day}`;
}

/** The name of the file of one window for one day. */
export function fileOf(day: string, window: string): string {
  return `${day}-${window}.json`;
}

/** What a file's name says of it; undefined for one that has nothing to do with this. */
export function dayOfFile(name: string): { readonly day: string; readonly isComplete: boolean } | undefined {
  const groups = NAME.exec(name)?.groups;
  return groups && { day: groups['day'] ?? '', isComplete: groups['rest'] === undefined };
}

export function usageText(usage: ReadonlyMap<ServerId, Usage>): string {
  return `${JSON.stringify(Object.fromEntries(usage))}\n`;
}

/** @throws when it cannot be read, or holds something else. */
export async function readUsage(file: string): Promise<ReadonlyMap<ServerId, Usage>> {
  const value: unknown = JSON.parse(await readFile(file, 'utf8'));
  if (!isRecord(value)) {
    throw new Error('the file holds no record');
  }
  return new Map(Object.entries(value).map(([serverId, used]) => [serverId, usageOf(used)]));
}

function usageOf(value: unknown): Usage {
  const { requests, tokens } = isRecord(value) ? value : {};
  if (!isAmount(requests) || !isAmount(tokens)) {
    throw new Error('the file holds something that is no amount');
  }
  return { requests, tokens };
}

function isAmount(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0;
}
