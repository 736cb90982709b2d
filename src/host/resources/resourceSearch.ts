import type { Resource, ResourceTemplateType } from '@modelcontextprotocol/client';
import { CancellationError } from '../../base/lifetime/cancellation.ts';
import { FirstOf } from '../../base/values/firstOf.ts';
import { Slices } from '../../base/time/slices.ts';
import type { ServerId } from '../config/serverDefinition.ts';
import type { ResourceAddress } from './resourceAddress.ts';
import { labelOfResource } from './resourceTree.ts';
import { queryWords, wordRank } from '../../base/text/wordRank.ts';

/** What one running server offers to read. */
export interface OfferedResources {
  readonly serverId: ServerId;
  /** The server's name as you see it. */
  readonly server: string;
  readonly resources: readonly Resource[];
  readonly templates: readonly ResourceTemplateType[];
}

interface Found {
  readonly serverId: ServerId;
  readonly server: string;
  readonly label: string;
  readonly isRecent: boolean;
}

export type FoundResource =
  | (Found & { readonly kind: 'resource'; readonly resource: Resource })
  | (Found & { readonly kind: 'template'; readonly template: ResourceTemplateType });

export interface ResourceQuery {
  readonly text: string;
  /** What was opened last, latest first, including what no server lists. */
  readonly recent: readonly ResourceAddress[];
  /** How many are returned at most. */
  readonly limit: number;
}

/** What is searched of one resource or template, lower-cased. */
interface Keys {
  /** The label that is shown: here and below, a word can begin on each line. */
  readonly label: string;
  readonly name: string;
  readonly uri: string;
  readonly description: string;
}

interface Candidate {
  readonly offered: OfferedResources;
  readonly entry: Resource | ResourceTemplateType;
  readonly keys: Keys;
  /** The place among what was opened last; Infinity for all others. */
  readonly recency: number;
}

interface Ranked extends Candidate {
  readonly rank: number;
}

/** How many characters of one text are searched: a server can send any number. */
const MAX_SEARCHED = 2_000;

/** Ranks what the running servers offer, in slices of time. */
export class ResourceSearch {
  /** By their list: a server that lists again gives a new one. */
  readonly #keys = new WeakMap<readonly unknown[], Keys[]>();

  /**
   * What contains every word of the query: first what has them in its title, name or last segment, there
   * and elsewhere rather at a beginning than in the middle; of equals what was opened last, then by label.
   * Without a query what was opened last, then all in the order of the servers.
   *
   * @throws CancellationError when the signal aborted.
   */
  async search(
    offered: readonly OfferedResources[],
    { text, recent, limit }: ResourceQuery,
    signal?: AbortSignal,
  ): Promise<readonly FoundResource[]> {
    const words = queryWords(text);
    const first = new FirstOf<Ranked>(limit, words.length === 0 ? byRecency : byRank);
    const slices = new Slices();
    for (const one of offered) {
      const server = one.server.toLowerCase();
      for (const candidate of this.#candidates(one, recent)) {
        const rank = rankOf(words, candidate.keys, server);
        if (rank !== undefined) {
          first.add({ ...candidate, rank });
        }
        if (slices.isUsedUp) {
          await slices.rest();
          if (signal?.aborted) {
            throw new CancellationError();
          }
        }
      }
    }
    return first.items.map(foundOf);
  }

  /** What one server lists, and what was opened from it without being listed. */
  *#candidates(offered: OfferedResources, recent: readonly ResourceAddress[]): Generator<Candidate> {
    const { serverId, resources, templates } = offered;
    const places = new Map<string, number>();
    recent.forEach((address, place) => {
      if (address.serverId === serverId) {
        places.set(address.uri, place);
      }
    });
    const unlisted = new Map(places);
    for (const [entry, keys] of this.#withKeys(resources)) {
      unlisted.delete(entry.uri);
      yield { offered, entry, keys, recency: places.get(entry.uri) ?? Infinity };
    }
    for (const [entry, keys] of this.#withKeys(templates)) {
      yield { offered, entry, keys, recency: Infinity };
    }
    for (const [uri, recency] of unlisted) {
      const entry = { uri, name: uri };
      yield { offered, entry, keys: keysOf(entry), recency };
    }
  }

  /** Each entry with its keys, computed when first needed. Of equal URIs the first counts. */
  *#withKeys<T extends Resource | ResourceTemplateType>(list: readonly T[]): Generator<readonly [T, Keys]> {
    const known = this.#keys.get(list) ?? [];
    this.#keys.set(list, known);
    const seen = new Set<string>();
    for (const [index, entry] of list.entries()) {
      const uri = uriOf(entry);
      if (!seen.has(uri)) {
        seen.add(uri);
        yield [entry, (known[index] ??= keysOf(entry))];
      }
    }
  }
}

function keysOf(entry: Resource | ResourceTemplateType): Keys {
  const uri = uriOf(entry);
  const segment = uri.split(/[/:]/).findLast(Boolean) ?? uri;
  const label = labelOfResource({ ...entry, uri }, segment);
  const lower = (text: string): string => text.slice(0, MAX_SEARCHED).toLowerCase();
  return {
    label: label.slice(0, MAX_SEARCHED),
    name: [label, entry.name, segment].map(lower).join('\n'),
    uri: lower(uri),
    description: lower(entry.description ?? ''),
  };
}

function uriOf(entry: Resource | ResourceTemplateType): string {
  return 'uriTemplate' in entry ? entry.uriTemplate : entry.uri;
}

/** The smaller, the better; undefined when a word is missing. */
function rankOf(
  words: readonly string[],
  { name, uri, description }: Keys,
  server: string,
): number | undefined {
  let sum = 0;
  for (const word of words) {
    const inName = wordRank(name, word);
    const elsewhere = inName === undefined ? (wordRank(uri, word) ?? wordRank(server, word)) : undefined;
    const rank = inName ?? (elsewhere === undefined ? undefined : 3 + elsewhere);
    const described = rank === undefined ? wordRank(description, word) : undefined;
    if (rank === undefined && described === undefined) {
      return undefined;
    }
    sum += rank ?? 6 + (described ?? 0);
  }
  return sum;
}

function byRecency(a: Ranked, b: Ranked): number {
  // Infinity less Infinity is not a number.
  return a.recency === b.recency ? 0 : a.recency - b.recency;
}

const { compare: compareNames } = new Intl.Collator(undefined, { numeric: true });

function byRank(a: Ranked, b: Ranked): number {
  return a.rank - b.rank || byRecency(a, b) || compareNames(a.keys.label, b.keys.label);
}

function foundOf({ offered: { serverId, server }, entry, keys: { label }, recency }: Ranked): FoundResource {
  const found = { serverId, server, label, isRecent: recency < Infinity };
  return 'uriTemplate' in entry
    ? { ...found, kind: 'template', template: entry }
    : { ...found, kind: 'resource', resource: entry };
}
