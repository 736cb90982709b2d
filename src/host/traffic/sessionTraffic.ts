import type { FetchLike, JSONRPCMessage, RequestId } from '@modelcontextprotocol/client';
import type { Disposable } from '../../base/lifetime/disposable.ts';
import { HIDDEN, redacted } from '../../base/logging/redacting.ts';
import { plainLine } from '../../base/text/plainLine.ts';
import { cutTo } from '../../base/text/words.ts';
import { Ration } from '../../base/time/ration.ts';
import { isRecord, type UnknownRecord } from '../../base/values/record.ts';
import { messageOf } from '../errors/hostError.ts';
import { logBounds, textBounds, trafficBounds } from '../json/bounds.ts';
import { withoutTaskIds } from '../json/taskIds.ts';
import { isOver, weightOf } from '../json/weight.ts';
import { exchangeOf, exchangeText } from './httpExchange.ts';
import { clauseOf, isOfOtherKind, messageFaults, revisionOf, type SpokenProtocol } from './messageFaults.ts';
import type { Fault, Relation, TrafficMessage, TrafficNote } from './trafficEntry.ts';
import { targetIn } from './targetIn.ts';
import type { TrafficRecorder } from './trafficRecorder.ts';

/** Requests that stay open for as long as a session, or that servers answer without doing anything. */
const neverACause: ReadonlySet<string | undefined> = new Set(['ping', 'subscriptions/listen']);

/** Messages that may be posted at the same time. */
const POSTED_AT_ONCE = 50;

/** What a session goes over. */
interface SessionTransport {
  /** As the specification has it. */
  readonly name: string;
  /** The ID of the session at the server, which is secret; undefined without one. */
  readonly sessionId: string | undefined;
}

/** What a session speaks. */
export interface SessionProtocol {
  readonly spoken: () => SpokenProtocol;
  /** Why the result of a call doesn't match what its tool declares, as a clause; undefined if it does. */
  readonly outputFault: (tool: string, result: UnknownRecord) => Promise<string | undefined>;
}

/** Records what goes over the wire in one session: which response is for which request is known within a session only. */
export class SessionTraffic implements Disposable {
  readonly #recorder: TrafficRecorder;
  readonly #session: number;
  /** By direction and ID: some servers answer 7 with "7". */
  readonly #requests = new Map<string, TrafficMessage>();
  /** What was sent, has no response yet, and may be why the server asks for something. */
  readonly #open = new Set<TrafficMessage>();
  /** By the token of the request: the last progress that the server has reported. */
  readonly #progress = new Map<string, number>();
  /** What was sent and not posted yet, by its JSON. */
  readonly #unposted = new Map<string, TrafficMessage>();
  readonly #printed: Ration;
  #isPosted = false;
  #transport: SessionTransport | undefined;
  #protocol: SessionProtocol | undefined;
  #stretch = 0;
  #isEnded = false;

