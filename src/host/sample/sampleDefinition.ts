import type { EditorNode } from '../processes/editorNode.ts';
import { serverId, type DefinitionOrigin, type StdioServerDefinition } from '../config/serverDefinition.ts';

/** The place of the definition that comes with this extension: not a file, and the same in each version. */
export const samplePlace = 'extension:sample';

const origin: DefinitionOrigin = { scope: 'extension', format: 'extension', place: samplePlace };
const name = 'sample';

export const sampleId = serverId(origin, name);

/**
 * The sample server, as this installation runs it. It does not start with the window: in each workspace it
 * would ask for the folders again.
 *
 * @param script the path of `src/sample/main.ts`, or of its bundle.
 */
export function sampleDefinition(script: string, { command, env }: EditorNode): StdioServerDefinition {
  return {
    type: 'stdio',
    id: sampleId,
    name,
    origin,
    program: 'sample',
    command,
    args: [script],
    env,
    inputs: [],
    disabled: false,
    autoStart: false,
  };
}
