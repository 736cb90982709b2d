import { demoServers, fixtureServer } from '../editor/workspaces.ts';
import { beginShared, tidyShared, type SharedWindow } from './sharedWindow.ts';
import { isRunning, openServers, waitUntilRunning } from './support.ts';

/**
 * Servers of all kinds, for journeys that are about neither their start nor their end. Their names are used nowhere else,
 * because the window remembers what was used last.
 */
export const runningServers = {
  library: demoServers.everything,
  odd: fixtureServer('resourceServer.ts'),
  files: demoServers.filesystem,
  peer: fixtureServer('legacyServer.ts', '--prompts=odd,picture'),
  talking: fixtureServer('talkingServer.ts', '--legacy'),
};

/**
 * Begins a journey with {@link runningServers} allowed and running. If they run since the journey before, it takes them
 * as they are, because another begin costs seven seconds of processor time: each journey leaves them running, and may
 * expect no others, but not that nothing has been opened.
 */
export async function beginRunning(): Promise<SharedWindow> {
  const names = Object.keys(runningServers);
  const left = await tidyShared();
  if (left) {
    const rows = await (await openServers(left.workbench)).rows();
    if (names.every((name) => rows.some((row) => row.label === name && isRunning(row)))) {
      return left;
    }
  }
  const shared = await beginShared({ servers: runningServers });
  const { notifications, review } = shared.workbench;
  await notifications.press(/waiting for your decision/, 'Review');
  await review.waitFor(names.length);
  await review.selectAll();
  await review.allowSelected();
  await review.waitUntilClosed();
  const servers = await openServers(shared.workbench);
  for (const name of names) {
    await waitUntilRunning(servers, name);
  }
  return shared;
}
