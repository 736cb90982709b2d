import assert from 'node:assert/strict';
import type { Workbench } from '../editor/workbench.ts';
import { beginRunning } from './runningServers.ts';
import { openServers } from './support.ts';

suite('The log level of a server', () => {
  let workbench: Workbench;

  suiteSetup(async () => {
    ({ workbench } = await beginRunning());
  });

  /** The rows of the pick that is opened, as `label, description`. */
  async function openPick(): Promise<readonly string[]> {
    const servers = await openServers(workbench);
    await servers.runFromMenu(['talking'], 'More', 'Set Log Level…');
    await workbench.quickInput.waitUntilOpen("Log Level of 'talking'");
    return (await workbench.quickInput.items()).map(({ label, description }) => `${label}, ${description}`);
  }

  test('is that of its log at first; the quick pick says what the log hides', async () => {
    assert.deepEqual((await openPick()).slice(0, 3), [
      'As the Log Shows, chosen · Info',
      'Debug, the log shows Info and above',
      'Info, ',
    ]);
    await workbench.screenshot('log-level');
    await workbench.quickInput.pick('Debug');
  });

  test('is the chosen one, until it is that of its log again', async () => {
    assert.equal((await openPick())[1], 'Debug, chosen · the log shows Info and above');
    await workbench.screenshot('log-level-chosen');
    await workbench.quickInput.pick('As the Log Shows');
    assert.equal((await openPick())[0], 'As the Log Shows, chosen · Info');
  });
});
