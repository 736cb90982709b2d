// A window that decides: node decisionWriter.ts <folder> <name> <count>. Prints each key once it is kept.
import { DecisionStore } from '../../../src/host/decisions/decisionStore.ts';
import { snapshotOf } from '../../../src/host/launch/question/launchSnapshot.ts';
import { legacyServer } from './definitions.ts';
import { launchOf, testKey } from './launches.ts';
import { decisionKinds } from '../../../src/host/review/decisionKinds.ts';
import type { LaunchDecision } from '../../../src/host/launch/question/launchDecision.ts';

const [folder = '', name = '', count = '0'] = process.argv.slice(2);
const snapshot = snapshotOf(launchOf(legacyServer(), { workingDirectory: '/w' }), testKey);
const store = new DecisionStore(decisionKinds, folder);
const decisionOf = (key: string, answer: 'allow' | 'deny'): LaunchDecision => ({
  kind: 'launch',
  key,
  answer,
  span: 'always',
  serverId: name,
  label: name,
  place: 'settings:user',
  at: Date.now(),
  fingerprint: key,
  snapshot,
});

const put = (key: string, answer: 'allow' | 'deny'): Promise<void> => store.put(decisionOf(key, answer));

for (let index = 0; index < Number(count); index += 1) {
  const key = `${name} ${index}`;
  await put(key, 'allow');
  process.stdout.write(`${key}\n`);
}
await put('shared', 'deny');
store.dispose();
