import type { JSONRPCMessage, ServerCapabilities } from '@modelcontextprotocol/client';
import { cutTo } from '../../base/text/words.ts';
import { isRecord } from '../../base/values/record.ts';
import { trafficBounds } from '../json/bounds.ts';
import { excessOf } from '../json/weight.ts';
import { checkedTool } from '../results/checkedTool.ts';
import {
  checkedAs,
  checkedDeep,
  deepFault,
  type Checked,
  type SpecSchemas,
  type SpecType,
} from '../results/faults.ts';
import { blockType } from '../results/soundBlocks.ts';
import { lists } from '../results/soundList.ts';
import { textAt, type Schema } from '../schemas/jsonSchema.ts';
import type { ProtocolEra } from '../state/connectionState.ts';
import { toolAdvice } from './toolAdvice.ts';
import type { Fault } from './trafficEntry.ts';

/** What decides what a server may send. */
export interface SpokenProtocol {
  readonly schemas: SpecSchemas;
  /** Undefined until it is negotiated, as `era` is. */
  readonly revision: string | undefined;
  readonly era: ProtocolEra | undefined;
  readonly capabilities: ServerCapabilities | undefined;
}

type Found = Omit<Fault, 'revision'>;

/** The most faults of one message; another one says that there is more. */
const MOST = 20;
/** Characters of a name in a fault. */
const NAME = 60;

const resultTypes: ReadonlyMap<string, SpecType> = new Map<string, SpecType>([
  ['initialize', 'InitializeResult'],
  ['server/discover', 'DiscoverResult'],
  ['completion/complete', 'CompleteResult'],
  ['tools/call', 'CallToolResult'],
  ['prompts/get', 'GetPromptResult'],
  ['resources/read', 'ReadResourceResult'],
  ...Object.entries(lists).map(([method, { type }]): [string, SpecType] => [method, type]),
]);

const sentTypes: ReadonlyMap<string, SpecType> = new Map([
  ['ping', 'PingRequest'],
  ['roots/list', 'ListRootsRequest'],
  ['sampling/createMessage', 'CreateMessageRequest'],
  ['elicitation/create', 'ElicitRequest'],
  ['notifications/cancelled', 'CancelledNotification'],
  ['notifications/progress', 'ProgressNotification'],
  ['notifications/message', 'LoggingMessageNotification'],
  ['notifications/resources/updated', 'ResourceUpdatedNotification'],
]);

/** The members of a result that are a list, whose parts have types of their own. */
const parts: ReadonlyMap<string, { readonly field: string; readonly type: (part: unknown) => SpecType }> =
  new Map([
    ['tools/call', { field: 'content', type: blockOr('ContentBlock') }],
    ['prompts/get', { field: 'messages', type: () => 'PromptMessage' as const }],
    [
      'resources/read',
      {
        field: 'contents',
        type: (part) => (hasText(part) ? 'TextResourceContents' : 'BlobResourceContents'),
      },
    ],
    ...Object.entries(lists).map(
      ([method, { field, item }]) => [method, { field, type: () => item }] as const,
    ),
  ]);

/** What a server declares before it sends these. */
const needed: ReadonlyMap<string, (declared: ServerCapabilities) => unknown> = new Map<
  string,
  (declared: ServerCapabilities) => unknown
>([
  ['notifications/message', ({ logging }) => logging],
  ['notifications/tools/list_changed', ({ tools }) => tools?.listChanged],
  ['notifications/prompts/list_changed', ({ prompts }) => prompts?.listChanged],
  ['notifications/resources/list_changed', ({ resources }) => resources?.listChanged],
  ['notifications/resources/updated', ({ resources }) => resources?.subscribe],
]);

/**
 * What a message of a server breaks of the specification, as far as the message alone shows it, and what makes its tools hard
 * to use. `method` is its own, or that of the request which it answers.
 */
export function messageFaults(
  message: JSONRPCMessage,
  method: string | undefined,
  protocol: SpokenProtocol,
): Fault[] {
  if (method === undefined || excessOf(message, trafficBounds.checked) !== undefined) {
    return [];
  }
  const all =
    'method' in message ? sentFaults(message, method, protocol) : resultFaults(message, method, protocol);
  const faults: Fault[] = [];
  for (const fault of all) {
    const isLast = faults.length === MOST;
    faults.push({
      ...fault,
      revision: revisionOf(protocol, method),
      ...(isLast && { text: 'there is more' }),
    });
    if (isLast) {
      break;
    }
  }
  return faults;
}

/** The revision that a fault is about; before one is negotiated, the first or last one that has the method. */
export function revisionOf({ revision }: SpokenProtocol, method: string | undefined): string {
  return revision ?? (method === 'server/discover' ? '2026-07-28' : '2025-11-25');
}

