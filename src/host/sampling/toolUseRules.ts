import { malformed, quoted } from './readSamplingParts.ts';
import type { SamplingMessage, SamplingPart } from './samplingRequest.ts';

/**
 * Checks that uses and results of tools are in balance (2025-11-25 client/sampling, tool result content and tool
 * use and result balance): a message with results is the user's and holds nothing else, and answers exactly the
 * uses of the assistant's message before it.
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
      throw malformed(`'${at}' uses a tool, which only messages of the assistant do.`);
    }
    if (results.length > 0 && (role !== 'user' || results.length < content.length)) {
      throw malformed(
        `'${at}' has a tool's result, which only messages of the user have that hold nothing else.`,
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
