import * as vscode from 'vscode';
import {
  ModelError,
  type ModelErrorKind,
  type ModelPart,
  type ModelRequest,
} from '../../host/sampling/request/languageModels.ts';
import type {
  SamplingImage,
  SamplingMessage,
  SamplingPart,
  SamplingText,
  SamplingToolResult,
} from '../../host/sampling/request/samplingRequest.ts';

/**
 * A request in the editor's types. The editor only has the roles User and Assistant, so the system prompt becomes the
 * first message of the user.
 */
export function requestMessages({
  systemPrompt,
  messages,
}: Pick<ModelRequest, 'systemPrompt' | 'messages'>): vscode.LanguageModelChatMessage[] {
  return [
    ...(systemPrompt === undefined ? [] : [vscode.LanguageModelChatMessage.User(systemPrompt)]),
    ...messages.map(chatMessage),
  ];
}

/** Each provider decides itself how it uses `modelOptions`. */
export function requestOptions(request: ModelRequest): vscode.LanguageModelChatRequestOptions {
  const { maxTokens, temperature, tools, toolMode, justification } = request;
  return {
    justification,
    modelOptions: { max_tokens: maxTokens, ...(temperature !== undefined && { temperature }) },
    ...(tools.length > 0 && {
      tools: tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema })),
      toolMode:
        toolMode === 'required'
          ? vscode.LanguageModelChatToolMode.Required
          : vscode.LanguageModelChatToolMode.Auto,
    }),
  };
}

/** A part of an answer; undefined for anything else, such as the model's reasoning or its usage. */
export function modelPartOf(part: unknown): ModelPart | undefined {
  if (part instanceof vscode.LanguageModelTextPart) {
    return { kind: 'text', text: part.value };
  }
  if (part instanceof vscode.LanguageModelToolCallPart) {
    const { callId, name, input } = part;
    return { kind: 'toolUse', id: callId, name, input: input as Readonly<Record<string, unknown>> };
  }
  return undefined;
}

const kinds: Readonly<Record<string, ModelErrorKind>> = {
  NoPermissions: 'noPermissions',
  Blocked: 'blocked',
  NotFound: 'notFound',
};

/** An error in the words of the editor or the model's provider. */
export function modelErrorOf(error: unknown): ModelError {
  if (error instanceof ModelError) {
    return error;
  }
  const code = error instanceof vscode.LanguageModelError ? error.code : '';
  const words = wordsOf(error);
  return new ModelError(kinds[code] ?? 'failed', words === '' ? 'The language model failed.' : words, {
    cause: error,
  });
}

/** The editor wraps errors of a provider as the cause of an error without a message. */
function wordsOf(error: unknown): string {
  if (!(error instanceof Error)) {
    return typeof error === 'string' ? error : '';
  }
  return error.message.trim() === '' ? wordsOf(error.cause) : error.message.trim();
}

function chatMessage({ role, content }: SamplingMessage): vscode.LanguageModelChatMessage {
  const { User, Assistant } = vscode.LanguageModelChatMessageRole;
  return new vscode.LanguageModelChatMessage(role === 'user' ? User : Assistant, content.map(inputPart));
}

function inputPart(part: SamplingPart): vscode.LanguageModelInputPart {
  switch (part.kind) {
    case 'text':
    case 'image':
      return contentPart(part);
    case 'toolUse':
      return new vscode.LanguageModelToolCallPart(part.id, part.name, part.input);
    case 'toolResult':
      return resultPart(part);
  }
}

/** The editor's type has no `isError`, but the editor passes it on to the provider. */
function resultPart({ toolUseId, isError, content }: SamplingToolResult): vscode.LanguageModelToolResultPart {
  const part = new vscode.LanguageModelToolResultPart(toolUseId, content.map(contentPart));
  return isError ? Object.assign(part, { isError }) : part;
}

function contentPart(
  part: SamplingText | SamplingImage,
): vscode.LanguageModelTextPart | vscode.LanguageModelDataPart {
  return part.kind === 'text'
    ? new vscode.LanguageModelTextPart(part.text)
    : vscode.LanguageModelDataPart.image(Buffer.from(part.data, 'base64'), part.mimeType);
}
