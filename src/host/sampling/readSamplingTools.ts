import { isRecord } from '../../base/record.ts';
import { malformed, quoted, readName, readObject } from './readSamplingParts.ts';
import type { SamplingRequest, SamplingTool } from './samplingRequest.ts';

const MAX_TOOLS = 128;

/**
 * The tools that a server offers to a model (2025-11-25 client/sampling, tools in sampling). A revision that does
 * not know them has declared none, and then a request with tools is an error.
 *
 * @throws SamplingFailure malformed.
 */
export function readTools(value: unknown, knowsTools: boolean): readonly SamplingTool[] {
  if (value === undefined) {
    return [];
  }
  mustKnow(knowsTools, 'tools');
  if (!Array.isArray(value) || value.length > MAX_TOOLS) {
    throw malformed(`'tools' must be a list of at most ${MAX_TOOLS} tools.`);
  }
  const tools = value.map((tool, index) => readTool(tool, `tools[${index}]`));
  const names = new Set<string>();
  for (const { name } of tools) {
    if (names.has(name)) {
      throw malformed(`'tools' has two tools of the name '${quoted(name)}'.`);
    }
    names.add(name);
  }
  return tools;
}

/** @throws SamplingFailure malformed. */
export function readToolChoice(
  value: unknown,
  tools: readonly SamplingTool[],
  knowsTools: boolean,
): SamplingRequest['toolChoice'] {
  if (value === undefined) {
    return 'auto';
  }
  mustKnow(knowsTools, 'toolChoice');
  const mode = isRecord(value) ? (value['mode'] ?? 'auto') : undefined;
  if (mode !== 'auto' && mode !== 'required' && mode !== 'none') {
    throw malformed("The 'mode' of 'toolChoice' must be 'auto', 'required' or 'none'.");
  }
  if (mode === 'required' && tools.length === 0) {
    throw malformed("'toolChoice' requires a tool, but there are no tools.");
  }
  return mode;
}

function readTool(tool: unknown, at: string): SamplingTool {
  if (!isRecord(tool)) {
    throw malformed(`'${at}' must be a tool.`);
  }
  const { description = '' } = tool;
  if (typeof description !== 'string') {
    throw malformed(`'${at}.description' must be a text.`);
  }
  const inputSchema = readObject(tool['inputSchema'], `${at}.inputSchema`);
  if (inputSchema['type'] !== 'object') {
    throw malformed(`'${at}.inputSchema' must be of the type 'object'.`);
  }
  return { name: readName(tool['name'], `${at}.name`), description, inputSchema };
}

function mustKnow(knowsTools: boolean, what: string): void {
  if (!knowsTools) {
    throw malformed(`'${what}' was not declared for this revision of the protocol (sampling.tools).`);
  }
}
