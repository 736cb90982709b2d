/** How a program of ours is run by Node. */
export interface EditorNode {
  /** A path. */
  readonly command: string;
  readonly env: Readonly<Record<string, string>>;
}

/**
 * The Node that the editor runs this extension with. The executable of a desktop's extension host is Electron,
 * which is Node only where this variable is set; to Node itself it means nothing.
 */
export function editorNode(): EditorNode {
  return { command: process.execPath, env: { ELECTRON_RUN_AS_NODE: '1' } };
}
