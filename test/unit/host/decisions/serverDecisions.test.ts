import assert from 'node:assert/strict';
import { ServerDecisions } from '../../../../src/host/decisions/serverDecisions.ts';
import { serverId, type ServerDefinition } from '../../../../src/host/config/serverDefinition.ts';
import { AgentGrants } from '../../../../src/host/gate/agentGrants.ts';
import { CallDecisions, type DecidedCall } from '../../../../src/host/gate/callDecisions.ts';
import { SamplingDecisions } from '../../../../src/host/sampling/samplingDecisions.ts';
import { legacyServer } from '../../support/definitions.ts';
import { extension } from '../../support/gateBed.ts';
import { ToolsBed } from '../../support/toolsBed.ts';
import {
  launchDecisionKind,
  type LaunchDecision,
} from '../../../../src/host/launch/question/launchDecision.ts';
import { isOf } from '../../../../src/host/decisions/decisionStore.ts';
import { uriOnDisk } from '../../support/onDisk.ts';

const notes = { uri: uriOnDisk('/projects/notes'), name: 'notes' };
const shop = { uri: uriOnDisk('/projects/shop'), name: 'shop' };
const git = legacyServer([], { name: 'git' });
const renamed: ServerDefinition = { ...git, name: 'github', id: serverId(git.origin, 'github') };

suite('What was decided about a server', () => {
  let bed: ToolsBed;
  let decisions: ServerDecisions;
  let grants: AgentGrants;
  let calls: CallDecisions;
  let sampling: SamplingDecisions;

  setup(() => {
    bed = new ToolsBed();
    bed.folders = [notes, shop];
    decisions = new ServerDecisions(bed.decisions);
    grants = new AgentGrants(bed.decisions);
    calls = new CallDecisions(bed.decisions, { folders: [notes, shop] });
    sampling = new SamplingDecisions(bed.decisions, Date.now);
  });
  teardown(async () => {
    [grants, calls, sampling].forEach((one) => one.dispose());
    await bed.close();
  });

  const launchOf = (definition: ServerDefinition): string => bed.host.runningLaunchOf(definition.id) ?? '';
  const call = (definition: ServerDefinition): DecidedCall => ({
    serverId: definition.id,
    caller: extension,
    target: { kind: 'tool', name: 'list' },
    launch: launchOf(definition),
  });
  const policyOf = (definition: ServerDefinition): unknown =>
    sampling.factsOf(definition.id, 'inCall', () => launchOf(definition)).decision?.policy;
  const successor = () => ({
    id: renamed.id,
    label: 'github',
    launches: decisions.ofKind(launchDecisionKind, git.id).map(({ fingerprint }) => fingerprint),
  });

  /** One decision of each kind. */
  const decideAll = async (): Promise<void> => {
    await bed.runCompared(git);
    await bed.roots.chooseAmong({ definition: git, label: 'git' }, [notes.uri, shop.uri], [shop.uri]);
    await bed.tools.expose(git.id, false, 'list');
    await bed.tools.trust(git.id, true);
    await grants.grant(git.id, true);
    await calls.remember(call(git), 'git', { answer: 'run', span: 'workspace', scope: 'one' });
    await sampling.set({ id: git.id, label: 'git', launch: () => launchOf(git) }, ['inCall'], 'session');
    await bed.host.useDefinition({
      definition: { ...git, origin: { ...git.origin, scope: 'folder' } },
      by: git,
    });
  };

  test('has the key that its content gives, whatever its kind', async () => {
    await decideAll();
    const all = bed.decisions.all();
    assert.deepEqual(
      new Set(all.map(({ kind }) => kind)),
      new Set(['launch', 'roots', 'exposure', 'trust', 'grant', 'call', 'sampling', 'preference', 'pinned']),
    );
    for (const decision of all) {
      assert.equal(bed.decisions.keyOfDecision(decision), decision.key, decision.kind);
    }
  });

  test('goes on under another name, so that nothing is asked again', async () => {
    await decideAll();
    const kinds = decisions.of(git.id).map(({ kind }) => kind);
    await decisions.copy(git.id, successor());
    await Promise.all(successor().launches.map((launch) => bed.pins.copy(git.id, renamed.id, launch)));
    bed.configure([renamed]);
    await bed.until(renamed, 'running');
    await bed.untilCompared(renamed);
    await decisions.forget(git.id);
    await bed.decisions.settled();

    assert.deepEqual(bed.questions.questions, []);
    assert.deepEqual(
      bed.host.rootsOf(renamed).shared.map(({ uri }) => uri),
      [shop.uri],
    );
    assert.equal(bed.tool(renamed, 'list').isExposed, false);
    assert.ok(Object.values(bed.standings(renamed)).every((standing) => standing === 'known'));
    assert.equal(bed.tools.isTrusted(renamed.id), true);
    assert.equal(grants.isGranted(renamed.id), true);
    assert.equal(calls.remembered(call(renamed)), 'allow');
    assert.equal(policyOf(renamed), 'session');
    assert.deepEqual(decisions.of(git.id), []);
    assert.deepEqual(
      decisions
        .of(renamed.id)
        .map(({ kind }) => kind)
        .toSorted(),
      kinds.toSorted(),
    );
    assert.ok(decisions.of(renamed.id).every(({ label }) => label === 'github'));
  });

  test('is what was decided about this server: of a former one with its name only denials go on', async () => {
    await grants.grant(renamed.id, true);
    await calls.remember({ ...call(renamed), launch: 'former' }, 'former', {
      answer: 'refuse',
      span: 'always',
      scope: 'one',
    });
    await bed.run(git);
    await decisions.copy(git.id, successor());
    assert.equal(grants.isGranted(renamed.id), false);
    assert.equal(calls.remembered(call(renamed)), 'deny');
  });

  test('is not carried over a denial of the same', async () => {
    await bed.run(git);
    const [allowed] = decisions.ofKind(launchDecisionKind, git.id);
    assert.ok(allowed);
    const { id: _, ...launch } = allowed;
    const denied: LaunchDecision = { ...launch, serverId: renamed.id, answer: 'deny' };
    await bed.decisions.put({ ...denied, key: bed.decisions.keyOfDecision(denied) });
    await decisions.copy(git.id, successor());
    bed.configure([renamed]);
    assert.equal(bed.stateOf(renamed), 'denied');
  });

  test('is forgotten as a whole, and put back as a whole', async () => {
    await decideAll();
    const before = decisions.of(git.id);
    await decisions.forget(git.id);
    assert.deepEqual(decisions.of(git.id), []);
    await decisions.restore(before);
    const withoutEntries = (all: typeof before): unknown =>
      all.map((one) => ({ ...one, id: '' })).toSorted((a, b) => (a.key < b.key ? -1 : 1));
    assert.deepEqual(withoutEntries(decisions.of(git.id)), withoutEntries(before));
  });

  test('is not put back over what was decided meanwhile', async () => {
    await bed.run(git);
    const before = decisions.of(git.id);
    await decisions.forget(git.id);
    const launch = before.find((one) => isOf(launchDecisionKind, one));
    assert.ok(launch);
    const denied = { ...launch, answer: 'deny' };
    await bed.decisions.put(denied);
    await decisions.restore(before);
    const [now] = decisions.ofKind(launchDecisionKind, git.id);
    assert.equal(now?.answer, 'deny');
  });
});
