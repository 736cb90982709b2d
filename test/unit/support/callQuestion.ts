import type { CallQuestion } from '../../../src/host/questions/questionQueue.ts';
import { stdioServer } from './definitions.ts';

/** The question whether agent mode may run `write_file` on the server `git`. */
export function toolCall(more: Partial<CallQuestion> = {}): CallQuestion {
  return {
    kind: 'call',
    server: { definition: stdioServer([], { name: 'git' }), label: 'git' },
    door: { kind: 'agentMode' },
    method: 'tools/call',
    target: 'write_file',
    warnings: [],
    claims: [],
    spans: ['once', 'session', 'workspace', 'always'],
    ...more,
  };
}