/** The page of the specification that is about a method. */
export function clauseOf(method: string): string {
  const [, page] =
    clauses.find(([prefix]) => method.replace(/^notifications\//, '').startsWith(prefix)) ?? [];
  return page ?? 'basic';
}

const clauses = [
  ['initialize', 'basic/lifecycle'],
  ['server/discover', 'server/discover'],
  ['tools/', 'server/tools'],
  ['prompts/', 'server/prompts'],
  ['resources/', 'server/resources'],
  ['completion/', 'server/utilities/completion'],
  ['message', 'server/utilities/logging'],
  ['logging/', 'server/utilities/logging'],
  ['progress', 'basic/utilities/progress'],
  ['cancelled', 'basic/utilities/cancellation'],
  ['ping', 'basic/utilities/ping'],
  ['roots/', 'client/roots'],
  ['sampling/', 'client/sampling'],
  ['elicitation/', 'client/elicitation'],
] as const;

function* sentFaults(
  message: JSONRPCMessage,
  method: string,
  { schemas, era, capabilities }: SpokenProtocol,
): Generator<Found> {
  const clause = clauseOf(method);
  const type = sentTypes.get(method);
  const fault = type && faultOf(checkedDeep(schemas, type, message));
  if (fault !== undefined) {
    yield { text: fault, clause, isAdvice: false };
  }
  if ('id' in message && era === 'modern') {
    const text = "servers of this revision send no requests: they ask in the result of the client's request";
    yield { text, clause: 'basic/patterns/mrtr', isAdvice: false };
  }
  const isDeclared = needed.get(method);
  if (isDeclared && era === 'legacy' && capabilities && !isDeclared(capabilities)) {
    yield { text: 'the server has not declared that it sends this', clause, isAdvice: false };
  }
}

function* resultFaults(
  message: JSONRPCMessage,
  method: string,
  { schemas, era }: SpokenProtocol,
): Generator<Found> {
  const type = resultTypes.get(method);
  const result: unknown = 'result' in message ? message.result : undefined;
  if (!type || !isRecord(result) || isOfOtherKind(result)) {
    return;
  }
  const clause = clauseOf(method);
  if (era === 'modern' && result['resultType'] === undefined) {
    yield { text: '`resultType` is missing', clause: 'basic', isAdvice: false };
  }
  const { field, type: partType } = parts.get(method) ?? {};
  const list = field === undefined ? undefined : result[field];
  if (field !== undefined && list === undefined) {
    yield { text: `\`${field}\` is missing`, clause, isAdvice: false };
  }
  const outline = field !== undefined && Array.isArray(list) ? { ...result, [field]: [] } : result;
  const fault =
    list === undefined && field !== undefined ? undefined : faultOf(checkedDeep(schemas, type, outline));
  if (fault !== undefined) {
    const page = fault.includes('`nextCursor`') ? 'server/utilities/pagination' : clause;
    yield { text: fault, clause: page, isAdvice: false };
  }
  const names = new Set<string>();
  for (const [index, part] of (partType && Array.isArray(list) ? (list as unknown[]) : []).entries()) {
    const partFault = partType && faultOf(checkedPart(schemas, partType(part), part));
    const about = `${field}[${index}]${nameOf(part)}: `;
    if (partFault !== undefined) {
      yield { text: about + partFault, clause, isAdvice: false };
    } else if (method === 'tools/list') {
      for (const advice of toolAdvice(part as Schema)) {
        yield { text: about + advice, clause, isAdvice: true };
      }
      const { name } = part as { readonly name: string };
      if (names.has(name)) {
        yield { text: `${about}another tool has this name`, clause, isAdvice: true };
      }
      names.add(name);
    }
  }
}

/** A task, or a question of the server: it has other members. */
export function isOfOtherKind({ resultType, task }: Schema): boolean {
  return isRecord(task) || (resultType !== undefined && resultType !== 'complete');
}

function checkedPart(schemas: SpecSchemas, type: SpecType, part: unknown): Checked {
  const fault = deepFault(part);
  if (fault !== undefined) {
    return { fault };
  }
  return type === 'Tool' ? checkedTool(schemas, part) : checkedAs(schemas, type, part);
}

function faultOf(checked: Checked): string | undefined {
  return 'fault' in checked ? checked.fault : undefined;
}

function blockOr(type: SpecType): (part: unknown) => SpecType {
  return (part) => blockType(part) ?? type;
}

function hasText(part: unknown): boolean {
  return isRecord(part) && part['text'] !== undefined;
}

function nameOf(part: unknown): string {
  const name = isRecord(part) ? textAt(part, 'name') : undefined;
  return name === undefined ? '' : ` '${cutTo(name, NAME)}'`;
}
