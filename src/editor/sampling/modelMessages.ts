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
 * A request in the editor's own types. It knows the roles User and Assistant only: the system prompt is a first
 * message of the user.
 */
export function requestMessages({ systemPrompt, messages }: ModelRequest): vscode.LanguageModelChatMessage[] {
  return [
    ...(systemPrompt === undefined ? [] : [vscode.LanguageModelChatMessage.User(systemPrompt)]),
    ...messages.map(chatMessage),
  ];
}

/** What the provider of a model makes of `modelOptions` is its own affair. */
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

/** What a model says; undefined for what is no answer, such as its thinking or its accounts. */
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

/** A failure in the words of the editor, or of the model's provider. */
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

/** For what is no error of the editor's own, it hands on the provider's as the cause. */
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

/** The editor's type says nothing of failed tools; the editor itself hands `isError` on to the provider. */
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
