/**
 * Who asks a server for something: the person, by a click of their own; a model in the editor's agent mode;
 * or another extension, through the public API.
 */
export type Door =
  | { readonly kind: 'person' }
  | { readonly kind: 'agentMode' }
  | {
      readonly kind: 'extension';
      /** As the editor names it, `publisher.name`. */
      readonly id: string;
      readonly label: string;
    };

/** An extension that asks in a way that does not show which one it is. */
export const unknownExtension: Door = {
  kind: 'extension',
  id: '',
  label: 'An extension that could not be identified',
};

/** Whether an answer to whoever asks can count for the next request: it must be known who that is. */
export function isIdentified(door: Door): boolean {
  return door.kind !== 'extension' || door.id !== '';
}

/** What decisions about a door are kept by. */
export function doorKey(door: Door): string {
  return door.kind === 'extension' ? `extension ${door.id}` : door.kind;
}

/** Who asks, in a sentence. */
export function doorText(door: Door): string {
  switch (door.kind) {
    case 'person':
      return 'You';
    case 'agentMode':
      return 'Agent mode';
    case 'extension':
      return isIdentified(door) ? `The extension '${door.label}'` : door.label;
  }
}
