import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { cutText, redacted, redacting } from '../../../../src/base/logging/redacting.ts';
import { RecordingLogger } from '../../support/recordingLogger.ts';

suite('Values are removed', () => {
  for (const [text, values, expected] of [
    ['token s3cret-token.', ['s3cret-token'], 'token •••.'],
    ['s3cret s3cret', ['s3cret'], '••• •••'],
    ['short', ['short'], 'short'],
    ['prefix-long', ['prefix', 'prefix-long'], '•••'],
    ['{"a":"say \\"secret\\""}', ['say "secret"'], '{"a":"•••"}'],
    ['?key=a%2Fb%20c%26d', ['a/b c&d'], '?key=•••'],
    ['line of it', ['-----BEGIN\nline of it\n'], '•••'],
    ['$& stays', ['secret'], '$& stays'],
    ['cut through: s3cret-t…', ['s3cret-token'], 'cut through: •••…'],
    ['cut through: s3cret-t', ['s3cret-token'], 'cut through: •••'],
    ['aaaaaaaaaaaa', ['aaaaaaab'], 'aaaaa•••'],
    ['abababab ababab…abc', ['abababac'], 'abababab •••…abc'],
    ['abcabcabcabcabx', ['abcabcabd'], 'abcabcabcabcabx'],
    ['abcabcabcabcab', ['abcabcabd'], 'abcabc•••'],
    ['s3cret-tale is another', ['s3cret-token'], 's3cret-tale is another'],
    ['a\\u{200B}secret', ['a\u200Bsecret'], '•••'],
  ] as const) {
    test(`of ${JSON.stringify(text)}`, () => {
      assert.equal(redacted(text, values), expected);
    });
  }

  test('from a log, also those that are added later', () => {
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

  test('wherever a text is cut, except for fewer than six characters', () => {
    const words = fc.string({ unit: fc.constantFrom('a', 'b', ' '), maxLength: 20 });
    fc.assert(
      fc.property(words, words, fc.nat(60), fc.nat(60), (before, after, most, upstream) => {
        const secret = 'S3CRET-of-forty-characters-1234567890-XY';
        const text = `${before}${secret}${after}`.slice(0, before.length + upstream);
        const kept = cutText(text, most, [secret]);
        assert.ok(!kept.includes(secret.slice(0, 6)), kept);
      }),
    );
  });

  test('from a log in which no text of a server looks like a line of ours', () => {
    const breaks = fc.constantFrom(
      '\r',
      '\n',
      '\r\n',
      '\v',
      '\f',
      '\u0085',
      '\u2028',
      '\u2029',
      '    ',
      'x',
      '\u202E',
    );
    const log = new RecordingLogger();
    const logger = redacting(log, []);
    fc.assert(
      fc.property(fc.array(breaks), (parts) => {
        logger.log('info', `[stderr] ${parts.join('')}2026-01-01 [info] State: running`);
        const text = (log.lines.pop() ?? '').replace('info: ', '');
        const [first = '', ...others] = text.split(/[\r\n\v\f\u0085\u2028\u2029]/);
        assert.ok(first.startsWith('[stderr] '));
        assert.ok(others.every((line) => line.startsWith('    ')));
        assert.doesNotMatch(text, /(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
      }),
    );
    logger.log('error', 'Failed: it exited:\nState: running\r[info]');
    assert.deepEqual(log.lines, ['error: Failed: it exited:\n    State: running\\r[info]']);
  });
});
