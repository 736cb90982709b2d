import type { RecordedMessage, Recording } from '../host/traffic/recording.ts';
import { targetIn } from '../host/traffic/targetIn.ts';
import { errorCodes, isJson, Peer, RpcError, type Json } from '../sample/peer.ts';

/** What a request got, in the order of the recording; after the last one, that one again. */
interface Answers {
  readonly all: Json[];
  next: number;
}

/** The members of results that are lists, by method: a recording may have begun after they were read. */
const listed: ReadonlyMap<string, string> = new Map([
  ['tools/list', 'tools'],
  ['prompts/list', 'prompts'],
  ['resources/list', 'resources'],
  ['resources/templates/list', 'resourceTemplates'],
]);
/** Requests whose result is empty, and that ask for nothing that a recording could have. */
const empty: ReadonlySet<string> = new Set(['ping', 'logging/setLevel']);
const FIRST_MODERN = '2026-07-28';

/**
 * A server that answers from a recording: a request that is in it gets what it got then, in the same order; with other
 * arguments, a tool, prompt or resource gets what was recorded for it. It sends nothing that isn't a response.
 */
export class RecordedServer {
  readonly #recording: Recording;
  readonly #peer: Peer;
  /** By method and parameters. */
  readonly #exact = new Map<string, Answers>();
  /** By method and target. */
  readonly #others = new Map<string, Answers>();

  /** `write` sends one line to the client. */
  constructor(recording: Recording, write: (line: string) => void) {
    this.#recording = recording;
    this.#peer = new Peer(write, {
      request: (method, params) => this.#answer(method, params),
      notification: () => {},
    });
    this.#learn(recording.messages);
  }

  receive(line: string): void {
    this.#peer.receive(line);
  }

  #learn(messages: readonly RecordedMessage[]): void {
    const asked = new Map<string, Json>();
    for (const { session, from, message } of messages) {
      const key = `${session} ${String(message['id'])}`;
      if (from === 'client' && typeof message['method'] === 'string') {
        asked.set(key, message);
      } else if (from === 'server' && message['method'] === undefined) {
        const { method, params } = asked.get(key) ?? {};
        asked.delete(key);
        if (typeof method === 'string') {
          const known = isJson(params) ? params : {};
          keep(this.#exact, exactKey(method, known), message);
          keep(this.#others, otherKey(method, known), message);
        }
      }
    }
  }

  #answer(method: string, params: Json): Json {
    const isPage = params['cursor'] !== undefined;
    const recorded =
      take(this.#exact.get(exactKey(method, params))) ??
      (isPage ? undefined : take(this.#others.get(otherKey(method, params))));
    const result = recorded ? outcomeOf(recorded) : this.#known(method, isPage);
    if (!result) {
      throw new RpcError(errorCodes.invalidParams, `Not in this recording: ${otherKey(method, params)}`);
    }
    const { capabilities } = result;
    return isJson(capabilities) ? { ...result, capabilities: withoutNotifications(capabilities) } : result;
  }

  /** What the recording says of the server itself. */
  #known(method: string, isPage: boolean): Json | undefined {
    const {
      server,
      revision,
      serverInfo,
      capabilities = {},
      instructions,
      lists = {},
    } = this.#recording.server;
    const isModern = revision !== undefined && revision >= FIRST_MODERN;
    const about = {
      capabilities,
      serverInfo: serverInfo ?? { name: server, version: 'recorded' },
      ...(instructions !== undefined && { instructions }),
    };
    const kind = isModern ? { resultType: 'complete' } : {};
    const fresh = { ...kind, ...(isModern && { ttlMs: 0, cacheScope: 'private' }) };
    const field = listed.get(method);
    if (field !== undefined && !isPage && Array.isArray(lists[field])) {
      return { ...fresh, [field]: lists[field] };
    }
    if (empty.has(method)) {
      return kind;
    }
    if (method === (isModern ? 'server/discover' : 'initialize') && revision !== undefined) {
      return isModern
        ? { ...fresh, supportedVersions: [revision], ...about }
        : { protocolVersion: revision, ...about };
    }
    if (method === 'server/discover' || method === 'initialize') {
      throw new RpcError(errorCodes.methodNotFound, `This server has no method '${method}'.`);
    }
    return undefined;
  }
}

/** @throws RpcError with a recorded error. */
function outcomeOf({ result, error }: Json): Json {
  if (isJson(error)) {
    throw new RpcError(Number(error['code']), String(error['message']), error['data']);
  }
  return isJson(result) ? result : {};
}

function keep(known: Map<string, Answers>, key: string, answer: Json): void {
  const answers = known.get(key) ?? { all: [], next: 0 };
  answers.all.push(answer);
  known.set(key, answers);
}

function take(answers: Answers | undefined): Json | undefined {
  if (!answers) {
    return undefined;
  }
  const answer = answers.all[answers.next];
  answers.next = Math.min(answers.next + 1, answers.all.length - 1);
  return answer;
}

function exactKey(method: string, params: Json): string {
  return `${method} ${JSON.stringify(without(params, '_meta'), inOrder)}`;
}

function otherKey(method: string, params: Json): string {
  return [method, targetIn(params) ?? []].flat().join(' ');
}

/** For `JSON.stringify`: the order of members means nothing. */
function inOrder(_name: string, value: unknown): unknown {
  return isJson(value)
    ? Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
    : value;
}

/** What a server declares, without what it would send later. */
function withoutNotifications(capabilities: Json): Json {
  const kept = Object.entries(without(capabilities, 'logging', 'tasks'));
  return Object.fromEntries(
    kept.map(([name, value]) => [name, isJson(value) ? without(value, 'listChanged', 'subscribe') : value]),
  );
}

function without(value: Json, ...names: readonly string[]): Json {
  return Object.fromEntries(Object.entries(value).filter(([name]) => !names.includes(name)));
}
