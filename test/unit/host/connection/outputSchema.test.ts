import assert from 'node:assert/strict';
import { fileURLToPath } from 'node:url';
import type { ServerConnection } from '../../../../src/host/connection/serverConnection.ts';
import type { Fault } from '../../../../src/host/traffic/trafficEntry.ts';
import { HostError } from '../../../../src/host/errors/hostError.ts';
import { ConnectionBed, textOf } from '../../support/connectionBed.ts';
import { stdioServer } from '../../support/definitions.ts';
import { perTest } from '../../support/perTest.ts';
import { until } from '../../support/until.ts';

const script = fileURLToPath(new URL('../../../fixtures/servers/wireServer.ts', import.meta.url));
const named = { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] };
const endless = { type: 'object', properties: { name: { type: 'string', pattern: '^(a+)+$' } } };

function nested(depth: number): object {
  return depth === 0 ? { type: 'string' } : { type: 'object', properties: { a: nested(depth - 1) } };
}

suite('A result', () => {
  let bed: ConnectionBed;
  perTest(() => (bed = new ConnectionBed()));

  for (const [era, ...switches] of [['legacy'], ['modern', '--modern']]) {
    suite(`of a ${era} server`, () => {
      async function started(schema: unknown): Promise<ServerConnection> {
        const args = [script, ...switches, `--schema=${JSON.stringify(schema)}`];
        const connection = bed.connection(stdioServer(args));
        await connection.start();
        await connection.catalogue?.listing('tools');
        return connection;
      }

      test('has the structured content that its tool promises', async () => {
        const connection = await started(named);
        const { structuredContent } = await connection.callTool('shaped', { value: { name: 'a' } });
        assert.deepEqual(structuredContent, { name: 'a' });
      });

      for (const [what, args] of [
        ['another one', { value: { name: 1 } }],
        ['none', {}],
      ] as const) {
        test(`is invalid with ${what}, and the connection goes on`, async () => {
          const connection = await started(named);
          const { traffic } = connection;
          traffic.record();
          await assert.rejects(connection.callTool('shaped', args), (error) => {
            assert.ok(error instanceof HostError && error.code === 'protocol');
            return /structured content does not match the tool's output schema: ./.test(error.message);
          });
          assert.equal(connection.state.kind, 'running');
          const faults = (): readonly Fault[] => traffic.entries.flatMap((entry) => entry.faults);
          await until(() => faults().length > 0, 'the fault is recorded', traffic.onDidChange);
          assert.match(
            faults()[0]?.text ?? '',
            /^structured content does not match the tool's output schema: ./,
          );
        });
      }

      test('that is a failure needs none', async () => {
        const connection = await started(named);
        const { isError } = await connection.callTool('shaped', { isError: true });
        assert.equal(isError, true);
      });

      test('is checked for a limited time', async () => {
        const connection = await started(endless);
        const begin = performance.now();
        await assert.rejects(
          connection.callTool('shaped', { value: { name: `${'a'.repeat(60)}!` } }),
          /the check took more than 1000 ms/,
        );
        assert.ok(performance.now() - begin < 60_000);
      });

      for (const [what, schema, reason] of [
        ['is too deep', nested(100), /levels deep/],
        ['refers elsewhere', { type: 'object', $ref: 'https://example.org/a.json' }, /not fetched/],
        ['is of no known dialect', { ...named, $schema: 'https://example.org/own' }, /cannot be used/],
        ['has no pattern that is one', { ...endless, patternProperties: { '(': {} } }, /cannot be used/],
      ] as const) {
        test(`is not asked for where its schema ${what}`, async () => {
          const connection = await started(schema);
          await assert.rejects(connection.callTool('shaped', { value: {} }), reason);
          const heard = JSON.parse(await textOf(connection.callTool('heard', {}))) as readonly object[];
          assert.ok(!JSON.stringify(heard).includes('"shaped"'), 'the tool was not called');
        });
      }
    });
  }
});
