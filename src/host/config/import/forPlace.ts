import { mapTexts, textsOf, type ServerDraft } from '../edit/serverDraft.ts';
import type { ServersFile } from '../edit/withServer.ts';

/**
 * The draft with its variables as a file of this kind writes them: in a `.mcp.json` an environment variable
 * is `${NAME}`. Gives a sentence instead when the file cannot hold the draft.
 */
export function forPlace(draft: ServerDraft, where: ServersFile): ServerDraft | string {
  if (where !== 'mcpJson') {
    return draft;
  }
  const launch = mapTexts(draft.launch, (text) => text.replaceAll(/\$\{env:([A-Za-z_]\w*)\}/g, '${$1}'));
  const [other] = textsOf(launch).flatMap(
    (text) =>
      text.match(
        /\$\{(?!input:)(?!(?!(?:workspaceFolder|userHome|pathSeparator)\})[A-Za-z_]\w*(?::-[^}]*)?\})[^}]*\}/,
      ) ?? [],
  );
  return other === undefined
    ? { ...draft, launch }
    : `A .mcp.json knows environment variables and inputs only, not ${other}: choose settings.`;
}
