import path from 'node:path';
import type { WorkspaceFolder } from '../../folders/sharedRoot.ts';
import { copilotFile, type ImportMachine } from './copilotFile.ts';

/** The program that wrote a file, which decides what its fields and variables mean. */
export type ImportDialect = 'vscode' | 'cursor' | 'copilotCli' | 'claudeDesktop' | 'claudeCode';

/** A file that may hold servers. */
export interface ImportLocation {
  readonly dialect: ImportDialect;
  /** The name of the file in the user interface. */
  readonly label: string;
  readonly at:
    | { readonly kind: 'path'; readonly path: string }
    /** A file of a workspace folder, below its URI. */
    | { readonly kind: 'folder'; readonly folder: WorkspaceFolder; readonly relative: readonly string[] };
}

/** The places where other programs store servers, those of the workspace first. */
export function importLocations(
  { home, platform, env }: ImportMachine,
  folders: readonly WorkspaceFolder[],
): readonly ImportLocation[] {
  const paths = platform === 'win32' ? path.win32 : path.posix;
  const join = (...parts: string[]): string => paths.join(...parts);
  const inFolders = folders.flatMap((folder): ImportLocation[] => {
    const named = (name: string): string => (folders.length > 1 ? `${name} (${folder.name})` : name);
    return [
      {
        dialect: 'vscode',
        label: named('VS Code: .vscode/mcp.json'),
        at: { kind: 'folder', folder, relative: ['.vscode', 'mcp.json'] },
      },
      {
        dialect: 'cursor',
        label: named('Cursor: .cursor/mcp.json'),
        at: { kind: 'folder', folder, relative: ['.cursor', 'mcp.json'] },
      },
    ];
  });
  const desktop = {
    darwin: join(home, 'Library', 'Application Support'),
    win32: env['APPDATA'] ?? join(home, 'AppData', 'Roaming'),
  };
  const configuration =
    platform === 'darwin' || platform === 'win32'
      ? desktop[platform]
      : (env['XDG_CONFIG_HOME'] ?? join(home, '.config'));
  return [
    ...inFolders,
    fileOf('cursor', 'Cursor: ~/.cursor/mcp.json', join(home, '.cursor', 'mcp.json')),
    fileOf('copilotCli', 'Copilot CLI', copilotFile({ home, platform, env }, []).path),
    fileOf('claudeDesktop', 'Claude Desktop', join(configuration, 'Claude', 'claude_desktop_config.json')),
    fileOf('claudeCode', 'Claude Code', join(home, '.claude.json')),
  ];
}

function fileOf(dialect: ImportDialect, label: string, file: string): ImportLocation {
  return { dialect, label, at: { kind: 'path', path: file } };
}
