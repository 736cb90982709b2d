import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { linkIn, linkText } from '../../../../src/host/tools/resourceLinks.ts';

suite('A link to a resource as a text', () => {
  test('is read as it was written', () => {
    for (const [link, name] of [
      [{ name: 'note', uri: 'test:///note' }, 'note'],
      [{ name: 'note', title: 'My note: the first', uri: 'test:///a:b' }, 'My note: the first'],
      [{ name: 'note', mimeType: 'text/plain', uri: 'note' }, 'note'],
    ] as const) {
      assert.deepEqual(linkIn(linkText(link)), { name, uri: link.uri });
    }
  });

  test('keeps each URI without a space, whatever the name', () => {
    const uri = fc.string({ minLength: 1 }).filter((text) => /^\S+$/.test(text));
    const name = fc.string().filter((text) => !/[\n\r\u2028\u2029]/.test(text));
    fc.assert(
      fc.property(name, uri, (one, other) => {
        assert.equal(linkIn(linkText({ name: one, uri: other }))?.uri, other);
      }),
    );
  });

  test('is nothing else', () => {
    for (const text of [
      '',
      'A note.',
      'Resource (not read): note',
      'See Resource (not read): a: b',
      'a\nb: c',
    ]) {
      assert.equal(linkIn(text), undefined, text);
    }
  });
});
