import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { URI } from 'vscode-uri';
import { isPrintedAs } from '../../../../src/editor/browser/printedAddress.ts';

const isOpened = (address: string): boolean => isPrintedAs(URI.parse(address, true), address);

suite('An address that the editor opens', () => {
  const opened = [
    'https://login.example.com/authorize',
    'https://login.example.com/authorize?redirect_uri=http%3A%2F%2F127.0.0.1%3A4000%2Fcallback&state=a-_b',
    'https://login.example.com/authorize?scope=notes%3Aread+offline_access',
    'http://127.0.0.1:4000/auth?resource=https%3A%2F%2Fmcp.example.com%2Fmcp',
    'https://xn--bcher-kva.example/authorize',
  ];
  for (const address of opened) {
    test(`reaches the browser: ${address}`, () => assert.ok(isOpened(address)));
  }

  const changed = [
    ['ends a parameter early', 'https://login.example.com/authorize?state=a%26admin%3D1'],
    ['begins a fragment', 'https://login.example.com/authorize?resource=https%3A%2F%2Fa.example%2F%23b'],
    ['makes a space of a plus', 'https://login.example.com/authorize?scope=a%2Bb'],
    ['is no address', 'http://[::1]:4000/authorize'],
  ] as const;
  for (const [what, address] of changed) {
    test(`is left to you where it ${what}: ${address}`, () => assert.ok(!isOpened(address)));
  }

  test('has the parameters that were meant, whatever is in them', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string({ minLength: 1 }), fc.string()), (parameters) => {
        const address = new URL('https://login.example.com/authorize');
        address.search = new URLSearchParams(parameters).toString();
        const { href } = address;
        if (isOpened(href)) {
          const printed = encodeURI(URI.parse(href, true).toString(true));
          assert.deepEqual([...new URL(printed).searchParams], [...address.searchParams]);
        }
      }),
    );
  });
});
