import assert from 'node:assert/strict';
import { levelOfLine } from '../../../../src/host/transport/stderrLine.ts';

suite('The level of a line of stderr', () => {
  for (const [line, level] of [
    ['Secure MCP Filesystem Server running on stdio', 'info'],
    ['Error handling is on', 'info'],
    ['error handling is on', 'info'],
    ['No errors: all is well', 'info'],
    ['Found an old cache, and ERROR is only a word here', 'info'],
    ['0 error(s)', 'info'],
    ['INFO: error: none', 'info'],
    ['Error: API key missing', 'error'],
    ['error: unknown option', 'error'],
    ['ERROR no license', 'error'],
    ['[error] no license', 'error'],
    ['\u001B[31mERROR\u001B[0m no license', 'error'],
    ['ValueError: API key missing', 'error'],
    ['TypeError [ERR_INVALID_ARG]: no', 'error'],
    ['2026-11-22T04:32:11.123Z ERROR no license', 'error'],
    ['2026-11-22 04:32:11,123 - root - ERROR - no license', 'error'],
    ['[11/22/26 04:32:11] ERROR    no license', 'error'],
    ['ERROR:root:no license', 'error'],
    ['time=2026-11-22T04:32:11Z level=error msg="no license"', 'error'],
    ['npm error code E404', 'error'],
    ["thread 'main' panicked at src/main.rs:3:5:", 'error'],
    ['Traceback (most recent call last):', 'error'],
    ['fatal: not a git repository', 'error'],
    ['{"level":50,"msg":"no license"}', 'error'],
    ['{"level":"error","message":"no license"}', 'error'],
    ['{"severity":"CRITICAL","message":"no license"}', 'error'],
    ['{"level":30,"msg":"ERROR is only a word here"}', 'info'],
    ['{"level":"info","msg":"error: none"}', 'info'],
    ['WARNING: slow', 'warn'],
    ['warning: slow', 'warn'],
    ['[WARN] slow', 'warn'],
    ['WARN[0000] slow', 'warn'],
    ['npm warn deprecated inflight@1.0.6', 'warn'],
    ['(node:123) [DEP0040] DeprecationWarning: The punycode module', 'warn'],
    ['{"level":40,"msg":"slow"}', 'warn'],
    ['{"level":', 'info'],
    ['', 'info'],
  ] as const) {
    test(`${JSON.stringify(line)} is at ${level}`, () => {
      assert.equal(levelOfLine(line), level);
    });
  }

  test('is found quickly in any line', () => {
    const started = performance.now();
    for (const piece of ['a ', '- ', 'Error', '[', 'x.', ' \u001B[', "'", 'aError ', '{']) {
      levelOfLine(piece.repeat(16_384));
    }
    assert.ok(performance.now() - started < 60_000);
  });
});
