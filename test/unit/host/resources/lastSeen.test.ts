import assert from 'node:assert/strict';
import { LastSeen } from '../../../../src/host/resources/lastSeen.ts';
import type { ResourceContent } from '../../../../src/host/resources/resourceContents.ts';

const note = { serverId: 'server', uri: 'test:///note' };
const other = { serverId: 'server', uri: 'test:///other' };

function snapshot(text: string): { readonly contents: readonly ResourceContent[] } {
  const bytes = new TextEncoder().encode(text);
  return { contents: [{ uri: note.uri, mimeType: 'text/plain', bytes, isText: true }] };
}

suite('What you last saw of a resource', () => {
  let seen: LastSeen;
  setup(() => {
    seen = new LastSeen(1_000);
  });

  function changes(texts: string, isLookedAt: boolean, address = note): void {
    Array.from(texts)
      .slice(1)
      .forEach((after, index) => {
        seen.changed(address, snapshot(texts[index] ?? ''), snapshot(after), isLookedAt);
      });
  }

  function textOf(address = note): string | undefined {
    const [content] = seen.of(address)?.contents ?? [];
    return content && new TextDecoder().decode(content.bytes);
  }

  test('is nothing while it has not changed', () => {
    assert.equal(textOf(), undefined);
  });

  test('is the content before the last change while you look at it', () => {
    changes('abc', true);
    assert.equal(textOf(), 'b');
  });

  test('is the content before all changes made while you did not look', () => {
    changes('abcd', false);
    assert.equal(textOf(), 'a');
  });

  test('stays when you look again, until the next change', () => {
    changes('abcd', false);
    seen.lookedAt(note);
    assert.equal(textOf(), 'a');
    changes('de', true);
    assert.equal(textOf(), 'd');
    changes('efg', false);
    assert.equal(textOf(), 'e');
  });

  test('is nothing when the resource has changed back', () => {
    changes('aba', false);
    assert.equal(textOf(), undefined);
    changes('ac', false);
    assert.equal(textOf(), 'a');
  });

  test('counts another number of contents as a change', () => {
    const one = snapshot('a');
    seen.changed(note, one, { contents: [...one.contents, ...one.contents] }, true);
    assert.equal(textOf(), 'a');
  });

  test('is the content before the server stopped, if it comes back with another one', () => {
    changes('ab', true);
    seen.changed(note, snapshot('b'), undefined, true);
    assert.equal(textOf(), undefined);
    seen.lookedAt(note);
    seen.changed(note, undefined, snapshot('c'), true);
    assert.equal(textOf(), 'b');
  });

  test('is nothing when the resource was read for the first time', () => {
    seen.changed(note, undefined, snapshot('a'), true);
    assert.equal(textOf(), undefined);
  });

  test('is forgotten when the resource is no longer shown', () => {
    changes('ab', true);
    changes('cd', true, other);
    seen.keep([other]);
    assert.equal(textOf(), undefined);
    assert.equal(textOf(other), 'c');
  });

  test('is kept within the limit, the oldest given up first', () => {
    seen = new LastSeen(2);
    changes('ab', true);
    changes('cd', true, other);
    const third = { ...note, uri: 'test:///third' };
    changes('ef', true, third);
    assert.deepEqual([textOf(), textOf(other), textOf(third)], [undefined, 'c', 'e']);
    seen.changed(note, snapshot('too long'), snapshot('z'), true);
    assert.deepEqual([textOf(), textOf(other), textOf(third)], [undefined, 'c', 'e']);
  });
});
