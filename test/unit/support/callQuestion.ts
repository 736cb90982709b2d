import { stdioServer } from './definitions.ts';
import { type CallQuestion, callQuestions } from '../../../src/host/gate/callQuestion.ts';

/** The question whether agent mode may run `write_file` on the server `git`. */
export function toolCall(more: Partial<CallQuestion> = {}): CallQuestion {
  return {
    kind: callQuestions,
    server: { definition: stdioServer([], { name: 'git' }), label: 'git' },
    caller: { kind: 'agentMode' },
    method: 'tools/call',
    target: 'write_file',
    warnings: [],
    claims: [],
    spans: ['once', 'session', 'workspace', 'always'],
    ...more,
  };
}
