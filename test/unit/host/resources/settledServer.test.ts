import assert from 'node:assert/strict';
import type { HostServer } from '../../../../src/host/servers/mcpHost.ts';
import { settledServer } from '../../../../src/host/resources/settledServer.ts';
import { legacyServer, resourceServer } from '../../support/definitions.ts';
import { HostBed } from '../../support/hostBed.ts';
import { perTest } from '../../support/perTest.ts';

/** Milliseconds that only a defect waits for. */
const LONG_MS = 240_000;

suite('settledServer', () => {
  const definition = resourceServer({ name: 'odd' });
  let bed: HostBed;
  perTest(() => (bed = new HostBed()));

  const find = (): HostServer | undefined => bed.host.server(definition.id);

  test('waits for a server that is defined later, and then for its start', async () => {
    bed.settings.autoStart = false;
    await bed.run();
    const settled = settledServer(bed.host, find, LONG_MS);
    bed.settings.autoStart = true;
    bed.configure([definition]);
    // It asks first: then it does not start at the moment.
    assert.equal((await settled)?.connection.state.kind, 'awaitingApproval');
    bed.answerAll('allow');
    await bed.until(definition, 'starting');
    assert.equal((await settledServer(bed.host, find, LONG_MS))?.connection.state.kind, 'running');
  });

  test('does not wait for one that is stopped', async () => {
    await bed.run(definition);
    await bed.host.stop(definition.id);
    assert.equal((await settledServer(bed.host, find, LONG_MS))?.connection.state.kind, 'stopped');
  });

  test('waits no longer than it may', async () => {
    assert.equal(await settledServer(bed.host, find, 0), undefined);
    assert.equal(await settledServer(bed.host, find, 20), undefined);
    const silent = legacyServer(['--silent-probe'], { name: 'silent', id: definition.id });
    bed.configure([silent]);
    bed.answerAll('allow');
    await bed.until(silent, 'starting');
    assert.equal((await settledServer(bed.host, find, 20))?.connection.state.kind, 'starting');
  });
});
