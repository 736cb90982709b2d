import assert from 'node:assert/strict';
import { checkUpDocument } from '../../../../src/host/checkUp/checkUpDocument.ts';

suite('The document of a check-up', () => {
  test('has each step with its outcome, its time and what to do, and its actions at their lines', () => {
    const { text, places } = checkUpDocument('git\u202E', new Date(2026, 0, 2, 3, 4, 5), [
      {
        title: 'Definition',
        outcome: 'ok',
        text: 'It is defined in settings.',
        ms: 0,
        action: { kind: 'open' },
      },
      {
        title: 'Command',
        outcome: 'failed',
        text: "The command 'uvx' was not found\nSearched PATH: /nowhere",
        advice: 'Install uv.',
        action: { kind: 'edit' },
        ms: 4,
      },
      { title: 'Ping', outcome: 'skipped', text: 'It is stopped.', ms: 1_234 },
    ]);
    assert.equal(
      text,
      [
        'Check-up of git\\u{202E}, 2026-01-02 03:04:05',
        'Failed: Command.',
        '',
        'OK: Definition',
        '  It is defined in settings.',
        '',
        'Failed: Command (4 ms)',
        "  The command 'uvx' was not found",
        '  Searched PATH: /nowhere',
        '  What to do: Install uv.',
        '',
        'Skipped: Ping (1.2 s)',
        '  It is stopped.',
        '',
      ].join('\n'),
    );
    assert.deepEqual(places, [
      { line: 3, action: { kind: 'open' } },
      { line: 6, action: { kind: 'edit' } },
    ]);
  });
});
