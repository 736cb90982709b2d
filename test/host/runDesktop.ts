// Runs the host tests in a desktop VS Code: the one that VSCODE_EXECUTABLE names, or a downloaded one.
import { root } from '../editor/paths.mjs';
import { TemporaryFolder } from '../editor/temporaryFolder.ts';
import { multiRootWorkspace } from '../editor/workspaces.ts';
import { runTests } from '@vscode/test-electron';
import { buildExtension } from '../editor/build.ts';
import { grepOption } from '../editor/grepOption.ts';
import { bundleHostTests, callerExtension, hostSuite, modelsExtension } from './bundle.ts';

buildExtension();
await bundleHostTests();
const workspace = multiRootWorkspace();
const user = new TemporaryFolder('desktop');
const executable = process.env['VSCODE_EXECUTABLE'];
const grep = grepOption();
try {
  process.exitCode = await runTests({
    ...(executable === undefined
      ? { version: process.env['VSCODE_VERSION'] ?? 'stable' }
      : { vscodeExecutablePath: executable }),
    extensionDevelopmentPath: [root, callerExtension, modelsExtension],
    extensionTestsPath: hostSuite,
    extensionTestsEnv: grep === undefined ? {} : { MOCHA_GREP: grep },
    launchArgs: [workspace.file, '--user-data-dir', user.path, '--disable-extensions', '--disable-telemetry'],
  });
} catch (error) {
  console.error(error);
  process.exitCode = 1;
} finally {
  user.remove();
  workspace.folder.remove();
}
