import { isRecord } from '../../base/values/record.ts';
import { definitionBounds } from '../json/bounds.ts';
import { ProblemList } from './problemList.ts';
import { readInputs } from './readInputs.ts';
import { readMcpJson, type McpJsonParts } from './readMcpJson.ts';
import { readServer } from './readServer.ts';
import type { DefinitionOrigin, DefinitionReading } from './serverDefinition.ts';

/** What one layer holds: `mcpHost.servers` and `mcpHost.inputs` in it, or the text of a `.mcp.json`. */
export type DefinitionLayer =
  | { readonly origin: DefinitionOrigin; readonly servers: unknown; readonly inputs?: unknown }
  | { readonly origin: DefinitionOrigin; readonly text: string }
  /** The file exists, but could not be read: what ran from it goes on. */
  | { readonly origin: DefinitionOrigin; readonly unreadable: string }
  /** A file that isn't read where it is; `refused` says why and what to do. */
  | { readonly origin: DefinitionOrigin; readonly refused: string };

/** A file as it can be looked at, wherever it is. */
export interface DefinitionFile {
  stat(): PromiseLike<{ readonly isRegular: boolean; readonly size: number; readonly mtime: number }>;
  read(): PromiseLike<Uint8Array>;
}

/** The layer in a file, as it was at one moment. */
export async function layerOf(origin: DefinitionOrigin, file: DefinitionFile): Promise<DefinitionLayer> {
  const { isRegular, size, mtime } = await file.stat();
  // A read of a FIFO would never end.
  if (!isRegular) {
    return { origin, unreadable: 'it is not a regular file.' };
  }
  if (size > definitionBounds.bytes) {
    return { origin, unreadable: 'it is larger than 1 MB.' };
  }
  const bytes = await file.read();
  const after = await file.stat();
  return after.size === size && after.mtime === mtime
    ? { origin, text: new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes) }
    : { origin, unreadable: 'it changed meanwhile. Save it again if this stays.' };
}

/**
 * Reads each layer separately. What is wrong with one definition affects only that definition. An input belongs to
 * the layer that declares it: definitions of other layers never get its value.
 */
export function readDefinitions(layers: readonly DefinitionLayer[]): DefinitionReading {
  const readings = layers.map(readLayer);
  return {
    definitions: readings.flatMap(({ definitions }) => definitions),
    problems: readings.flatMap(({ problems }) => problems),
  };
}

function readLayer(layer: DefinitionLayer): DefinitionReading {
  const { origin } = layer;
  const file = new ProblemList(origin, 'file');
  const parts = partsOf(layer, file);
  if (!parts) {
    return { definitions: [], problems: file.problems };
  }
  const { inputs, problems } = readInputs(origin, parts.inputs);
  const list = new ProblemList(origin, 'servers');
  if (parts.servers !== undefined && !isRecord(parts.servers)) {
    list.error('The servers must be an object of the form { "name": { "command": "…" } }.', []);
  }
  const servers = Object.entries(isRecord(parts.servers) ? parts.servers : {});
  const readings = servers
    .slice(0, definitionBounds.servers)
    .map(([name, value]) => readServer(origin, name, value, inputs));
  const [first] = servers[definitionBounds.servers] ?? [];
  if (first !== undefined) {
    list.error(
      `Only the first ${definitionBounds.servers} servers are read; this one and those after it are left out.`,
      [first],
    );
  }
  const all = [
    ...file.problems,
    ...problems,
    ...readings.flatMap((reading) => reading.problems),
    ...list.problems,
  ];
  return {
    definitions: readings.flatMap(({ definitions }) => definitions),
    problems: all.slice(0, definitionBounds.problems),
  };
}

function partsOf(layer: DefinitionLayer, file: ProblemList): McpJsonParts | undefined {
  if ('unreadable' in layer) {
    return file.error(`This file can't be read: ${layer.unreadable}`);
  }
  if ('refused' in layer) {
    return file.warning(`This file isn't read. ${layer.refused}`);
  }
  if (!('text' in layer)) {
    return { servers: layer.servers, inputs: layer.inputs };
  }
  return layer.text.length > definitionBounds.bytes
    ? file.error('This file is larger than 1 MB.')
    : readMcpJson(layer.text, file);
}
