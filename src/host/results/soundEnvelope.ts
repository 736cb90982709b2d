import type { JSONRPCMessage } from '@modelcontextprotocol/client';
import { isRecord } from '../../base/values/record.ts';
import type { ProtocolEra } from '../state/connectionState.ts';
import type { Schema } from '../schemas/jsonSchema.ts';

/**
 * Members that are objects of the protocol, alone or in a list, in results, blocks of content, notifications and requests
 * of any revision. All other members are the server's own: schemas, arguments, structured content, metadata.
 */
const inner: ReadonlySet<string> = new Set(
  [
    'serverInfo icons capabilities completion task params notifications',
    'logging completions prompts resources tools tasks list cancel requests call',
    'messages content annotations resource execution toolChoice modelPreferences hints',
  ].flatMap((names) => names.split(' ')),
);
/** Members with names that the server chooses, whose values are objects of the protocol. */
const named: ReadonlySet<string> = new Set(['inputRequests']);
/** Members with names that the server chooses, whose values are its own. */
const others: ReadonlySet<string> = new Set(['experimental', 'extensions']);
/** Members whose `null` has a meaning: of a tool's result, of a log message. */
const meant: ReadonlySet<string> = new Set(['structuredContent', 'data']);
/** The members of `_meta` that the protocol knows (2026-07-28, basic: reserved names). */
const reserved = /^(progressToken$|io\.modelcontextprotocol\/)/;

/**
 * An object of the protocol without its members that are `null`, as many serializers write absent ones. A `null` with a
 * meaning in the protocol stays, and so does everything that is the server's own.
 */
export function withoutEmptyMembers<T extends Schema>(envelope: T): T {
  return mapped(envelope, soundMember) as T;
}

/** The record without members that are `null`; `except` names one whose `null` is a value. */
export function withoutNulls<T extends Readonly<Record<string, unknown>>>(record: T, except?: string): T {
  const isLeftOut = ([name, value]: readonly [string, unknown]): boolean => value === null && name !== except;
  return Object.entries(record).some(isLeftOut)
    ? (Object.fromEntries(Object.entries(record).filter((entry) => !isLeftOut(entry))) as T)
    : record;
}

/** A resource that is not there (up to 2025-11-25, server/resources), or whatever the server means by it. */
const NOT_FOUND = -32_002;

/**
 * The message with `null` as absent, and an absent `resultType` of a modern server as `complete` (2026-07-28, basic, result
 * responses: clients MUST treat it so); in legacy results `resultType` has no meaning. With `isInSteps`, for a result
 * with content or a list, `SoundMessages` does the rest.
 */
export function soundEnvelope(
  message: JSONRPCMessage,
  era: ProtocolEra | undefined,
  isInSteps: boolean,
): JSONRPCMessage {
  if ('method' in message) {
    return isRecord(message.params)
      ? { ...message, params: withoutEmptyMembers(message.params as Schema) }
      : message;
  }
  if ('error' in message) {
    const { code, message: words } = message.error;
    // With the URI in its data, the SDK would give this error another code.
    return code === NOT_FOUND ? { ...message, error: { code, message: words } } : message;
  }
  const result = typed(message.result, era);
  const isLeft = isInSteps && (era !== 'modern' || result['resultType'] === 'complete');
  return { ...message, result: isLeft ? withSoundMeta(result) : withoutEmptyMembers(result) };
}

/** Only `_meta`: the rest may be large. */
function withSoundMeta(result: Schema): Schema {
  const { _meta: meta } = result;
  const sound = soundMember('_meta', meta, result);
  return sound === meta ? result : { ...result, _meta: sound };
}

function typed(result: Schema, era: ProtocolEra | undefined): Schema {
  const { resultType } = result;
  if (era === 'modern') {
    return (resultType ?? undefined) === undefined ? { ...result, resultType: 'complete' } : result;
  }
  if (era === 'legacy' && resultType !== undefined) {
    const { resultType: _, ...rest } = result;
    return rest;
  }
  return result;
}

/** The value of a member; undefined if it is left out. */
function soundMember(name: string, value: unknown, envelope: Schema): unknown {
  if (value === null) {
    // `null` is a value in a task, but not in a request for one.
    const isMeant = meant.has(name) || (name === 'ttl' && 'taskId' in envelope);
    return isMeant ? null : undefined;
  }
  if (name === '_meta') {
    return isRecord(value) ? mapped(value, soundMeta) : value;
  }
  if (named.has(name) || others.has(name)) {
    return isRecord(value) ? mapped(value, named.has(name) ? soundNamed : soundOther) : value;
  }
  return inner.has(name) ? soundInner(value) : value;
}

function soundInner(value: unknown): unknown {
  if (Array.isArray(value)) {
    return value.map((one: unknown) => (isRecord(one) ? withoutEmptyMembers(one) : one));
  }
  return isRecord(value) ? withoutEmptyMembers(value) : value;
}

function soundMeta(name: string, value: unknown): unknown {
  if (!reserved.test(name)) {
    return value;
  }
  return value === null ? undefined : soundInner(value);
}

function soundNamed(_name: string, value: unknown): unknown {
  return value === null ? undefined : soundInner(value);
}

function soundOther(_name: string, value: unknown): unknown {
  return value === null ? undefined : value;
}

/** The record with its members mapped; the same object if nothing changes. */
function mapped(record: Schema, member: (name: string, value: unknown, record: Schema) => unknown): Schema {
  let isChanged = false;
  const entries: [string, unknown][] = [];
  for (const [name, value] of Object.entries(record)) {
    const sound = member(name, value, record);
    isChanged ||= sound !== value;
    if (sound !== undefined) {
      entries.push([name, sound]);
    }
  }
  return isChanged ? Object.fromEntries(entries) : record;
}
