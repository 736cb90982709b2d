// Runs the journeys: tests of the packaged extension in a real VS Code. `-g <text>` runs those that match.
import { globSync } from 'node:fs';
import { join } from 'node:path';
import Mocha from 'mocha';
import { CountedSpec } from '../editor/countedSpec.ts';
import { root } from '../editor/paths.mjs';
import { packageWhenStale } from '../editor/vsix.ts';
import { openWorkbenches } from '../editor/workbench.ts';
import { endWithSignals } from '../editor/endWithSignals.ts';
import { grepOption } from '../editor/grepOption.ts';

const journeyMs = 120_000;

endWithSignals();
packageWhenStale();
const grep = grepOption();
const mocha = new Mocha({
  ui: 'tdd',
  timeout: journeyMs,
  reporter: CountedSpec,
  rootHooks: { afterEach: pictureOfFailure },
  ...(grep === undefined ? {} : { grep }),
});
for (const file of globSync('test/journey/**/*.journey.ts', { cwd: root }).sort()) {
  mocha.addFile(join(root, file));
}
await mocha.loadFilesAsync();
mocha.run((failures) => {
  process.exitCode = failures === 0 ? 0 : 1;
});

async function pictureOfFailure(this: Mocha.Context): Promise<void> {
  if (this.currentTest?.state !== 'failed') {
    return;
  }
  for (const workbench of openWorkbenches) {
    console.log(`      picture: ${await workbench.screenshot(`FAILED-${this.currentTest.fullTitle()}`)}`);
  }
}
