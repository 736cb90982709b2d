import type { DecisionKind } from '../decisions/decision.ts';
import { grantDecisionKind } from '../gate/agentGrants.ts';
import { callDecisionKind } from '../gate/callDecisions.ts';
import { exposureDecisionKind } from '../gate/exposure.ts';
import { pinnedDecisionKind, trustDecisionKind } from '../gate/toolDecisions.ts';
import { elicitationDecisionKind } from '../elicitation/elicitationDecision.ts';
import { valueDecisionKind } from '../launch/question/envFileValues.ts';
import { launchDecisionKind } from '../launch/question/launchDecision.ts';
import { rootsDecisionKind } from '../roots/rootsDecisions.ts';
import { recordingDecisionKind, sampleDecisionKind } from '../added/addedServers.ts';
import { samplingDecisionKind } from '../sampling/samplingDecision.ts';
import { preferenceDecisionKind } from '../servers/preferences.ts';

/** Every kind of decision that the store keeps. */
export const decisionKinds: readonly DecisionKind[] = [
  launchDecisionKind,
  valueDecisionKind,
  rootsDecisionKind,
  preferenceDecisionKind,
  sampleDecisionKind,
  recordingDecisionKind,
  exposureDecisionKind,
  grantDecisionKind,
  trustDecisionKind,
  pinnedDecisionKind,
  callDecisionKind,
  samplingDecisionKind,
  elicitationDecisionKind,
];
