import { isGroupId, type KnownProcess } from './processTable.ts';

/** What the host tells the guard, one line each: a group has started, or has ended completely. */
export type GuardMessage =
  | { readonly kind: 'begun'; readonly group: KnownProcess }
  | { readonly kind: 'gone'; readonly pid: number };

export function guardLineOf(message: GuardMessage): string {
  return message.kind === 'begun' ? `+ ${message.group.pid} ${message.group.start}\n` : `- ${message.pid}\n`;
}

/** Undefined for anything else: the guard ends processes, and must not guess. */
export function readGuardLine(line: string): GuardMessage | undefined {
  const [, sign, pid, start] = /^([+-]) (\d+)(?: (\d+))?$/.exec(line) ?? [];
  const leader = Number(pid);
  if (!isGroupId(leader) || (sign === '+') !== (start !== undefined)) {
    return undefined;
  }
  return sign === '+'
    ? { kind: 'begun', group: { pid: leader, start: Number(start) } }
    : { kind: 'gone', pid: leader };
}
