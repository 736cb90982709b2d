/**
 * Who asks a server for something: the user, by a click of their own; a model in the editor's agent mode, for which the
 * editor asks; a model that uses MCP Host's own tools; or another extension, through the public API.
 */
export type Caller =
  | { readonly kind: 'person' }
  | { readonly kind: 'agentMode' }
  | {
      readonly kind: 'chat';
      /** Whether the editor says that a chat asks. Any extension can use these tools without one. */
      readonly isInChat: boolean;
    }
  | {
      readonly kind: 'extension';
      /** As the editor names it, `publisher.name`. */
      readonly id: string;
      readonly label: string;
    };

/** An extension that asks in a way that does not show which one it is. */
export const unknownExtension: Caller = {
  kind: 'extension',
  id: '',
  label: 'An extension that could not be identified',
};

/** Whether an answer to a caller can count for the next request: the caller must be known. */
export function isIdentified(caller: Caller): boolean {
  switch (caller.kind) {
    case 'person':
    case 'agentMode':
      return true;
    case 'chat':
      return caller.isInChat;
    case 'extension':
      return caller.id !== '';
  }
}

/** What decisions about a caller are kept by. */
export function callerKey(caller: Caller): string {
  switch (caller.kind) {
    case 'person':
    case 'agentMode':
      return caller.kind;
    case 'chat':
      return caller.isInChat ? 'chat' : 'outside chat';
    case 'extension':
      return `extension ${caller.id}`;
  }
}

/** Who asks, in a sentence. */
export function callerText(caller: Caller): string {
  switch (caller.kind) {
    case 'person':
      return 'You';
    case 'agentMode':
      return 'Agent mode';
    case 'chat':
      return caller.isInChat ? 'A model in chat' : 'A model or an extension that could not be identified';
    case 'extension':
      return isIdentified(caller) ? `The extension '${caller.label}'` : caller.label;
  }
}
