import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { fingerprintOf } from '../../../../src/host/launch/fingerprint.ts';
import { launchChanges } from '../../../../src/host/launch/question/launchChanges.ts';
import { snapshotOf } from '../../../../src/host/launch/question/launchSnapshot.ts';
import { launchText } from '../../support/shownLaunch.ts';
import { launchWarnings } from '../../../../src/host/launch/warnings/launchWarnings.ts';
import { readDefinitions, type DefinitionLayer } from '../../../../src/host/config/readDefinitions.ts';
import { fieldsOf } from '../../../../src/host/config/fields.ts';
import {
  launchOf as writtenLaunchOf,
  type DefinitionOrigin,
  type ServerDefinition,
} from '../../../../src/host/config/serverDefinition.ts';
import { labelsOf, withoutShadowed } from '../../../../src/host/config/serverNames.ts';
import { sampleDefinition, sampleId, samplePlace } from '../../../../src/host/added/addedDefinitions.ts';
import type { ResolvedLaunch } from '../../../../src/host/launch/resolvedLaunch.ts';
import { ofUser, stdioServer } from '../../support/definitions.ts';
import { launchOf, startedAs, testKey } from '../../support/launches.ts';

const env = { ELECTRON_RUN_AS_NODE: '1' };
const old = sampleDefinition('/ext/mcp-host-0.1.0/dist/sampleServer.cjs', { command: '/editor-1/node', env });
const updated = sampleDefinition('/ext/mcp-host-0.2.0/dist/sampleServer.cjs', {
  command: '/editor-2/node',
  env,
});

const folder = { uri: 'file:///projects/api', name: 'api' };
const origins: readonly DefinitionOrigin[] = [
  ofUser,
  { scope: 'workspace', format: 'settings', place: 'file:///w' },
  { scope: 'folder', format: 'settings', place: 'file:///f', folder },
  { scope: 'folder', format: 'mcpJson', place: 'file:///f/.mcp.json', folder },
];

function launch(definition: ServerDefinition): ResolvedLaunch {
  return launchOf(definition, { folders: [folder] });
}

function layer(origin: DefinitionOrigin, servers: unknown): DefinitionLayer {
  return origin.format === 'mcpJson'
    ? { origin, text: JSON.stringify({ mcpServers: servers }) }
    : { origin, servers };
}

suite('The sample server of two installations', () => {
  test('is one server with one launch', () => {
    assert.equal(updated.id, old.id);
    assert.equal(writtenLaunchOf(updated), writtenLaunchOf(old));
    assert.equal(fingerprintOf(launch(updated)), fingerprintOf(launch(old)));
  });

  test('is kept without their paths, and nothing has changed between them', () => {
    const before = snapshotOf(launch(old), testKey);
    assert.doesNotMatch(JSON.stringify(before), /ext|editor/);
    assert.deepEqual(launchChanges(before, snapshotOf(launch(updated), testKey, before.salt)), []);
  });

  test('is shown as what it is in each', () => {
    assert.equal(
      launchText(old, '/home/me'),
      [
        "Program: The sample server that comes with MCP Host, run by the editor's own Node",
        'Command: /editor-1/node',
        'Argument 1: /ext/mcp-host-0.1.0/dist/sampleServer.cjs',
        'Working directory: /home/me',
        'Environment variables:',
        '  ELECTRON_RUN_AS_NODE: •••',
      ].join('\n'),
    );
    assert.deepEqual(launchWarnings(launch(old), ['/projects/api']), []);
    assert.equal(launchWarnings(launch(old), ['/ext']).length, 1);
  });

  test('runs what is shown, whatever its paths look like', async () => {
    const odd = sampleDefinition('/ext/${userHome}/x.cjs', { command: '/${env:PATH}/node', env });
    const context = { folders: [], home: '/home/me', env: {}, input: () => Promise.reject(new Error()) };
    const expanded = await startedAs(odd, context);
    assert.deepEqual(expanded.type === 'stdio' && [expanded.command, expanded.args], [
      '/${env:PATH}/node',
      ['/ext/${userHome}/x.cjs'],
    ]);
  });

  test('starts in the home directory, in no folder of the workspace', () => {
    assert.equal(launch(old).workingDirectory, '/home/me');
  });
});

suite('No file defines the sample server', () => {
  const claims = {
    ...old,
    scope: 'extension',
    format: 'extension',
    place: samplePlace,
    type: 'stdio',
    program: 'sample',
  };
  for (const origin of origins) {
    test(`by what it says of itself: ${origin.scope}, ${origin.format}`, () => {
      const { definitions } = readDefinitions([layer(origin, { sample: claims, [sampleId]: claims })]);
      for (const definition of definitions) {
        assert.deepEqual(definition.origin, origin);
        assert.notEqual(definition.id, sampleId);
        assert.ok(!('program' in definition));
        assert.notEqual(fingerprintOf(launch(definition)), fingerprintOf(launch(old)));
      }
    });

    test(`by the same command and arguments: ${origin.scope}, ${origin.format}`, () => {
      const { command, args } = old;
      const { definitions } = readDefinitions([layer(origin, { sample: { command, args, env } })]);
      assert.equal(definitions.length, 1);
      const [copy] = definitions;
      assert.ok(copy && copy.id !== sampleId);
      assert.notEqual(fingerprintOf(launch(copy)), fingerprintOf(launch(old)));
      // Nor is it spared what anything else is warned of.
      assert.match(launchWarnings(launch(copy), []).join(), /ELECTRON_RUN_AS_NODE/);
    });
  }

  test('whatever it is called and has', () => {
    const values = fc.dictionary(
      fc.constantFrom(
        'command',
        'program',
        'origin',
        'id',
        'args',
        'type',
        ...Object.keys({ ...fieldsOf('stdio'), ...fieldsOf('http') }),
      ),
      fc.oneof(fc.constant('sample'), fc.constant(old.origin), fc.constant(['sample']), fc.jsonValue()),
    );
    fc.assert(
      fc.property(fc.string(), values, fc.constantFrom(...origins), (name, value, origin) => {
        const { definitions } = readDefinitions([layer(origin, { [name]: value })]);
        return definitions.every(
          (one) => one.id !== sampleId && !('program' in one) && one.origin === origin,
        );
      }),
    );
  });
});

suite('A server called as the sample server is', () => {
  test('runs beside it, each under a label of its own', () => {
    const own = stdioServer(['x'], { name: 'sample' });
    const [, origin] = origins;
    const ofWorkspace = stdioServer(['y'], { name: 'sample', origin: origin ?? ofUser });
    const { effective, shadowed } = withoutShadowed([own, ofWorkspace, old], () => false);
    assert.deepEqual(effective, [own, old]);
    assert.deepEqual(shadowed, [{ definition: ofWorkspace, by: own }]);
    assert.deepEqual([...labelsOf(effective).values()], ['sample (user)', 'sample (MCP Host)']);
  });

  test('of the workspace is not hidden', () => {
    const [, origin] = origins;
    const ofWorkspace = stdioServer(['y'], { name: 'sample', origin: origin ?? ofUser });
    assert.deepEqual(withoutShadowed([ofWorkspace, old], () => false).effective, [ofWorkspace, old]);
  });
});
