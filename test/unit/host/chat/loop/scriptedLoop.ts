import assert from 'node:assert/strict';
import { ChatLoop, type CallResult, type LoopResult } from '../../../../../src/host/chat/loop/chatLoop.ts';
import type { OfferedCall, OfferedTool } from '../../../../../src/host/chat/loop/toolOffer.ts';
import type { ModelPart } from '../../../../../src/host/sampling/request/languageModels.ts';
import type { SamplingMessage } from '../../../../../src/host/sampling/request/samplingRequest.ts';

/** A part of a scripted answer: text, a call in whatever form, an error that is thrown, or a wait for the end. */
type ScriptPart =
  | string
  | { readonly name: unknown; readonly input?: unknown; readonly id?: unknown }
  | { readonly fails: unknown }
  | { readonly does: () => void }
  | { readonly hangs: true };

/** What a model answers, round by round; the last answer is repeated. */
export type Script = readonly (readonly ScriptPart[])[];

export interface Scripted {
  readonly result: LoopResult;
  /** What you see. */
  readonly said: string;
  /** The calls that reached a server. */
  readonly calls: readonly { readonly target: OfferedCall; readonly input: unknown }[];
  /** The messages of each request to the model. */
  readonly sent: readonly (readonly SamplingMessage[])[];
}

export interface ScriptOptions {
  readonly maxRounds?: number;
  readonly maxInputTokens?: number;
  readonly past?: readonly (readonly SamplingMessage[])[];
  readonly call?: (input: Readonly<Record<string, unknown>>) => CallResult | Promise<CallResult>;
  readonly abort?: AbortController;
  readonly offered?: readonly OfferedTool[];
}

const inputSchema = { type: 'object' } as const;

export function offeredTool(server: string, tool: string): OfferedTool {
  return {
    name: `${server}__${tool}`,
    description: `Does ${tool}.`,
    inputSchema,
    target: { kind: 'tool', serverId: `user ${server}`, server, tool },
  };
}

export const offered = [offeredTool('weather', 'get_weather'), offeredTool('mail', 'send_mail')];

export function result(text: string, isError = false): CallResult {
  return { isError, content: [{ kind: 'text', text }] };
}

/** Runs the loop against a model that follows a script, and checks what holds for each request. */
export async function scripted(script: Script, options: ScriptOptions = {}): Promise<Scripted> {
  const { maxRounds = 10, maxInputTokens = 100_000, past = [], abort = new AbortController() } = options;
  const sent: (readonly SamplingMessage[])[] = [];
  const calls: { target: OfferedCall; input: unknown }[] = [];
  let said = '';
  const loop = new ChatLoop(
    {
      instructions: 'You are a test.',
      past,
      request: { role: 'user', content: [{ kind: 'text', text: 'Do it.' }] },
      ids: [],
      maxRounds,
      maxInputTokens,
    },
    {
      offer: () => Promise.resolve(options.offered ?? offered),
      send: (messages) => {
        sent.push(messages);
        checkMessages(messages);
        return answer(script[Math.min(sent.length, script.length) - 1] ?? []);
      },
      call: (target, input) => {
        calls.push({ target, input });
        return Promise.resolve(options.call?.(input) ?? result(`done ${calls.length}`));
      },
      say: (text) => {
        said += text;
      },
    },
    abort.signal,
  );
  return { result: await loop.run(), said, calls, sent };
}

async function* answer(parts: readonly ScriptPart[]): AsyncGenerator<ModelPart> {
  for (const part of parts) {
    if (typeof part === 'string') {
      yield { kind: 'text', text: part };
    } else if ('hangs' in part) {
      await new Promise(() => {});
    } else if ('fails' in part) {
      throw part.fails;
    } else if ('does' in part) {
      part.does();
    } else {
      const { id = 'id', name, input } = part;
      // As the editor passes it on: unchecked.
      yield { kind: 'toolUse', id, name, input } as ModelPart;
    }
  }
}

/** What providers require: each call has exactly one result in the next message, and ids are unique. */
function checkMessages(messages: readonly SamplingMessage[]): void {
  const ids = new Set<string>();
  for (const [index, { role, content }] of messages.entries()) {
    assert.ok(content.length > 0, 'no message is empty');
    const uses = content.flatMap((part) => (part.kind === 'toolUse' ? [part.id] : []));
    const results = content.flatMap((part) => (part.kind === 'toolResult' ? [part.toolUseId] : []));
    assert.equal(uses.length === 0 || role === 'assistant', true);
    for (const id of uses) {
      assert.ok(id !== '' && !ids.has(id), `the id '${id}' is unique`);
      ids.add(id);
    }
    if (uses.length > 0) {
      const next = messages[index + 1]?.content ?? [];
      assert.deepEqual(
        next.flatMap((part) => (part.kind === 'toolResult' ? [part.toolUseId] : [])),
        uses,
      );
    }
    assert.equal(results.length === 0 || messages[index - 1]?.role === 'assistant', true);
  }
}

/** All texts of results that a model got in its last request. */
export function lastResults({ sent }: Scripted): readonly string[] {
  return (sent.at(-1) ?? []).flatMap(({ content }) =>
    content.flatMap((part) =>
      part.kind === 'toolResult'
        ? [part.content.map((one) => (one.kind === 'text' ? one.text : one.mimeType)).join('\n')]
        : [],
    ),
  );
}
