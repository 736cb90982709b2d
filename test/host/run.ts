// Runs the tests of this folder inside the extension host of a real VS Code. `-g <text>` runs those that match.
import { root } from '../editor/paths.mjs';
import { TemporaryFolder } from '../editor/temporaryFolder.ts';
import { multiRootWorkspace } from '../editor/workspaces.ts';
import { endWithSignals } from '../editor/endWithSignals.ts';
import { grepOption } from '../editor/grepOption.ts';
import { runInExtensionHost } from '../editor/inExtensionHost.ts';
import { serveProxy } from '../fixtures/servers/loopbackProxy.ts';
import { bundleHostTests, callerExtension, hostSuite, modelsExtension } from './bundle.ts';

endWithSignals();
await bundleHostTests();
const workspace = multiRootWorkspace();
const temporary = new TemporaryFolder('host-tests');
const proxy = await serveProxy();
const output = temporary.join('output.txt');
const grep = grepOption();
try {
  process.exitCode = await runInExtensionHost({
    extension: root,
    suite: hostSuite,
    workspace: workspace.file,
    output,
    server: {
      unpacked: [callerExtension, modelsExtension],
      env: {
        HOST_TEST_OUTPUT: output,
        HTTP_PROXY: proxy.url,
        NO_PROXY: '127.0.0.1,localhost',
        ...(grep === undefined ? {} : { MOCHA_GREP: grep }),
      },
    },
  });
} finally {
  await proxy.close();
  temporary.remove();
  workspace.folder.remove();
}
