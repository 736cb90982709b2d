/**
 * Files that protect people, and the tests that have to notice each change of them. Tests that start processes or wait
 * for a lock are left out where others notice as much: each mutant runs them all.
 *
 * Most mutants that survive are equivalent: a default that adds a text where only objects count, a loop that ends
 * later with the same result, a check that the next step repeats, a write that is not flushed to the disk.
 *
 * @type {Readonly<Record<string, readonly string[]>>}
 */
export const mutatedFiles = {
  'src/host/gate/callPolicy.ts': ['gate/callPolicy'],
  'src/host/gate/pins/pins.ts': ['gate/pins/pins', 'gate/pinSequences'],
  'src/host/gate/pins/toolFingerprint.ts': ['gate/pins/toolFingerprint'],
  'src/host/gate/exposure.ts': ['gate/exposure'],
  'src/host/launch/fingerprint.ts': ['launch/fingerprint', 'launch/launchFingerprint'],
  'src/host/decisions/decisionStore.ts': ['decisions/decisionStore'],
  'src/host/roots/wantedRoots.ts': ['roots/rootsConsent', 'roots/rootsSummary'],
  'src/host/roots/rootTruth.ts': ['roots/rootTruth'],
  'src/host/sampling/request/readSamplingRequest.ts': ['sampling/request/readSamplingRequest'],
  'src/host/limits/requestRate.ts': ['limits/requestRate'],
  'src/host/sampling/samplingLimits.ts': ['sampling/samplingLimits'],
  'src/host/servers/admission.ts': ['servers/admission'],
};
