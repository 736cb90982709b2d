import type * as vscode from 'vscode';
import { CancellationError, unlessAborted } from '../../base/lifetime/cancellation.ts';
import type { ModelPart } from '../../host/sampling/request/languageModels.ts';
import { tokenOf } from '../lifetime/cancellationTokens.ts';
import { modelErrorOf, modelPartOf } from './modelMessages.ts';

/** What a model gets, in the editor's types. */
export interface StreamedRequest {
  readonly messages: vscode.LanguageModelChatMessage[];
  readonly options: vscode.LanguageModelChatRequestOptions;
}

/**
 * Sends a request to the model that `find` returns, and gives the parts of the answer as they arrive.
 *
 * @throws ModelError in the provider's words; CancellationError when the signal aborted.
 */
export async function* streamAnswer(
  find: () => Promise<vscode.LanguageModelChat>,
  { messages, options }: StreamedRequest,
  signal: AbortSignal,
): AsyncGenerator<ModelPart> {
  const cancelling = tokenOf(signal);
  try {
    const chat = await unlessAborted(find(), signal);
    const sending = chat.sendRequest(messages, options, cancelling.token);
    const { stream } = await unlessAborted(Promise.resolve(sending), signal);
    const parts = stream[Symbol.asyncIterator]();
    // A provider may ignore the token: what it returns after the end isn't awaited.
    for (;;) {
      const { done, value } = await unlessAborted(parts.next(), signal);
      if (done) {
        break;
      }
      const part = modelPartOf(value);
      if (part) {
        yield part;
      }
    }
  } catch (error) {
    throw signal.aborted ? new CancellationError() : modelErrorOf(error);
  } finally {
    // The caller may stop reading early.
    cancelling.cancel();
    cancelling.dispose();
  }
}
