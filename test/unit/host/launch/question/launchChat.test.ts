import assert from 'node:assert/strict';
import path from 'node:path';
import type { ServerDefinition } from '../../../../../src/host/config/serverDefinition.ts';
import { AgentGrants } from '../../../../../src/host/gate/agentGrants.ts';
import { InstallationKey } from '../../../../../src/host/launch/installationKey.ts';
import { LaunchApproval } from '../../../../../src/host/launch/question/launchApproval.ts';
import {
  launchQuestions,
  type LaunchAnswer,
  type LaunchQuestion,
  type LaunchView,
} from '../../../../../src/host/launch/question/launchQuestion.ts';
import type { DialogChoice } from '../../../../../src/host/questions/question.ts';
import { ConsentBed } from '../../../support/consentBed.ts';
import { stdioServer } from '../../../support/definitions.ts';
import { launchOf } from '../../../support/launches.ts';
import { shownOf } from '../../../support/questions.ts';

const definition = stdioServer(['-v'], { name: 'git' });
const meaning = 'Models see its tools.';

suite('The box for chat in the question about a launch', () => {
  let bed: ConsentBed;
  let grants: AgentGrants;
  let approval: LaunchApproval;
  let isAvailable: boolean;

  setup(() => {
    bed = new ConsentBed();
    isAvailable = true;
    const { decisions, roots } = bed.open();
    grants = new AgentGrants(decisions);
    const key = new InstallationKey(path.join(bed.directory, 'launch-key'));
    approval = new LaunchApproval(decisions, roots, key, {
      offerFor: ({ id }) => (isAvailable ? { isGranted: grants.isGranted(id), meaning } : undefined),
      grant: (id, label) => grants.grant(id, true, { label }),
    });
  });

  teardown(async () => {
    grants.dispose();
    await bed.close();
  });

  const ask = (asked: ServerDefinition = definition): LaunchQuestion =>
    approval.question({ launch: launchOf(asked), label: 'git', workspace: [] });

  const read = (question: LaunchQuestion, given: object): LaunchAnswer | undefined =>
    launchQuestions.readAnswer(question, { answer: 'allow', roots: [], ...given });

  async function record(question: LaunchQuestion, given: object): Promise<boolean> {
    const answer = read(question, given);
    assert.ok(answer, 'it is an answer');
    await approval.record(question, answer);
    return grants.isGranted(definition.id);
  }

  test('makes the server available only if it was selected and the launch was allowed', async () => {
    assert.equal(await record(ask(), {}), false);
    assert.equal(await record(ask(), { inChat: false }), false);
    assert.equal(await record(ask(), { answer: 'deny', inChat: true }), false);
    assert.equal(await record(ask(), { inChat: true }), true);
  });

  test('is no answer where it was not offered, or is not a box', () => {
    const question = ask();
    assert.equal(read(question, { inChat: 'yes' }), undefined);
    assert.equal(read(question, { inChat: 1 }), undefined);
    isAvailable = false;
    assert.equal(read(ask(), { inChat: true }), undefined);
    assert.deepEqual(read(ask(), { inChat: false }), { answer: 'allow', roots: [] });
  });

  test('is never selected in advance, whatever the definition says', () => {
    const wishful = { ...definition, inChat: true, chat: true } as ServerDefinition;
    const view = shownOf(ask(wishful)).view as LaunchView;
    assert.deepEqual(view.chat, { isGranted: false, meaning });
    const unopened = launchQuestions.readUnopened(ask(wishful), { roots: [] }, false);
    assert.deepEqual(unopened, { answer: 'allow', roots: [] });
  });

  test('is one of the buttons in a dialog, and not the one that Enter presses', async () => {
    const asked = async (title: string): Promise<readonly [readonly string[], LaunchAnswer | undefined]> => {
      let given: LaunchAnswer | undefined;
      let titles: readonly string[] = [];
      await launchQuestions.askInDialogs(ask(), {
        show: <C extends DialogChoice>({ choices }: { readonly choices: readonly C[] }) => {
          titles = choices.map((choice) => choice.title);
          return Promise.resolve(choices.find((choice) => choice.title === title));
        },
        answer: (answer) => (given = answer),
      });
      return [titles, given];
    };
    const [titles, allowed] = await asked('Allow');
    assert.deepEqual(titles, ["Don't Allow", 'Allow', 'Allow and Use in Chat']);
    assert.deepEqual(allowed, { answer: 'allow', roots: [] });
    assert.deepEqual((await asked('Allow and Use in Chat'))[1], { answer: 'allow', roots: [], inChat: true });
    assert.match(
      shownOf(ask()).text,
      /\n\nNot used in chat, unless you choose that\. Models see its tools\.$/,
    );
    isAvailable = false;
    assert.deepEqual((await asked('Allow'))[0], ["Don't Allow", 'Allow']);
  });

  test('is not there for a server that is available already, which stays so when its launch changes', async () => {
    await record(ask(), { inChat: true });
    const changed = ask({ ...definition, args: ['-x'] });
    assert.deepEqual((shownOf(changed).view as LaunchView).chat, { isGranted: true, meaning });
    assert.equal(read(changed, { inChat: true }), undefined);
    assert.equal(await record(changed, {}), true);
    await grants.grant(definition.id, false);
    assert.equal(await record(ask({ ...definition, args: ['-y'] }), {}), false);
  });

  test('names the server in the list of decisions before its definition is there', async () => {
    const named = { ...ask(), label: 'git (api)' };
    await assert.rejects(approval.record(named, { answer: 'allow', roots: [], inChat: true }));
    assert.equal(grants.isGranted(definition.id), false, 'only for a question that was asked');
    const question = approval.question({ launch: launchOf(definition), label: 'git (api)', workspace: [] });
    await approval.record(question, { answer: 'allow', roots: [], inChat: true });
    const kept = bed.open().decisions.all();
    assert.deepEqual(kept.map(({ kind, label }) => `${kind} ${label}`).toSorted(), [
      'grant git (api)',
      'launch git (api)',
    ]);
  });
});
