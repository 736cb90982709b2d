import { CancellationError, unlessAborted } from '../../../base/lifetime/cancellation.ts';
import { messageOf } from '../../errors/hostError.ts';
import { ModelError, type ModelPart } from '../../sampling/request/languageModels.ts';
import type {
  SamplingMessage,
  SamplingTool,
  SamplingToolResult,
} from '../../sampling/request/samplingRequest.ts';
import { tokensOfText } from '../../tools/tokenEstimate.ts';
import { CallCheck, withoutHuge } from './callCheck.ts';
import { fitContext, type FittingMessages } from './contextFit.ts';
import { readAnswer, type AskedCall, type ModelAnswer } from './modelAnswer.ts';
import type { OfferedCall, OfferedTool } from './toolOffer.ts';

/** Rounds in a row in which a model only repeats such calls, before it is stopped. */
const MAX_REPEATING = 2;

/** What a call has returned. */
export type CallResult = Pick<SamplingToolResult, 'isError' | 'content'>;

/** A call with its result; without a target if it was not made. */
export interface DoneCall extends AskedCall {
  readonly target: OfferedCall | undefined;
  readonly result: CallResult;
}

/** A model's answer, and the calls that it asked for. */
export interface Round {
  readonly text: string;
  readonly calls: readonly DoneCall[];
}

/** Why the loop has ended. */
export type LoopEnd =
  | { readonly kind: 'answered' }
  /** After the most rounds, or because the model only repeated calls. */
  | { readonly kind: 'stopped'; readonly why: 'rounds' | 'repeating' }
  | { readonly kind: 'failed'; readonly error: ModelError }
  /** The model answered with nothing, twice. */
  | { readonly kind: 'empty' }
  /** Not even this request fits the model's context. */
  | { readonly kind: 'tooSmall' }
  | { readonly kind: 'cancelled' };

export interface LoopResult {
  readonly end: LoopEnd;
  readonly rounds: readonly Round[];
  /** The most that was missing in a request, because the context is too small. */
  readonly missing: Pick<FittingMessages, 'results' | 'turns'>;
}

export interface LoopStart {
  /** What the model gets first. */
  readonly instructions: string;
  /** Earlier requests, each with its answer, oldest first. */
  readonly past: readonly (readonly SamplingMessage[])[];
  readonly request: SamplingMessage;
  /** The ids of the calls in `past`. */
  readonly ids: Iterable<string>;
  readonly maxRounds: number;
  readonly maxInputTokens: number;
}

export interface LoopPorts {
  /** The tools that the model gets in the next round. */
  readonly offer: () => Promise<readonly OfferedTool[]>;
  /** @throws ModelError; CancellationError when the signal aborted. */
  readonly send: (
    messages: readonly SamplingMessage[],
    tools: readonly SamplingTool[],
    signal: AbortSignal,
  ) => AsyncIterable<ModelPart>;
  /** Makes a call. A failure is a result that says so. @throws CancellationError when the signal aborted. */
  readonly call: (
    target: OfferedCall,
    input: AskedCall['input'] & {},
    signal: AbortSignal,
  ) => Promise<CallResult>;
  /** Text of the model, as it arrives. */
  readonly say: (text: string) => void;
}

/** What the loop does next. */
type State =
  | { readonly kind: 'ask'; readonly isAgain: boolean }
  | { readonly kind: 'call'; readonly answer: ModelAnswer; readonly offered: readonly OfferedTool[] }
  | { readonly kind: 'ended'; readonly end: LoopEnd };

/**
 * Answers one request of a chat: asks the model, makes the calls that it asks for, one after the other, and asks again
 * with their results, until it answers without a call. Whatever a model sends, each call gets exactly one result, and
 * the loop ends.
 */
export class ChatLoop {
  readonly #start: LoopStart;
  readonly #ports: LoopPorts;
  readonly #signal: AbortSignal;
  readonly #rounds: Round[] = [];
  readonly #ids: Set<string>;
  readonly #check = new CallCheck();
  #repeating = 0;
  #missing = { results: 0, turns: 0 };

  constructor(start: LoopStart, ports: LoopPorts, signal: AbortSignal) {
    this.#start = start;
    this.#ports = ports;
    this.#signal = signal;
    this.#ids = new Set(start.ids);
  }

