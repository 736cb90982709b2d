import type { ViewDocuments } from '../documents/viewDocuments.ts';

/** Keeps a text that is too long for a model as a document, and returns its URI. */
export function keepingWhole(
  viewDocuments: ViewDocuments,
): (server: unknown, name: string, text: string) => Promise<string> {
  return (_server, name, text) => {
    const uri = viewDocuments.keep(`${name.replaceAll('/', '_')}.txt`, new TextEncoder().encode(text));
    return Promise.resolve(uri.toString());
  };
}
