import { counted, sentence } from '../../../base/text/words.ts';
import type { ModelErrorKind } from '../../sampling/request/languageModels.ts';
import type { LoopResult } from './chatLoop.ts';

/** What you read at the end of an answer. */
export interface EndText {
  /** Why there is no answer, or not all of it. */
  readonly error?: string;
  /** What you should know about the answer. */
  readonly notes: readonly string[];
  /** What a button offers: to go on, or to look at the language models. */
  readonly offer?: 'continue' | 'models';
}

/** The end of an answer in words, with what helps. */
export function endText({ end, missing }: LoopResult, model: string, maxRounds: number): EndText {
  const notes = missingNotes(missing);
  switch (end.kind) {
    case 'answered':
    case 'cancelled':
      return { notes };
    case 'stopped':
      return {
        notes: [
          ...notes,
          end.why === 'rounds'
            ? `Stopped after ${counted(maxRounds, 'round')} of tool calls, as many as your setting mcpHost.chat.maxRounds allows.`
            : 'Stopped, because the language model repeated the same calls.',
        ],
        offer: 'continue',
      };
    case 'empty':
      return {
        notes,
        error: `The language model '${model}' returned an empty answer. Try again, or select another model.`,
        offer: 'models',
      };
    case 'tooSmall':
      return {
        notes,
        error: `The request and the tools are too long for the language model '${model}'. Attach less, make fewer tools available (\`mcpHost.chat.maxTools\`), or select a model with a larger context.`,
        offer: 'models',
      };
    case 'failed': {
      const { kind, message } = end.error;
      return {
        notes,
        error: failureText(kind, message, model),
        ...(kind !== 'failed' && { offer: 'models' }),
      };
    }
  }
}

function missingNotes({ results, turns }: LoopResult['missing']): readonly string[] {
  const what = [
    ...(results > 0 ? [counted(results, 'tool result')] : []),
    ...(turns > 0 ? [counted(turns, 'earlier request')] : []),
  ];
  return what.length === 0
    ? []
    : [
        `The context of the language model is too small: it didn't get all of this chat. Left out or cut: ${what.join(', ')}.`,
      ];
}

function failureText(kind: ModelErrorKind, message: string, model: string): string {
  switch (kind) {
    case 'noPermissions':
      return `MCP Host may not use the language model '${model}': you didn't allow it. Allow it in the editor, or select another model.`;
    case 'blocked':
      return `The language model '${model}' refused the request: ${sentence(message)} Try again later, or select another model.`;
    case 'notFound':
      return `The language model '${model}' is no longer available. Select another model.`;
    case 'failed':
      return `The language model '${model}' failed: ${sentence(message)} Try again, or select another model.`;
  }
}
