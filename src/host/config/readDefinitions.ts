import { isRecord } from '../../base/record.ts';
import { definitionBounds } from '../errors/bounds.ts';
import { excessOf } from '../json/weight.ts';
import { ProblemList } from './problemList.ts';
import { readInputs } from './readInputs.ts';
import { readMcpJson } from './readMcpJson.ts';
import { readServer } from './readServer.ts';
import type {
  DefinitionOrigin,
  DefinitionProblem,
  DefinitionReading,
  ServerDefinition,
} from './serverDefinition.ts';

/** What one layer holds: `mcpHost.servers` and `mcpHost.inputs` in it, or the text of a `.mcp.json`. */
export type DefinitionLayer =
  | { readonly origin: DefinitionOrigin; readonly servers: unknown; readonly inputs?: unknown }
  | { readonly origin: DefinitionOrigin; readonly text: string }
  /** The file is there, but could not be read. */
  | { readonly origin: DefinitionOrigin; readonly unreadable: string };

const serverMost = {
  values: definitionBounds.serverValues,
  characters: definitionBounds.serverCharacters,
} as const;

/**
 * Reads each layer by itself; what is wrong in one definition costs that definition only. An input
 * belongs to the layer that declares it: no other layer's definitions get its value.
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
  if ('unreadable' in layer) {
    file.error(`This file could not be read: ${layer.unreadable}`);
    return { definitions: [], problems: file.problems };
  }
  if ('text' in layer && layer.text.length > definitionBounds.bytes) {
    file.error('This file is larger than 1 MB.');
    return { definitions: [], problems: file.problems };
  }
  const parts = 'text' in layer ? readMcpJson(layer.text, file) : layer;
  if (!parts) {
    return { definitions: [], problems: file.problems };
  }
  const { inputs, problems: inputProblems } = readInputs(origin, parts.inputs);
  const problems: DefinitionProblem[] = [...inputProblems];
  const definitions: ServerDefinition[] = [];
  if (isRecord(parts.servers)) {
    const servers = Object.entries(parts.servers);
    for (const [name, value] of servers.slice(0, definitionBounds.servers)) {
      const reading = excessOf([name, value], serverMost)
        ? tooLarge(origin, name)
        : readServer(origin, name, value, inputs);
      problems.push(...reading.problems);
      definitions.push(...reading.definitions);
    }
    const [first] = servers.slice(definitionBounds.servers);
    if (first) {
      const list = new ProblemList(origin, 'servers');
      list.error(
        `Only the first ${definitionBounds.servers} servers here are read; this one and those after it are left out.`,
        { path: [first[0]] },
      );
      problems.push(...list.problems);
    }
  } else if (parts.servers !== undefined) {
    const servers = new ProblemList(origin, 'servers');
    servers.error('The servers must be an object of the form { "name": { "command": "…" } }.', { path: [] });
    problems.push(...servers.problems);
  }
  return { definitions, problems: problems.slice(0, definitionBounds.problems) };
}

function tooLarge(origin: DefinitionOrigin, name: string): DefinitionReading {
  const list = new ProblemList(origin, 'servers');
  list.error('The definition of this server is too large to be read.', { path: [name] });
  return { definitions: [], problems: list.problems };
}
