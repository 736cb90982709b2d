import type { EditorNode } from '../processes/editorNode.ts';
import { serverId, type DefinitionOrigin, type StdioServerDefinition } from '../config/serverDefinition.ts';

/** The place of the definition that comes with this extension: not a file, and the same in each version. */
export const samplePlace = 'extension:sample';
/** What the place of a recording begins with; its file follows. */
const RECORDING_PLACE = 'extension:recording:';

const sampleName = 'sample';

export const sampleId = serverId(originAt(samplePlace), sampleName);

/** A recording, as it was when it was added. */
export interface AddedRecording {
  /** What its server is called. */
  readonly name: string;
  /** An absolute path. */
  readonly file: string;
  /** Of its bytes, in hexadecimal digits. */
  readonly sha256: string;
}

/**
 * The sample server, as this installation runs it. It does not start with the window: in each workspace it
 * would ask for the folders again.
 *
 * @param script the path of `src/sample/main.ts`, or of its bundle.
 */
export function sampleDefinition(script: string, node: EditorNode): StdioServerDefinition {
  return { ...ownProgram(originAt(samplePlace), sampleName, node), program: 'sample', args: [script] };
}

/**
 * A server that answers from a recording.
 *
 * @param script the path of `src/recorded/main.ts`, or of its bundle.
 */
export function recordingDefinition(
  script: string,
  node: EditorNode,
  { name, file, sha256 }: AddedRecording,
): StdioServerDefinition {
  const origin = originAt(RECORDING_PLACE + file);
  return { ...ownProgram(origin, name, node), program: 'recording', args: [script, file, sha256] };
}

/** The file of a recording, by the place of its definition; undefined for any other place. */
export function recordingAt(place: string): string | undefined {
  return place.startsWith(RECORDING_PLACE) ? place.slice(RECORDING_PLACE.length) : undefined;
}

function originAt(place: string): DefinitionOrigin {
  return { scope: 'extension', format: 'extension', place };
}

function ownProgram(
  origin: DefinitionOrigin,
  name: string,
  { command, env }: EditorNode,
): Omit<StdioServerDefinition, 'args' | 'program'> {
  return {
    type: 'stdio',
    id: serverId(origin, name),
    name,
    origin,
    command,
    env,
    inputs: [],
    disabled: false,
    autoStart: false,
  };
}
