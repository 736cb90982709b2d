import { replacedBraces } from '../braces.ts';
import {
  expandableTexts,
  mapTexts,
  variablesIn,
  variableText,
  type UnknownVariable,
  type Variable,
} from '../variables.ts';
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
 * The draft with its variables as this kind of file writes them: in a `.mcp.json` an environment variable is `${NAME}`,
 * unless the file already has `${env:NAME}`. Instead a sentence, if the file does not support a variable of the draft.
 */
export function forPlace(draft: ServerDraft, where: ServersFile, hasEnv = false): ServerDraft | string {
  if (where !== 'mcpJson') {
    return draft;
  }
  const launch = hasEnv
    ? draft.launch
    : mapTexts(draft.launch, (text) => text.replaceAll(/\$\{env:([A-Za-z_]\w*)\}/g, '${$1}'));
  const other = variablesOf(launch).find(({ kind }) => kind === 'unknown');
  return other === undefined
    ? { ...draft, launch }
    : `A .mcp.json does not support ${variableText(other, where)}: select settings instead.`;
}

/** What other programs make of a server in a `.mcp.json`, a sentence; undefined if all of them can start it. */
export function otherReaders({ launch }: ServerDraft): string | undefined {
  const variables = variablesOf(launch);
  const ours = variables.find(({ kind }) => kind !== 'environment');
  const [any] = variables;
  return ours
    ? `Other programs that read this file don't know ${variableText(ours, 'mcpJson')} and can't use this server.`
    : any &&
        `Older versions of VS Code don't replace ${variableText(any, 'mcpJson')} in this file; Copilot CLI and Claude Code do.`;
}

function variablesOf(launch: ServerDraft['launch']): readonly (Variable | UnknownVariable)[] {
  return expandableTexts(launch).flatMap(({ text }) => variablesIn(text, 'mcpJson'));
}
