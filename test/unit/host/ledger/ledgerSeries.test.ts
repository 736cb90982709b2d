import assert from 'node:assert/strict';
import type { LedgerEnd } from '../../../../src/host/ledger/ledgerEntry.ts';
import { countWords } from '../../../../src/host/ledger/ledgerWords.ts';
import { entryDocument } from '../../../../src/host/documents/entryDocument.ts';
import { readLedgerLine } from '../../../../src/host/ledger/ledgerLine.ts';
import { aRequest, LedgerBed } from '../../support/ledgerBed.ts';

const { args: _, ...about } = aRequest;
const typing = { ...about, method: 'completion/complete', target: 'greet' } as const;
const done: LedgerEnd = { decision: 'delegated', outcome: 'done' };
const denied: LedgerEnd = { decision: 'denied', outcome: 'refused', problem: 'No.' };

suite('Requests that come with each letter', () => {
  let bed: LedgerBed;
  setup(() => {
    bed = new LedgerBed();
  });
  teardown(() => bed.dispose());

  test('are written at once, and then counted together', async () => {
    const ledger = bed.open();
    for (let letter = 0; letter < 1_000; letter += 1) {
      ledger.count(typing, done, { since: bed.now, sent: 'ab', received: 'abcd' });
      bed.now += 10;
    }
    assert.deepEqual(
      ledger.entries.map(({ target, count }) => [target, count]),
      [['greet', undefined]],
    );
    bed.pass();
    const [sum, first] = ledger.entries;
    assert.ok(sum && first);
    assert.equal(sum.count, 999);
    assert.equal(sum.sentBytes, 999 * first.sentBytes);
    assert.equal(sum.receivedBytes, 999 * first.receivedBytes);
    assert.equal(sum.at, first.at + 10);
    assert.deepEqual(countWords(sum), ['999 requests']);
    assert.match(entryDocument(sum, undefined), /^Suggestion: greet$[^]*^Count: 999 requests$/m);
    bed.pass();
    ledger.count(typing, done, { since: bed.now });
    assert.equal(ledger.entries.length, 3);
    await ledger.flush();
    const kept = bed.text.trimEnd().split('\n');
    assert.deepEqual(
      kept.map((line) => readLedgerLine(line)?.entry.count),
      [undefined, 999, undefined],
    );
  });

  test('are on the disk before the window closes', async () => {
    const ledger = bed.open();
    ledger.count(typing, done, { since: bed.now });
    ledger.count(typing, done, { since: bed.now });
    await ledger.flush();
    assert.equal(bed.text.trimEnd().split('\n').length, 2);
  });

  test('are counted apart by how they ended; all refused ones are one kind', () => {
    const ledger = bed.open();
    for (let target = 0; target < 1_000; target += 1) {
      ledger.count({ ...typing, target: `prompt ${target}` }, denied, { since: bed.now });
    }
    ledger.count(typing, done, { since: bed.now });
    ledger.count({ ...typing, target: 'other' }, done, { since: bed.now });
    assert.equal(ledger.entries.length, 3);
    bed.pass();
    assert.equal(ledger.entries.length, 4);
    assert.equal(ledger.entries.find(({ count }) => count !== undefined)?.count, 999);
  });

  test('have no value that was sent to a server', () => {
    const ledger = bed.open();
    const one = { ...typing, target: 'greet hunter2hunter2' };
    ledger.count(one, { ...done, problem: 'no hunter2hunter2' }, { since: bed.now }, ['hunter2hunter2']);
    assert.doesNotMatch(JSON.stringify(ledger.entries), /hunter2/);
  });
});
