import { HIDDEN } from '../../base/logging/redacting.ts';
import { isRecord, type UnknownRecord } from '../../base/values/record.ts';
import type { TrafficMessage } from './trafficEntry.ts';

/** A request that a form can send again. */
export type SentAgain =
  | { readonly kind: 'tool' | 'prompt'; readonly name: string; readonly args: UnknownRecord }
  | { readonly kind: 'resource'; readonly uri: string };

const kinds: ReadonlyMap<string | undefined, 'tool' | 'prompt'> = new Map([
  ['tools/call', 'tool'],
  ['prompts/get', 'prompt'],
]);

/**
 * What would send a message again; undefined if nothing does. Arguments with something secret in them are left out, because
 * it was not recorded.
 */
export function sentAgain({ direction, is, method, json }: TrafficMessage): SentAgain | undefined {
  if (direction !== 'sent' || is !== 'request' || json === undefined) {
    return undefined;
  }
  const message: unknown = JSON.parse(json);
  const params = isRecord(message) && isRecord(message['params']) ? message['params'] : {};
  const { name, uri, arguments: given } = params;
  const kind = kinds.get(method);
  if (kind && typeof name === 'string') {
    const known = Object.entries(isRecord(given) ? given : {}).filter(
      ([, value]) => !JSON.stringify(value).includes(HIDDEN),
    );
    return { kind, name, args: Object.fromEntries(known) };
  }
  return method === 'resources/read' && typeof uri === 'string' ? { kind: 'resource', uri } : undefined;
}

/** The message that another one belongs to most closely: its response, its request, or what caused it. */
export function relatedTo({
  answer,
  relation,
}: TrafficMessage): { readonly number: number; readonly title: string } | undefined {
  if (answer !== undefined) {
    return { number: answer, title: `Go to Response ${answer}` };
  }
  const [number] = relation?.numbers ?? [];
  return number === undefined ? undefined : { number, title: `Go to Request ${number}` };
}
