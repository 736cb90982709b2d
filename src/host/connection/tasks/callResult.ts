import type { CallToolResult } from '@modelcontextprotocol/client';
import { isRecord } from '../../../base/values/record.ts';
import { HostError } from '../../errors/hostError.ts';
import { RELATED_TASK } from './taskMessages.ts';

/** Members of results that say which kind they are, or that only the protocol needs. */
const envelope: ReadonlySet<string> = new Set(['resultType', '_meta']);

/**
 * The result of a tool that ran as a task, as it comes without one; its content is sound, see `SoundResults`.
 *
 * @throws HostError `protocol` if the server answered the method with something else.
 */
export function callResult(result: unknown, method: string): CallToolResult {
  const { content = [], _meta: meta } = isRecord(result) ? result : { content: undefined };
  if (!isRecord(result) || !Array.isArray(content) || 'task' in result) {
    throw new HostError(
      'protocol',
      `the server answered '${method}' with something that is no result of a tool`,
    );
  }
  const others = Object.entries(isRecord(meta) ? meta : {}).filter(([name]) => name !== RELATED_TASK);
  return {
    ...Object.fromEntries(Object.entries(result).filter(([name]) => !envelope.has(name))),
    content,
    ...(others.length > 0 && { _meta: Object.fromEntries(others) }),
  };
}
