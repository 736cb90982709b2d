import assert from 'node:assert/strict';
import { isOffered } from '../../../../src/host/tools/hostTool.ts';
import { toolSummary } from '../../../../src/host/tools/toolSummary.ts';
import { legacyServer } from '../../support/definitions.ts';
import { ToolsBed } from '../../support/toolsBed.ts';
import { until } from '../../support/until.ts';

suite('What callers are given of tools', () => {
  let bed: ToolsBed;
  const server = legacyServer();
  const { id } = server;
  setup(async () => {
    bed = new ToolsBed();
    await bed.runCompared(server);
  });
  teardown(() => bed.close());

  const remote = { src: 'https://192.0.2.1/icon.png' };
  const embedded = { src: 'data:image/png;base64,AAAA' };
  const read = {
    name: 'read',
    title: 'Read',
    description: 'Reads.',
    inputSchema: { type: 'object', properties: { path: { type: 'string' } } },
    annotations: { readOnlyHint: true },
    icons: [remote, embedded],
    _meta: { ui: 'any' },
  };

  function exposed(): readonly string[] {
    return bed.tools
      .of(id)
      .filter((one) => isOffered(one))
      .map(({ tool }) => tool.name);
  }

  test('annotations only of servers whose claims are trusted, and nothing that would be fetched', async () => {
    await bed.list(server, [read]);
    const { name, title, description, inputSchema, annotations } = read;
    const plain = { name, title, description, inputSchema, icons: [embedded] };
    assert.deepEqual(bed.tool(server, 'read').offered, plain);
    assert.equal(bed.tool(server, 'read').offered.inputSchema, bed.tool(server, 'read').tool.inputSchema);
    assert.equal(bed.tools.isTrusted(id), false);

    await bed.tools.trust(id, true);
    assert.equal(bed.tools.isTrusted(id), true);
    assert.deepEqual(bed.tool(server, 'read').offered, { ...plain, annotations });

    await bed.tools.trust(id, false);
    assert.equal(bed.tools.isTrusted(id), false);
    assert.deepEqual(bed.tool(server, 'read').offered, plain);
  });

  test('no tool that its server offers to its apps alone', async () => {
    // What `@modelcontextprotocol/server-pdf` 2.0.4 lists.
    const forApps = [
      'read_pdf_bytes',
      'submit_page_data',
      'submit_save_data',
      'submit_viewer_state',
      'poll_pdf_commands',
      'save_pdf',
    ];
    const listed = (name: string, _meta?: object) => ({ name, inputSchema: { type: 'object' }, _meta });
    await bed.list(server, [
      listed('list_pdfs'),
      listed('display_pdf', { ui: { resourceUri: 'ui://pdf-viewer/mcp-app.html' } }),
      listed('interact'),
      ...forApps.map((name) => listed(name, { ui: { visibility: ['app'] } })),
      listed('odd', { ui: { visibility: 'app' } }),
    ]);
    await bed.acceptAll(server);
    assert.deepEqual(exposed(), ['list_pdfs', 'display_pdf', 'interact', 'odd']);
    assert.equal(toolSummary(bed.tools.of(id)).text.split(' · ')[0], '4 on');
  });

  test('claims are trusted for one launch', async () => {
    await bed.tools.trust(id, true);
    await bed.host.restart(id);
    assert.equal(bed.tools.isTrusted(id), true);
    bed.configure([{ ...server, env: { OTHER: '1' } }]);
    await until(() => bed.launches.length > 0, 'the launch is asked about', bed.questions.onDidChange);
    assert.equal(bed.tools.isTrusted(id), false);
    bed.answerAll('allow');
    await bed.until(server, 'running');
    assert.equal(bed.tools.isTrusted(id), false);
  });

  test('no trust for a server that does not run', async () => {
    await bed.host.stop(id);
    await assert.rejects(bed.tools.trust(id, true), { code: 'notRunning' });
  });

  test('only the tools that you expose, at once', async () => {
    await bed.list(server, [{ name: 'echo', inputSchema: { type: 'object' } }, read]);
    assert.deepEqual(exposed(), ['echo']);
    await bed.acceptAll(server);
    assert.deepEqual(exposed(), ['echo', 'read']);
    const told: string[] = [];
    bed.tools.onDidChange((one) => told.push(one));
    await bed.tools.expose(id, false, 'echo');
    assert.deepEqual(exposed(), ['read']);
    assert.deepEqual(told, [id]);
    assert.equal(bed.tools.check(id, 'echo')?.isExposed, false);
    await bed.tools.expose(id, false);
    assert.deepEqual(exposed(), []);
    await bed.tools.expose(id, true, 'echo');
    assert.deepEqual(exposed(), ['echo']);
    await bed.tools.expose(id, true);
    assert.deepEqual(exposed(), ['echo', 'read']);
  });

  test('many acts in a row, each after the one before', async () => {
    await Promise.all(
      ['echo', 'roots', 'cancel', 'answers'].map((name) => bed.tools.expose(id, false, name)),
    );
    assert.equal(bed.tools.of(id).filter(({ isExposed }) => !isExposed).length, 4);
  });

  test('what the definition says, until you decide otherwise', async () => {
    bed.configure([{ ...server, tools: { include: ['r*'], exclude: ['received'] } }]);
    assert.deepEqual(exposed(), ['roots']);
    await bed.tools.expose(id, true, 'echo');
    assert.deepEqual(exposed(), ['echo', 'roots']);
    bed.configure([server]);
    assert.ok(!exposed().includes('echo'));
    assert.ok(exposed().includes('received'));
  });

  test('what another window accepted and exposed', async () => {
    const other = bed.openWindow();
    try {
      await bed.untilCompared(server, other.tools);
      await bed.list(server, [read]);
      await other.tools.settled();
      assert.equal(bed.tool(server, 'read').standing.kind, 'added');
      await other.tools.accept(other.tools.changes(id) ?? assert.fail('nothing is held back'));
      await until(
        () => bed.tool(server, 'read').standing.kind === 'known',
        'the window hears of it',
        bed.tools.onDidChange,
      );
    } finally {
      other.tools.dispose();
      await other.tools.settled();
      other.pins.dispose();
      await other.pins.settled();
    }
  });
});