  /** Runs to the end. Throws nothing that a model, a tool or a cancellation causes. */
  async run(): Promise<LoopResult> {
    let state: State = { kind: 'ask', isAgain: false };
    while (state.kind !== 'ended') {
      try {
        state = state.kind === 'ask' ? await this.#ask(state.isAgain) : await this.#call(state);
      } catch (error) {
        state = { kind: 'ended', end: this.#endBy(error) };
      }
    }
    return { end: state.end, rounds: this.#rounds, missing: this.#missing };
  }

  async #ask(isAgain: boolean): Promise<State> {
    const { instructions, past, request, maxInputTokens } = this.#start;
    const offered = await unlessAborted(this.#ports.offer(), this.#signal);
    const tools = offered.map(({ name, description, inputSchema }) => ({ name, description, inputSchema }));
    const head = { role: 'user', content: [{ kind: 'text', text: instructions }] } as const;
    const now = [request, ...this.#rounds.flatMap(messagesOf)];
    const room = maxInputTokens - (tools.length === 0 ? 0 : tokensOfText(JSON.stringify(tools)));
    const fitting = fitContext({ head, past, now }, room);
    if (!fitting) {
      return ended({ kind: 'tooSmall' });
    }
    const { messages, results, turns } = fitting;
    this.#missing = {
      results: Math.max(this.#missing.results, results),
      turns: Math.max(this.#missing.turns, turns),
    };
    if (this.#signal.aborted) {
      throw new CancellationError();
    }
    const answer = await this.#read(this.#ports.send(messages, tools, this.#signal));
    if (answer.calls.length > 0) {
      return { kind: 'call', answer, offered };
    }
    if (answer.text.trim() === '') {
      return isAgain ? ended({ kind: 'empty' }) : { kind: 'ask', isAgain: true };
    }
    this.#rounds.push({ text: answer.text, calls: [] });
    return ended({ kind: 'answered' });
  }

  /** The text before a failure is kept, but no call of an answer that fails is made. */
  async #read(parts: AsyncIterable<ModelPart>): Promise<ModelAnswer> {
    let said = '';
    try {
      return await readAnswer(
        parts,
        this.#ids,
        (text) => {
          said += text;
          this.#ports.say(text);
        },
        this.#signal,
      );
    } catch (error) {
      if (said !== '') {
        this.#rounds.push({ text: said, calls: [] });
      }
      throw error;
    }
  }

  async #call({ answer, offered }: State & { readonly kind: 'call' }): Promise<State> {
    const calls: DoneCall[] = [];
    let isRepeating = true;
    try {
      for (const [index, call] of answer.calls.entries()) {
        const { target, flaw } = this.#check.check(call, index, offered);
        isRepeating &&= flaw?.kind === 'repeated';
        const result = flaw ? errorResult(flaw.text) : await this.#result(target, call);
        // What is not sent to a server is not sent to the model again either.
        calls.push({ ...call, target: flaw ? undefined : target, result });
      }
    } finally {
      this.#rounds.push({ text: answer.text, calls: calls.map(withoutHuge) });
    }
    this.#repeating = isRepeating ? this.#repeating + 1 : 0;
    if (this.#repeating >= MAX_REPEATING) {
      return ended({ kind: 'stopped', why: 'repeating' });
    }
    const rounds = this.#rounds.filter(({ calls: { length } }) => length > 0).length;
    return rounds >= this.#start.maxRounds
      ? ended({ kind: 'stopped', why: 'rounds' })
      : { kind: 'ask', isAgain: false };
  }

  async #result(target: OfferedCall | undefined, { input = {} }: AskedCall): Promise<CallResult> {
    if (this.#signal.aborted || !target) {
      throw new CancellationError();
    }
    try {
      return await unlessAborted(this.#ports.call(target, input, this.#signal), this.#signal);
    } catch (error) {
      if (this.#signal.aborted) {
        throw error;
      }
      return errorResult(messageOf(error));
    }
  }

  #endBy(error: unknown): LoopEnd {
    if (this.#signal.aborted || error instanceof CancellationError) {
      return { kind: 'cancelled' };
    }
    return {
      kind: 'failed',
      error:
        error instanceof ModelError ? error : new ModelError('failed', messageOf(error), { cause: error }),
    };
  }
}

/** A round as messages: what the model has answered, and the results of its calls. */
export function messagesOf({ text, calls }: Round): readonly SamplingMessage[] {
  const uses = calls.map(({ id, name, input = {} }) => ({ kind: 'toolUse', id, name, input }) as const);
  const said = text.trim() === '' ? [] : [{ kind: 'text', text } as const];
  const results = calls.map(({ id, result }) => ({ kind: 'toolResult', toolUseId: id, ...result }) as const);
  return [
    ...(said.length + uses.length > 0 ? [{ role: 'assistant', content: [...said, ...uses] } as const] : []),
    ...(results.length > 0 ? [{ role: 'user', content: results } as const] : []),
  ];
}

export function errorResult(text: string): CallResult {
  return { isError: true, content: [{ kind: 'text', text }] };
}

function ended(end: LoopEnd): State {
  return { kind: 'ended', end };
}
