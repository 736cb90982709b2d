import { isGroupId, type LaunchedGroup } from './processTable.ts';

/** What the host tells the guard, one line each: a group has started, or has ended completely. */
export type GuardMessage =
  | { readonly kind: 'begun'; readonly group: LaunchedGroup }
  | { readonly kind: 'gone'; readonly pid: number };

export function guardLineOf(message: GuardMessage): string {
  if (message.kind === 'gone') {
    return `- ${message.pid}\n`;
  }
  const { pid, start, mark } = message.group;
  return `+ ${pid} ${start} ${mark}\n`;
}

/** Undefined for anything else: the guard ends processes, and must not guess. */
export function readGuardLine(line: string): GuardMessage | undefined {
  const [, sign, id, start, mark] = /^([+-]) (\d+)(?: (\d+) ([\da-f-]{36}))?$/.exec(line) ?? [];
  const pid = Number(id);
  if (!isGroupId(pid) || (sign === '+') !== (mark !== undefined)) {
    return undefined;
  }
  return mark === undefined
    ? { kind: 'gone', pid }
    : { kind: 'begun', group: { pid, start: Number(start), mark } };
}
