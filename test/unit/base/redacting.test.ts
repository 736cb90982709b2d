import assert from 'node:assert/strict';
import { redacted, redacting } from '../../../src/base/redacting.ts';
import { RecordingLogger } from '../support/recordingLogger.ts';

suite('Given values are left out', () => {
  for (const [text, values, expected] of [
    ['token s3cret-token.', ['s3cret-token'], 'token •••.'],
    ['s3cret s3cret', ['s3cret'], '••• •••'],
    ['short', ['short'], 'short'],
    ['prefix-long', ['prefix', 'prefix-long'], '•••'],
    ['{"a":"say \\"secret\\""}', ['say "secret"'], '{"a":"•••"}'],
    ['?key=a%2Fb%20c%26d', ['a/b c&d'], '?key=•••'],
    ['line of it', ['-----BEGIN\nline of it\n'], '•••'],
    ['$& stays', ['secret'], '$& stays'],
  ] as const) {
    test(`of ${JSON.stringify(text)}`, () => {
      assert.equal(redacted(text, values), expected);
    });
  }

  test('from a log, those too that become known later', () => {
    const log = new RecordingLogger();
    const secrets = new Set<string>();
    const logger = redacting(log, secrets);
    logger.log('info', 'password');
    secrets.add('password');
    logger.log('warn', 'password');
    assert.deepEqual(log.lines, ['info: password', 'warn: •••']);
    assert.equal(logger.isTracing, false);
    log.isTracing = true;
    assert.equal(logger.isTracing, true);
  });
});
