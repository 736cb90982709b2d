import path from 'node:path';
import { realPathOf } from '../../../base/files/realPathOf.ts';
import { isInside } from '../../folders/rootUri.ts';
import { pathOf, type WorkspaceFolder } from '../../folders/sharedRoot.ts';

/** What the files of other programs depend on. */
export interface ImportMachine {
  readonly home: string;
  readonly platform: NodeJS.Platform;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** The file in which Copilot keeps your servers. */
export interface CopilotFile {
  readonly path: string;
  /** Why its servers can't be yours here, as a sentence. */
  readonly refusal?: string;
}

/** As Copilot itself finds it. What is inside the workspace is the workspace's, also behind a link. */
export function copilotFile(
  { home, platform, env }: ImportMachine,
  folders: readonly WorkspaceFolder[],
): CopilotFile {
  const paths = platform === 'win32' ? path.win32 : path.posix;
  const { COPILOT_HOME: named = '' } = env;
  const folder = named.trim() === '' ? paths.join(home, '.copilot') : named;
  const file = paths.join(folder, 'mcp-config.json');
  if (!paths.isAbsolute(folder)) {
    const refusal = `COPILOT_HOME is the relative path '${folder}'. Set it to an absolute path.`;
    return { path: file, refusal };
  }
  const style = platform === 'win32' ? 'windows' : 'posix';
  const around = folders
    .filter(({ uri }) => uri.startsWith('file:'))
    .find((one) => {
      const outer = pathOf(one);
      return isInside(file, outer, style) || isInside(realPathOf(file), realPathOf(outer), style);
    });
  return around
    ? {
        path: file,
        refusal: `It is inside the open folder '${around.name}'. Close that folder, or copy the servers with "Import Servers…".`,
      }
    : { path: file };
}
