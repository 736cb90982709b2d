import { inputFields, otherFields } from '../fields.ts';
import { writtenFields, type Values } from '../fieldTypes.ts';
import {
  serverId,
  type AnyLaunch,
  type DefinitionOrigin,
  type InputDeclaration,
  type ServerDefinition,
  type WrittenLaunch,
} from '../serverDefinition.ts';
import { transports } from '../transports.ts';
import type { ServersFile } from './serversFile.ts';

/** A server that is in no file yet. */
export interface ServerDraft extends Partial<Values<typeof otherFields.all>> {
  readonly name: string;
  readonly launch: WrittenLaunch;
  /** The inputs that the launch refers to. */
  readonly inputs: readonly InputDeclaration[];
  /** Values that are already known, by the id of their input. They are never written into the file. */
  readonly values: ReadonlyMap<string, string>;
}

/** The definition as it is written into a file. */
export function writtenDefinition(draft: ServerDraft, where: ServersFile): Record<string, unknown> {
  return { ...writtenLaunch(draft.launch, where), ...writtenFields(otherFields.all, draft) };
}

export function writtenLaunch(launch: WrittenLaunch, where: ServersFile): Record<string, unknown> {
  const { args, oauth }: AnyLaunch = launch;
  return {
    type: launch.type,
    ...writtenFields(transports[launch.type].fields, launch),
    // Copilot CLI requires the list.
    ...(where === 'mcpJson' && args && { args }),
    // Other programs that read the file know scopes as a text.
    ...(oauth?.scopes && { oauth: { ...oauth, scopes: oauth.scopes.join(' ') } }),
  };
}

/** An input as it is written into `mcpHost.inputs`. */
export function writtenInput(input: InputDeclaration): object {
  return writtenFields(inputFields[input.type], input);
}

/** The definition of a draft after it is written into the file of `origin`. */
export function definitionOf(draft: ServerDraft, origin: DefinitionOrigin): ServerDefinition {
  const { launch, values: _, ...rest } = draft;
  return { disabled: false, ...rest, id: serverId(origin, draft.name), origin, ...launch };
}
