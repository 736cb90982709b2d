import { freeId } from './secrets.ts';
import { mapTexts, type ServerDraft } from './serverDraft.ts';

/** The draft under its name at last, and with inputs whose ids are free in the file. */
export function renamed(draft: ServerDraft, name: string, taken: ReadonlySet<string>): ServerDraft {
  const ids = new Set([...taken, ...draft.inputs.map(({ id }) => id)]);
  const fresh = new Map<string, string>();
  for (const { id } of draft.inputs) {
    // An input without a value may be the one that the file declares.
    if (taken.has(id) && draft.values.has(id)) {
      const free = freeId(id, ids);
      ids.add(free);
      fresh.set(id, free);
    }
  }
  const freshId = (id: string): string => fresh.get(id) ?? id;
  return {
    ...draft,
    name,
    launch: mapTexts(draft.launch, (text) =>
      text.replaceAll(/\$\{input:([^}]+)\}/g, (_, id: string) => `\${input:${freshId(id)}}`),
    ),
    inputs: draft.inputs.map((input) => ({ ...input, id: freshId(input.id) })),
    values: new Map([...draft.values].map(([id, value]) => [freshId(id), value])),
  };
}
