/** How to run one of our programs with Node. */
export interface EditorNode {
  /** A path. */
  readonly command: string;
  readonly env: Readonly<Record<string, string>>;
}

/**
 * The Node with which the editor runs this extension. In a desktop editor that is Electron's executable, which acts as
 * Node only with this variable; Node itself ignores it.
 */
export function editorNode(): EditorNode {
  return { command: process.execPath, env: { ELECTRON_RUN_AS_NODE: '1' } };
}
