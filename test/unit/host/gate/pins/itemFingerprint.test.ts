import assert from 'node:assert/strict';
import type { Tool } from '@modelcontextprotocol/client';
import { listedItem, type ItemFingerprint } from '../../../../../src/host/gate/pins/itemFingerprint.ts';

const plain: Tool = {
  name: 'read',
  inputSchema: { type: 'object', properties: { path: { type: 'string' } } },
};
const full: Tool = {
  ...plain,
  title: 'Read',
  description: 'Reads a file.',
  outputSchema: { type: 'object', properties: { text: { type: 'string' } } },
  annotations: { readOnlyHint: true },
  execution: { taskSupport: 'optional' },
};

function printOf(tool: Tool): ItemFingerprint {
  const listed = listedItem('tools', tool);
  assert.ok(listed);
  return listed.fingerprint;
}

function partsOf({ whole, withoutTexts, shape }: ItemFingerprint): readonly string[] {
  return [whole, withoutTexts, shape];
}

suite('The fingerprint of a tool', () => {
  test('stays what it was when it was first stored', () => {
    assert.deepEqual(
      [plain, full].map((tool) => printOf(tool).whole.slice(0, 12)),
      ['1289d8cba265', '664ab92c4999'],
    );
  });

  const changes: readonly (readonly [string, Tool, { readonly isText?: true; readonly isShape?: true }])[] = [
    ['title', { ...full, title: 'Write' }, { isText: true }],
    ['description', { ...full, description: 'Writes a file.' }, { isText: true }],
    ['schema', { ...full, inputSchema: { type: 'object' } }, { isShape: true }],
    ['schema of results', { ...full, outputSchema: { type: 'object' } }, {}],
    ['claim', { ...full, annotations: { readOnlyHint: false } }, {}],
    ['way to run as a task', { ...full, execution: { taskSupport: 'required' } }, {}],
  ];
  for (const [what, other, { isText = false, isShape = false }] of changes) {
    test(`is another one with another ${what}, in the parts that it is in`, () => {
      const [one, changed] = [printOf(full), printOf(other)];
      assert.notEqual(changed.whole, one.whole);
      assert.ok(!changed.equals(one) && !one.equals(changed));
      assert.equal(changed.withoutTexts === one.withoutTexts, isText);
      assert.equal(changed.shape === one.shape, !isShape);
    });
  }

  for (const field of ['title', 'description', 'outputSchema', 'annotations', 'execution'] as const) {
    test(`is another one without its ${field}`, () => {
      const { [field]: _, ...without } = full;
      assert.notEqual(printOf(without).whole, printOf(full).whole);
      assert.ok(!Object.hasOwn(listedItem('tools', without)?.pinned ?? {}, field));
    });
  }

  test('is another one under another name, in the whole only', () => {
    const [one, other] = [printOf(full), printOf({ ...full, name: 'write' })];
    assert.notEqual(other.whole, one.whole);
    assert.deepEqual([other.withoutTexts, other.shape], [one.withoutTexts, one.shape]);
  });

  test('is the same with other icons or metadata, and where it must not run as a task', () => {
    const others: Tool[] = [
      { ...plain, icons: [{ src: 'data:image/png;base64,AA==' }] },
      { ...plain, _meta: { other: 1 } },
      { ...plain, execution: {} },
      { ...plain, execution: { taskSupport: 'forbidden' } },
    ];
    for (const other of others) {
      assert.ok(printOf(other).equals(printOf(plain)));
      assert.deepEqual(partsOf(printOf(other)), partsOf(printOf(plain)));
    }
  });

  test('is one for a tool that is listed', () => {
    assert.equal(listedItem('tools', full), listedItem('tools', full));
    assert.ok(listedItem('tools', full));
  });

  test('is missing for a schema that is nested too deeply, and stays so', () => {
    let schema: object = {};
    for (let level = 0; level < 100_000; level += 1) {
      schema = { properties: { a: schema } };
    }
    const tool = { ...plain, inputSchema: { type: 'object' as const, ...schema } };
    assert.equal(listedItem('tools', tool), undefined);
    assert.equal(listedItem('tools', tool), undefined);
  });

  test('is no reason to hide a defect', () => {
    const tool = {
      ...plain,
      get title(): string {
        throw new TypeError('a defect');
      },
    };
    assert.throws(() => listedItem('tools', tool), TypeError);
  });
});
