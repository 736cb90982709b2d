import { skipRest } from '../../editor/skipRest.ts';
import { closeBrowser, keepPicture } from './browser.ts';

/** What mocha does around all tests of pages: those of a suite go on from one another. */
export const mochaHooks = {
  async afterEach(this: Mocha.Context): Promise<void> {
    if (this.currentTest?.state === 'failed') {
      await keepPicture(this.currentTest.fullTitle());
      if (this.currentTest.parent) {
        skipRest(this.currentTest.parent);
      }
    }
  },
  afterAll: closeBrowser,
};