  constructor(recorder: TrafficRecorder) {
    this.#recorder = recorder;
    this.#session = recorder.nextSession();
    this.#printed = new Ration({ most: logBounds.linesPerSecond, stretchMs: 1_000 }, (count) =>
      this.#note('stderr', `${count} more lines within the same second were left out.`),
    );
  }

  /** Call with each message; `cancelled` aborts when the end of its stream cancels a request without a message. */
  sent(message: JSONRPCMessage, cancelled?: AbortSignal): void {
    const entry = this.#message('sent', message);
    if (entry?.is === 'request') {
      cancelled?.addEventListener('abort', () => this.#cancelledWithout(entry), { once: true });
    }
  }

  /** `within` is the ID of the request on whose stream the message came. */
  received(message: JSONRPCMessage, within?: RequestId): void {
    this.#message('received', message, within);
  }

  /** Call when a message did not reach the server, or can't get a response. */
  failed(message: JSONRPCMessage, error: unknown): void {
    const request = this.#isOn && 'id' in message && this.#requests.get(keyOf('sent', message.id));
    if (request && request.answer === undefined && !request.isCancelled) {
      this.#open.delete(request);
      this.#note('session', `${request.number} has no response: ${messageOf(error)}`, true);
    }
  }

  /** Call before the first message; without `protocol`, faults aren't looked for. */
  begins(transport: SessionTransport, protocol?: SessionProtocol): void {
    this.#transport = transport;
    this.#protocol = protocol;
    if (this.#isOn) {
      this.#note('session', `Connecting over ${transport.name}.`);
    }
  }

  /** Call with lines that a process printed. To stdout it must write nothing but messages. */
  printed(to: 'stderr' | 'stdout', lines: readonly string[]): void {
    if (this.#isOn) {
      lines.forEach((line) => this.#printed.take() && this.#note(to, plainLine(line), to === 'stdout'));
    }
  }

  /** The same `fetch`, whose requests are recorded. */
  watching(fetch: FetchLike): FetchLike {
    this.#isPosted = true;
    return async (url, init = {}) => {
      if (!this.#isOn) {
        return fetch(url, init);
      }
      const began = performance.now();
      try {
        const response = await fetch(url, init);
        this.#exchanged(String(url), init, began, response);
        return response;
      } catch (error) {
        this.#exchanged(String(url), init, began, error);
        throw error;
      }
    };
  }

  /** Call when the session has ended. */
  dispose(): void {
    this.#printed.dispose();
    if (this.#isOn && !this.#isEnded) {
      const numbers = [...this.#open].map(({ number }) => number).join(', ');
      this.#note('session', `The session has ended${numbers && `; without a response: ${numbers}`}.`);
    }
    this.#isEnded = true;
  }

  /** What was sent before the recording began again is no longer a possible cause. */
  get #isOn(): boolean {
    const { isOn, stretch } = this.#recorder;
    if (isOn && this.#stretch !== stretch) {
      this.#stretch = stretch;
      [this.#requests, this.#open, this.#unposted, this.#progress].forEach((known) => known.clear());
    }
    return isOn;
  }

  get #secrets(): readonly string[] {
    return [...this.#recorder.secrets, this.#transport?.sessionId ?? ''];
  }

  #message(
    direction: TrafficMessage['direction'],
    message: JSONRPCMessage,
    within?: RequestId,
  ): TrafficMessage | undefined {
    if (!this.#isOn) {
      return undefined;
    }
    const whole = textOf(message);
    const secrets = this.#secrets;
    const own = partsOf(message, secrets);
    const request =
      own.is === 'result' || own.is === 'error' ? this.#answered(direction, message) : undefined;
    const method = own.method ?? request?.method;
    const entry = this.#recorder.add<TrafficMessage>({
      kind: 'message',
      session: this.#session,
      direction,
      ...own,
      method,
      target: own.target ?? request?.target,
      json: whole === undefined ? undefined : redactedJson(keptText(message, whole), secrets),
      bytes: whole === undefined ? 0 : Buffer.byteLength(whole),
      relation: request
        ? { as: 'for', numbers: [request.number] }
        : this.#relation(direction, message, within),
      ms: request && Date.now() - request.at,
      note: request && noteOn(request),
      faults: direction === 'received' && whole !== undefined ? this.#faults(message, method, request) : [],
    });
    if (direction === 'received' && method === 'tools/call' && request?.target !== undefined) {
      void this.#checkOutput(entry, request.target, message);
    }
    if (request) {
      request.answer ??= entry.number;
      this.#open.delete(request);
    } else if (entry.is === 'request') {
      this.#keep(keyOf(direction, 'id' in message ? message.id : undefined), entry);
    }
    if (direction === 'sent' && whole !== undefined && this.#isPosted) {
      this.#unposted.set(whole, entry);
      dropOldest(this.#unposted, POSTED_AT_ONCE);
    }
    return entry;
  }

  #faults(message: JSONRPCMessage, method: string | undefined, request: TrafficMessage | undefined): Fault[] {
    const spoken = this.#protocol?.spoken();
    if (!spoken) {
      return [];
    }
    const revision = revisionOf(spoken, method);
    const clause = clauseOf(method ?? '');
    const inTurn = 'method' in message ? this.#outOfTurn(message) : request && noteOn(request);
    return [
      ...(inTurn === undefined
        ? []
        : [{ text: inTurn, clause, revision, isAdvice: request?.isCancelled === true }]),
      ...messageFaults(message, method, spoken),
    ].map((fault) => this.#fitToShow(fault));
  }

  /** What a message breaks that came before. */
  #outOfTurn(message: JSONRPCMessage): string | undefined {
    if ('id' in message) {
      const { number } = this.#requests.get(keyOf('received', message.id)) ?? {};
      return number === undefined ? undefined : `its ID was used before, by ${number}`;
    }
    if (!('method' in message) || message.method !== 'notifications/progress') {
      return undefined;
    }
    const { progressToken, progress } = isRecord(message.params) ? message.params : {};
    const key = keyOf('sent', progressToken);
    const { answer } = this.#requests.get(key) ?? {};
    const before = this.#progress.get(key);
    if (typeof progress !== 'number') {
      return undefined;
    }
    this.#progress.set(key, progress);
    dropOldest(this.#progress);
    // Over HTTP, they may come on two streams.
    if (answer !== undefined && !this.#isPosted) {
      return `progress after the response, which is ${answer}`;
    }
    return before !== undefined && progress <= before
      ? `progress must grow: it was ${before}, and is ${progress}`
      : undefined;
  }

  /** What a fault says may be the server's words. */
  #fitToShow(fault: Fault): Fault {
    return { ...fault, text: cutTo(redacted(fault.text, this.#secrets), textBounds.words) };
  }

  async #checkOutput(entry: TrafficMessage, tool: string, message: JSONRPCMessage): Promise<void> {
    const result: unknown = 'result' in message ? message.result : undefined;
    if (this.#protocol && isRecord(result) && !isOfOtherKind(result)) {
      const text = await this.#protocol.outputFault(tool, result);
      if (text !== undefined) {
        const revision = revisionOf(this.#protocol.spoken(), 'tools/call');
        const fault = { text, clause: clauseOf('tools/call'), revision, isAdvice: false };
        this.#recorder.found(entry, this.#fitToShow(fault));
      }
    }
  }

  #keep(key: string, entry: TrafficMessage): void {
    this.#requests.delete(key);
    this.#requests.set(key, entry);
    dropOldest(this.#requests);
    if (entry.direction === 'sent' && !neverACause.has(entry.method)) {
      this.#open.add(entry);
      dropOldest(this.#open);
    }
  }

  /** The request that a response is for. */
  #answered(direction: TrafficMessage['direction'], message: JSONRPCMessage): TrafficMessage | undefined {
    const of = direction === 'sent' ? 'received' : 'sent';
    return 'id' in message ? this.#requests.get(keyOf(of, message.id)) : undefined;
  }

  #relation(
    direction: TrafficMessage['direction'],
    message: JSONRPCMessage,
    within: RequestId | undefined,
  ): Relation | undefined {
    if (!('method' in message)) {
      return undefined;
    }
    const params: unknown = message.params;
    const [from, to] =
      direction === 'sent' ? (['sent', 'received'] as const) : (['received', 'sent'] as const);
    const { requestId, progressToken } = isRecord(params) ? params : {};
    if (message.method === 'notifications/cancelled') {
      const cancelled = this.#requests.get(keyOf(from, requestId));
      if (cancelled) {
        cancelled.isCancelled ||= cancelled.answer === undefined;
        this.#open.delete(cancelled);
      }
      return cancelled && { as: 'cancels', numbers: [cancelled.number] };
    }
    if (message.method === 'notifications/progress') {
      const reported = this.#requests.get(keyOf(to, progressToken));
      return reported && { as: 'for', numbers: [reported.number] };
    }
    if (direction === 'sent' || !('id' in message || within !== undefined)) {
      return undefined;
    }
    const stream = within === undefined ? undefined : this.#requests.get(keyOf('sent', within));
    const numbers = (stream ? [stream] : [...this.#open]).map(({ number }) => number);
    return numbers.length > 0 ? { as: 'within', numbers } : undefined;
  }

  #cancelledWithout(request: TrafficMessage): void {
    if (this.#isOn && this.#open.delete(request)) {
      request.isCancelled = true;
      this.#note('session', `${request.number} was cancelled by the end of its stream.`);
    }
  }

  #exchanged(url: string, init: RequestInit, began: number, end: unknown): void {
    const { body } = init;
    const secrets = this.#secrets;
    const exchange = exchangeOf(url, init, Math.round(performance.now() - began), end, (text) =>
      redacted(text, secrets),
    );
    const posted = typeof body === 'string' ? this.#unposted.get(body) : undefined;
    if (posted) {
      posted.exchange = exchange;
    }
    const isRefusal = !(end instanceof Response) || !end.ok;
    this.#note('http', exchangeText(exchange, posted?.number), isRefusal);
  }

  #note(kind: TrafficNote['kind'], text: string, isFailure = false): void {
    const spoken = kind === 'stdout' ? this.#protocol?.spoken() : undefined;
    const noise = { text: 'stdout carries messages only', clause: 'basic/transports', isAdvice: false };
    const faults = spoken ? [{ ...noise, revision: revisionOf(spoken, undefined) }] : [];
    const session = this.#session;
    this.#recorder.add<TrafficNote>({
      kind,
      session,
      text: redacted(text, this.#secrets),
      isFailure,
      faults,
    });
  }
}

