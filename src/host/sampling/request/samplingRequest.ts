/** Text of a message. */
export interface SamplingText {
  readonly kind: 'text';
  readonly text: string;
}

/** An image of a message, in base64. */
export interface SamplingImage {
  readonly kind: 'image';
  readonly mimeType: string;
  readonly data: string;
}

/** A model asks the server to run one of its tools. */
export interface SamplingToolUse {
  readonly kind: 'toolUse';
  readonly id: string;
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
}

/** The result of a tool of the server. */
export interface SamplingToolResult {
  readonly kind: 'toolResult';
  readonly toolUseId: string;
  readonly isError: boolean;
  readonly content: readonly (SamplingText | SamplingImage)[];
}

export type SamplingPart = SamplingText | SamplingImage | SamplingToolUse | SamplingToolResult;

export interface SamplingMessage {
  readonly role: 'user' | 'assistant';
  readonly content: readonly SamplingPart[];
}

/** A tool of the server that a model may ask for. The server runs it, not this host. */
export interface SamplingTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: Readonly<Record<string, unknown>>;
}

/** A server's request for a model (client/sampling, `sampling/createMessage`): checked, copied, and never changed. */
export interface SamplingRequest {
  readonly messages: readonly SamplingMessage[];
  readonly systemPrompt?: string;
  readonly temperature?: number;
  /** The most tokens that the answer may have. */
  readonly maxTokens: number;
  readonly stopSequences: readonly string[];
  /** Names of models, the preferred first. */
  readonly hints: readonly string[];
  readonly tools: readonly SamplingTool[];
  readonly toolChoice: 'auto' | 'required' | 'none';
  /** The server asked for the context of servers (`includeContext`), which no server gets. */
  readonly wantsContext: boolean;
}

/** Whether a server asks while it works on a request of yours, or at another time. */
export type SamplingOccasion = 'inCall' | 'unasked';

/** A text in place of one in a request or an answer. */
export interface TextEdit {
  /** `system`, or `MESSAGE/PART` with the indexes of a text, such as `0/1`. In an answer, the index of the part. */
  readonly at: string;
  readonly text: string;
}

/** What you are about to send: the request with your edits in it, to this model. */
export interface SamplingDraft {
  readonly modelId: string;
  readonly edits: readonly TextEdit[];
}
