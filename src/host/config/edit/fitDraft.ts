import { bracedParts, replacedBraces } from '../braces.ts';
import { expandableTexts, mapTexts } from '../variables.ts';
import { freeId } from './secrets.ts';
import type { ServerDraft } from './serverDraft.ts';
import type { ServersFile } from './serversFile.ts';

/** The draft with its final name, and with input ids that are not taken in the file. */
export function renamed(draft: ServerDraft, name: string, taken: ReadonlySet<string>): ServerDraft {
  const ids = new Set([...taken, ...draft.inputs.map(({ id }) => id)]);
  const fresh = new Map<string, string>();
  for (const { id } of draft.inputs) {
    // An input without a value may refer to the one that the file declares.
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
      replacedBraces(text, (inside, whole) =>
        inside.startsWith('input:') ? `\${input:${freshId(inside.slice('input:'.length))}}` : whole,
      ),
    ),
    inputs: draft.inputs.map((input) => ({ ...input, id: freshId(input.id) })),
    values: new Map([...draft.values].map(([id, value]) => [freshId(id), value])),
  };
}

/**
 * The draft with its variables as this kind of file writes them: in a `.mcp.json` an environment variable is
 * `${NAME}`. Instead a sentence, if the file does not support a variable of the draft.
 */
export function forPlace(draft: ServerDraft, where: ServersFile): ServerDraft | string {
  if (where !== 'mcpJson') {
    return draft;
  }
  const launch = mapTexts(draft.launch, (text) => text.replaceAll(/\$\{env:([A-Za-z_]\w*)\}/g, '${$1}'));
  const other = expandableTexts(launch)
    .flatMap(({ text }) => bracedParts(text))
    .find(({ inside }) => inside !== undefined && !isSupported(inside));
  return other === undefined
    ? { ...draft, launch }
    : `A .mcp.json supports only environment variables and inputs, not ${other.text}: select settings instead.`;
}

/** Whether a `.mcp.json` has this variable: an input, or one of the environment, with or without a default. */
function isSupported(inside: string): boolean {
  return (
    inside.startsWith('input:') ||
    /^(?!(?:workspaceFolder|userHome|pathSeparator)$)[A-Za-z_]\w*(?::-[^]*)?$/.test(inside)
  );
}
