import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { promisify } from 'node:util';
import { ModelNames } from '../../src/host/gateway/modelNames.ts';
import { tokensOfTools } from '../../src/host/tools/tokenEstimate.ts';
import { TemporaryFolder } from '../editor/temporaryFolder.ts';
import { legacyServer } from '../unit/support/definitions.ts';
import { GatewayBed } from '../unit/support/gatewayBed.ts';

/** A server of others with hundreds of tools, in the version whose tools were counted. */
const office = '@softeria/ms-365-mcp-server@0.155.0';
const count = 344;
const installMs = 300_000;

suite('A server with hundreds of tools', function () {
  this.timeout(installMs);
  let folder: TemporaryFolder;
  let bed: GatewayBed;

  suiteSetup(async () => {
    folder = new TemporaryFolder('soak');
    await promisify(execFile)(
      'npm',
      ['install', '--no-audit', '--no-fund', '--prefix', folder.path, office],
      {
        shell: process.platform === 'win32',
      },
    );
    // All of them, beyond the 128 that the editor takes.
    bed = new GatewayBed({}, count);
  });

  suiteTeardown(async () => {
    await bed?.close();
    folder?.remove();
  });

  test('is pinned, counted and served whole, under one name for each tool', async () => {
    const server = {
      ...legacyServer(),
      command: process.execPath,
      args: [folder.join('node_modules/@softeria/ms-365-mcp-server/dist/index.js'), '--org-mode'],
      env: { HOME: folder.path, USERPROFILE: folder.path },
    };
    const delay = monitorEventLoopDelay({ resolution: 5 });
    delay.enable();
    const endpoint = await bed.serve(server);
    const client = await bed.client(endpoint, 'legacy');
    const { tools } = await client.listTools();
    delay.disable();

    const listed = bed.tools.of(server.id);
    assert.equal(listed.length, count);
    assert.ok(listed.every(({ standing }) => standing.kind === 'known'));
    assert.equal(new Set(tools.map(({ name }) => name)).size, count);
    assert.ok(tools.every(({ name }) => new RegExp(`^[a-zA-Z0-9_-]{1,46}$`).test(name)));
    const names = new ModelNames(listed.map(({ tool }) => tool.name));
    assert.deepEqual(
      new Set(tools.map(({ name }) => names.toolName(name))),
      new Set(listed.map(({ tool }) => tool.name)),
    );
    console.log(
      `      ${count} tools, about ${tokensOfTools(listed)} tokens; held up for at most ${Math.round(delay.max / 1e6)} ms.`,
    );
  });
});