/** Undefined if it is too large to keep. */
function textOf(message: JSONRPCMessage): string | undefined {
  const most = { characters: trafficBounds.messageCharacters, values: trafficBounds.messageValues };
  return isOver(weightOf(message, most), most) ? undefined : JSON.stringify(message);
}

function keptText(message: JSONRPCMessage, text: string): string {
  return text.includes('"taskId') ? JSON.stringify(message, withoutTaskIds) : text;
}

/** As `redacted`, and JSON in any case: a secret of digits may be a part of a number. */
function redactedJson(json: string, secrets: Iterable<string>): string {
  const text = redacted(json, secrets);
  return text === json || isJson(text) ? text : JSON.stringify(HIDDEN);
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function partsOf(
  message: JSONRPCMessage,
  secrets: Iterable<string>,
): Pick<TrafficMessage, 'is' | 'isFailure' | 'method' | 'target'> {
  if (!('method' in message)) {
    const isError = 'error' in message;
    const isFailure = isError || (isRecord(message.result) && message.result['isError'] === true);
    return { is: isError ? 'error' : 'result', isFailure, method: undefined, target: undefined };
  }
  const target = targetIn(message.params);
  return {
    is: 'id' in message ? 'request' : 'notification',
    isFailure: false,
    method: cutTo(message.method, textBounds.words),
    target: target === undefined ? undefined : redacted(cutTo(target, textBounds.words), secrets),
  };
}

function noteOn({ isCancelled, answer }: TrafficMessage): string | undefined {
  if (isCancelled) {
    return 'after the cancellation';
  }
  return answer === undefined ? undefined : `a second response, after ${answer}`;
}

function keyOf(direction: TrafficMessage['direction'], id: unknown): string {
  return `${direction} ${String(id)}`;
}

/** Drops the oldest one if there are more than `most`: as many as the recorder keeps. */
function dropOldest(kept: Map<string, unknown> | Set<unknown>, most: number = trafficBounds.entries): void {
  const [oldest] = kept.keys();
  if (kept.size > most) {
    kept.delete(oldest as string);
  }
}
