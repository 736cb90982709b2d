import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import {
  guardLineOf,
  readGuardLine,
  type GuardMessage,
} from '../../../../src/host/processes/guardMessage.ts';

suite('A message to the guard', () => {
  const messages: readonly GuardMessage[] = [
    { kind: 'begun', group: { pid: 4711, start: 0, mark: '6f1e2d3c-0000-4000-8000-0123456789ab' } },
    { kind: 'begun', group: { pid: 2, start: 1_795_000_000_000, mark: randomUUID() } },
    { kind: 'gone', pid: 4711 },
  ];
  for (const message of messages) {
    test(`is a line: ${guardLineOf(message).trim()}`, () => {
      assert.deepEqual(readGuardLine(guardLineOf(message).trim()), message);
    });
  }

  // A signal to -1 would reach every process of the user.
  for (const line of [
    '',
    '+',
    '+ 0 1',
    '+ 1 1',
    '- 0',
    '- 1',
    '+ -1 1',
    '+ 4711',
    '+ 4711 1',
    '- 4711 1',
    '+ 4711 1 1',
    '+ 1e3 1',
  ]) {
    test(`is not '${line}'`, () => {
      assert.equal(readGuardLine(line), undefined);
    });
  }
});
