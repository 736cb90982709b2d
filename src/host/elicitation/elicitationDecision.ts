import type { Decision, DecisionKind } from '../decisions/decision.ts';

/** You decided that a server can't ask you to fill in forms or to open addresses. */
export interface ElicitationDecision extends Decision {
  readonly kind: 'elicitation';
  readonly answer: 'deny';
}

export const elicitationDecisionKind: DecisionKind<ElicitationDecision> = {
  name: 'elicitation',
  isEntry: (fields) => fields['answer'] === 'deny',
  isDenial: () => true,
  words: {
    what: () => "can't ask you to fill in forms or open addresses",
    detail: () => 'Each request is declined',
    undone: () => 'The server can ask you again, from its next start on.',
  },
};
