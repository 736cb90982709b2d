import assert from 'node:assert/strict';
import { callerText, isIdentified, unknownExtension } from '../../../../src/host/ledger/caller.ts';
import { namesOf, textOf } from '../../support/connectionBed.ts';
import { legacyServer } from '../../support/definitions.ts';
import { agentMode, extension, GateBed, person } from '../../support/gateBed.ts';
import { until } from '../../support/until.ts';
import type { CallSpan } from '../../../../src/host/gate/callQuestion.ts';

suite('An extension that cannot be identified', () => {
  test('is distinguished from all others', () => {
    assert.equal(isIdentified(unknownExtension), false);
    assert.ok([person, agentMode, extension].every(isIdentified));
    assert.equal(callerText(unknownExtension), 'An extension that could not be identified');
    assert.equal(callerText(extension), "The extension 'Helper'");
  });

  test('is asked about each time, whatever was answered', async () => {
    const bed = new GateBed();
    try {
      const server = legacyServer();
      await bed.hostBed.run(server);
      const connection = bed.hostBed.of(server);
      await until(
        () => namesOf(connection.catalogue?.tools).includes('echo'),
        'the tools are listed',
        connection.onDidChangeCatalogue,
      );
      const spans: readonly CallSpan[] = ['always', 'session', 'once'];
      for (const span of spans) {
        const call = bed.echo(unknownExtension, server);
        await bed.untilAsked();
        assert.deepEqual(bed.questions[0]?.spans, ['once']);
        await bed.answer({ answer: 'run', span, scope: 'server' });
        assert.equal(await textOf(call), 'hello');
      }
      assert.deepEqual(bed.ledger.lines, ['asked done', 'asked done', 'asked done']);
    } finally {
      await bed.close();
    }
  });
});
