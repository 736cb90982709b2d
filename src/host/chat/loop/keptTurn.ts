import { hasTexts, isRecord } from '../../../base/values/record.ts';
import type { ServerId } from '../../config/serverDefinition.ts';
import type { SamplingMessage } from '../../sampling/request/samplingRequest.ts';
import { messagesOf, type DoneCall, type Round } from './chatLoop.ts';
import { uniqueId } from './modelAnswer.ts';
import { callInput } from '../chatInput.ts';
import type { OfferedCall, OfferedTool, UsedTool } from './toolOffer.ts';

/** Characters of what is kept of one request, and of one result in it. */
const MAX_KEPT = 100_000;
const MAX_RESULT = 20_000;
const MAX_TEXT = 20_000;

/** Earlier requests of a chat that a model gets. */
const MAX_TURNS = 20;

const CUT = '… (cut)';

/** A call of a server's tool, or a read of one of its resources. */
type KeptTarget =
  | (OfferedCall & { readonly kind: 'tool' })
  | { readonly kind: 'read'; readonly serverId: ServerId };

/** What is kept of one call: texts only. */
interface KeptCall {
  readonly id: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly target: KeptTarget;
  readonly isError: boolean;
  readonly result: string;
}

/** What is kept of a request for the next one, as JSON. */
interface KeptTurn {
  readonly version: 1;
  readonly rounds: readonly { readonly text: string; readonly calls: readonly KeptCall[] }[];
}

/** A server that is available to chat. */
export interface ChatServer {
  readonly id: ServerId;
  /** The name by which models call it. */
  readonly label: string;
}

/** An earlier request of the chat. */
export interface PastTurn {
  readonly prompt: string;
  /** As `keptTurn` made it, or anything else. */
  readonly kept: unknown;
  /** The answer as a text, for what was kept by another version. */
  readonly answer: string;
}

/**
 * What is kept of the rounds: their texts and calls, the results cut, and if it is too much, only the latest rounds.
 * Calls that were not made aren't kept, nor what was found by a search: the next request offers other tools.
 */
export function keptTurn(rounds: readonly Round[], servers: readonly ChatServer[]): KeptTurn {
  const kept = rounds.map(({ text, calls }) => ({
    text: cut(text, MAX_TEXT),
    calls: calls.flatMap((call) => keptCall(call, servers)),
  }));
  let size = 0;
  const first = kept.findLastIndex((round) => {
    size += JSON.stringify(round).length;
    return size > MAX_KEPT;
  });
  return { version: 1, rounds: kept.slice(first + 1) };
}

/** The tools that were called in earlier requests, latest first. */
export function usedTools(past: readonly PastTurn[]): readonly UsedTool[] {
  return past
    .flatMap(({ kept }) => readKept(kept)?.rounds ?? [])
    .flatMap(({ calls }) => calls.flatMap(({ target }) => (target.kind === 'tool' ? [target] : [])))
    .toReversed();
}

/**
 * Earlier requests as messages, oldest first. A call is among them only if its tool is offered now: of a server that
 * you have withdrawn, no model gets a result again. `ids` gets the ids of the calls.
 */
export function pastMessages(
  past: readonly PastTurn[],
  offered: readonly OfferedTool[],
  servers: readonly ChatServer[],
  ids: Set<string>,
): readonly (readonly SamplingMessage[])[] {
  return past.slice(-MAX_TURNS).map(({ prompt, kept, answer }) => {
    const rounds = readKept(kept)?.rounds.map(({ text, calls }) => ({
      text,
      calls: calls.flatMap((call) => doneCall(call, offered, servers, ids)),
    }));
    return [
      {
        role: 'user' as const,
        content: [{ kind: 'text' as const, text: prompt === '' ? '(empty)' : prompt }],
      },
      ...(rounds ?? [{ text: cut(answer, MAX_TEXT), calls: [] }]).flatMap(messagesOf),
    ];
  });
}

function keptCall(call: DoneCall, servers: readonly ChatServer[]): readonly KeptCall[] {
  const { id, result } = call;
  const made = madeCall(call, servers);
  if (!made || JSON.stringify(made.input).length > MAX_TEXT) {
    return [];
  }
  const text = result.content.map((one) => (one.kind === 'text' ? one.text : '(an image)')).join('\n');
  return [{ id, ...made, isError: result.isError, result: cut(text, MAX_RESULT) }];
}

/** Which tool was called in the end, and with what. */
function madeCall(
  { target, input = {} }: DoneCall,
  servers: readonly ChatServer[],
): Pick<KeptCall, 'target' | 'input'> | undefined {
  const server = servers.find(({ label }) => label === input['server']);
  switch (target?.kind) {
    case 'tool':
      return { target, input };
    case 'read':
      return server && { target: { kind: 'read', serverId: server.id }, input };
    case 'call': {
      const read = callInput(input);
      return read.kind === 'input' && server
        ? {
            target: { kind: 'tool', serverId: server.id, server: server.label, tool: read.input.tool },
            input: read.input.args,
          }
        : undefined;
    }
    case 'find':
    case undefined:
      return undefined;
  }
}

function doneCall(
  call: KeptCall,
  offered: readonly OfferedTool[],
  servers: readonly ChatServer[],
  ids: Set<string>,
): readonly DoneCall[] {
  const { id, input, target, isError, result } = call;
  const tool = servers.some((server) => server.id === target.serverId)
    ? offered.find((one) => isSame(one.target, target))
    : undefined;
  return tool
    ? [
        {
          id: uniqueId(id, ids),
          name: tool.name,
          input,
          target: tool.target,
          result: { isError, content: [{ kind: 'text', text: result }] },
        },
      ]
    : [];
}

function isSame(one: OfferedCall, other: KeptTarget): boolean {
  return one.kind === 'tool' && other.kind === 'tool'
    ? one.serverId === other.serverId && one.tool === other.tool
    : one.kind === other.kind;
}

/** Undefined for anything else: the editor keeps it with the chat, over versions of this extension. */
function readKept(value: unknown): KeptTurn | undefined {
  const rounds = isRecord(value) && value['version'] === 1 ? value['rounds'] : undefined;
  const isKept =
    Array.isArray(rounds) &&
    rounds.every(
      (round: unknown) =>
        hasTexts(round, 'text') && Array.isArray(round['calls']) && round['calls'].every(isCall),
    );
  return isKept ? (value as KeptTurn) : undefined;
}

function isCall(value: unknown): boolean {
  return (
    hasTexts(value, 'id', 'result') &&
    isRecord(value['input']) &&
    typeof value['isError'] === 'boolean' &&
    hasTexts(value['target'], 'kind', 'serverId') &&
    (value['target'].kind === 'read' || hasTexts(value['target'], 'server', 'tool'))
  );
}

function cut(text: string, limit: number): string {
  return text.length > limit ? `${text.slice(0, limit - CUT.length)}${CUT}` : text;
}
