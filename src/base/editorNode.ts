/**
 * The Node that the editor runs this extension with, for programs of our own. The executable of a desktop's
 * extension host is Electron, which needs a word to be Node; to Node itself that word means nothing.
 */
export const editorNode: EditorNode = { command: process.execPath, env: { ELECTRON_RUN_AS_NODE: '1' } };

export interface EditorNode {
  /** A path. */
  readonly command: string;
  readonly env: Readonly<Record<string, string>>;
}
