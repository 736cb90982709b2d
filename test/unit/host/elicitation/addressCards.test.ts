import assert from 'node:assert/strict';
import { addressQuestions, type AddressQuestion } from '../../../../src/host/elicitation/addressQuestion.ts';
import { ElicitationCards } from '../../../../src/host/elicitation/elicitationCards.ts';
import { OpenAddresses } from '../../../../src/host/elicitation/openAddresses.ts';
import { readAddress } from '../../../../src/host/elicitation/readAddress.ts';
import type { UpdateMessage } from '../../../../src/host/questions/reviewProtocol.ts';
import { ofUser, stdioServer } from '../../support/definitions.ts';
import { shownOf } from '../../support/questions.ts';

const server = { definition: stdioServer([], { origin: ofUser }), label: 'notes' };

function opening(open: (url: string) => Promise<boolean>, ...urls: readonly string[]): AddressQuestion {
  const requests = urls.map((url, index) =>
    readAddress({ url, message: 'Connect\nit.', elicitationId: String(index) }, true),
  );
  const occasion = { areRequired: true, wasOpened: false };
  return {
    kind: addressQuestions,
    server,
    requests: [{ method: 'tools/call', target: 'sync', ended: new AbortController().signal }],
    open: new OpenAddresses(requests, occasion, { open }),
  };
}

suite('The card of an address', () => {
  test('shows who asks, what for, and the whole address with its host', () => {
    const url = 'https://xn--80ak6aa92e.com:444/connect?next=https://github.com/';
    const { view, text } = shownOf(opening(() => Promise.resolve(true), url));
    assert.partialDeepStrictEqual(view, {
      title: [{ text: "'notes' asks you to open an address" }],
      isFlagged: true,
      states: ['asked'],
      addresses: [
        {
          before: [{ text: 'https://' }],
          host: [{ text: 'xn--80ak6aa92e.com:444' }],
          after: [{ text: '/connect?next=https://github.com/' }],
        },
      ],
    });
    assert.ok(text.includes(`It asks you to open: ${url}\n`));
    assert.ok(text.includes('The host of this address: xn--80ak6aa92e.com:444\n'));
    assert.match(text, /It can't handle 'sync' until this address is opened and done\./);
    assert.match(text, /Warning: The host has letters that look like Latin ones/);
  });

  test('takes your action from the page by its number, and reports the state to the page', async () => {
    const posted: UpdateMessage[] = [];
    const copied: string[] = [];
    const opened: string[] = [];
    const question = opening(
      (url) => {
        opened.push(url);
        return Promise.resolve(!url.includes('two'));
      },
      'https://one.example/',
      'https://two.example/',
    );
    const cards = new ElicitationCards({
      post: (message) => posted.push(message),
      copy: (text) => copied.push(text),
      idOf: () => 'id',
      closed: () => undefined,
    });
    cards.sync([question]);
    cards.sync([question]);
    for (const given of [
      { act: 'open', index: 7 },
      { act: 'open', index: -1 },
      { act: 'open', index: '0' },
      { act: 'open', url: 'https://evil.example/' },
      { act: 'enter', entered: [] },
      { act: 'done', index: 0 },
    ]) {
      cards.act(question, given);
    }
    assert.deepEqual([opened, posted], [[], []]);
    cards.act(question, { act: 'open', index: 1 });
    cards.act(question, { act: 'open', index: 1 });
    await new Promise(setImmediate);
    assert.deepEqual(opened, ['https://two.example/'], 'once at a time');
    assert.deepEqual(
      posted.map(({ update, status }) => [update, status]),
      [
        [{ states: ['asked', 'opening'] }, ''],
        [{ states: ['asked', 'notOpened'] }, 'The editor did not open the address.'],
      ],
    );
    cards.act(question, { act: 'copy', index: 1 });
    assert.deepEqual(copied, ['https://two.example/']);
    cards.act(question, { act: 'done', index: 1 });
    question.open.completed('0');
    assert.deepEqual(await question.open.answered, { action: 'accept' });
    assert.equal(posted.at(-1)?.status, 'Done.');
    const before = posted.length;
    cards.sync([]);
    question.open.copiedAt(0);
    cards.dispose();
    assert.equal(posted.length, before);
  });
});
