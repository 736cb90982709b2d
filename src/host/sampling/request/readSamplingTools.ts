import { isRecord } from '../../../base/values/record.ts';
import { malformed, quoted, readName, readObject } from './readSamplingContent.ts';
import type { SamplingMessage, SamplingPart, SamplingRequest, SamplingTool } from './samplingRequest.ts';

const MAX_TOOLS = 128;

/**
 * The tools that a server offers to a model (2025-11-25 client/sampling, tools in sampling). With an earlier revision,
 * tools were not declared, and a request with tools is an error.
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
  const names = tools.map(({ name }) => name);
  const twice = names.find((name, index) => names.indexOf(name) < index);
  if (twice !== undefined) {
    throw malformed(`'tools' has two tools of the name '${quoted(twice)}'.`);
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

/**
 * Checks that uses and results of tools match (2025-11-25 client/sampling, tool result content and tool use and result
 * balance): a message with results is the user's, has nothing else, and answers exactly the uses in the assistant's
 * message before it.
 *
 * @throws SamplingFailure malformed.
 */
export function checkToolUses(messages: readonly SamplingMessage[]): void {
  let open: ReadonlySet<string> = new Set();
  messages.forEach(({ role, content }, index) => {
    const at = `messages[${index}]`;
    const uses = idsOf(content, 'toolUse');
    const results = idsOf(content, 'toolResult');
    if (uses.length > 0 && role !== 'assistant') {
      throw malformed(`'${at}' uses a tool, which only a message of the assistant can do.`);
    }
    if (results.length > 0 && (role !== 'user' || results.length < content.length)) {
      throw malformed(
        `'${at}' has a tool's result, which only a message of the user can have, and nothing else with it.`,
      );
    }
    checkResults(results, open, at);
    open = new Set(uses);
    if (open.size < uses.length) {
      throw malformed(`'${at}' has two uses of tools with the same id.`);
    }
  });
  checkResults([], open, 'messages');
}

function checkResults(results: readonly string[], uses: ReadonlySet<string>, at: string): void {
  const answered = new Set<string>();
  for (const id of results) {
    if (!uses.has(id) || answered.has(id)) {
      throw malformed(`'${at}' has a result for '${quoted(id)}', which the message before it does not use.`);
    }
    answered.add(id);
  }
  for (const id of uses) {
    if (!answered.has(id)) {
      throw malformed(`The use '${quoted(id)}' of a tool has no result in the message after it ('${at}').`);
    }
  }
}

function idsOf(content: readonly SamplingPart[], kind: 'toolUse' | 'toolResult'): readonly string[] {
  return content.flatMap((part) => {
    if (part.kind !== kind) {
      return [];
    }
    return [part.kind === 'toolUse' ? part.id : part.toolUseId];
  });
}
