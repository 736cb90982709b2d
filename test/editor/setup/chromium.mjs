// Makes sure of a Chromium; on Debian as root it is installed.
import { chromiumPath } from '../chromiumPath.mjs';
import { root } from '../paths.mjs';
import { demandOwnPackages } from './ownPackages.mjs';
import { isOnPath, run } from './run.mjs';

/** @type {import('./steps.mjs').Step} */
export const chromium = {
  what: 'Chromium',
  weight: 30,
  isDone: () => chromiumPath() !== undefined,
  run: async () => {
    demandOwnPackages(root);
    const isRoot = process.getuid?.() === 0;
    if (isRoot && isOnPath('apt-get')) {
      const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
      // Another set-up may be at it.
      const wait = ['-o', 'DPkg::Lock::Timeout=120'];
      await run('apt-get', [...wait, 'update'], { env });
      await run('apt-get', [...wait, 'install', '-y', '--no-install-recommends', 'chromium-headless-shell'], {
        env,
      });
    }
    if (chromiumPath() === undefined) {
      throw new Error(
        'The tests need Chromium. Install Chromium or Google Chrome (on Debian: apt-get install chromium), ' +
          'or set CHROMIUM to the path of one.',
      );
    }
  },
};
