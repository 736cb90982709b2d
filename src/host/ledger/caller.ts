/**
 * Who asks a server for something: the user, by a click of their own; a model in the editor's agent mode;
 * or another extension, through the public API.
 */
export type Caller =
  | { readonly kind: 'person' }
  | { readonly kind: 'agentMode' }
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

/** Whether an answer to whoever asks can count for the next request: it must be known who that is. */
export function isIdentified(caller: Caller): boolean {
  return caller.kind !== 'extension' || caller.id !== '';
}

/** What decisions about a caller are kept by. */
export function callerKey(caller: Caller): string {
  return caller.kind === 'extension' ? `extension ${caller.id}` : caller.kind;
}

/** Who asks, in a sentence. */
export function callerText(caller: Caller): string {
  switch (caller.kind) {
    case 'person':
      return 'You';
    case 'agentMode':
      return 'Agent mode';
    case 'extension':
      return isIdentified(caller) ? `The extension '${caller.label}'` : caller.label;
  }
}
