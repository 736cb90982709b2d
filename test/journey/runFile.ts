// Runs the journeys of some files, which may share a window: node runFile.ts <file>… [-g <text>]. See run.ts.
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import Mocha from 'mocha';
import { endWithSignals } from '../editor/endWithSignals.ts';
import { keepFailure, watchFailures } from '../editor/failedTest.ts';
import { root } from '../editor/paths.mjs';
import { Report } from '../editor/report.ts';
import { endShared } from './sharedWindow.ts';

const journeyMs = 600_000;

endWithSignals();
const {
  positionals: files,
  values: { grep },
} = parseArgs({ allowPositionals: true, options: { grep: { type: 'string', short: 'g' } } });
const mocha = new Mocha({
  ui: 'tdd',
  timeout: journeyMs,
  reporter: Report,
  rootHooks: { afterEach: keepFailure, afterAll: endShared },
  ...(grep === undefined ? {} : { grep }),
});
files.forEach((file) => mocha.addFile(join(root, file)));
await mocha.loadFilesAsync();
const runner = mocha.run((failures) => {
  process.exitCode = failures === 0 ? 0 : 1;
});
watchFailures(runner);
