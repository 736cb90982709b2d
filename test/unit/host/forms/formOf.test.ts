import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { addedEntered, enteredOf, initiallyEntered, readField } from '../../../../src/form/fieldKinds.ts';
import type { Entered, FormField } from '../../../../src/form/formField.ts';
import type { ReadField } from '../../../../src/form/fieldKind.ts';
import { checkForm, isEntered } from '../../../../src/host/forms/checkForm.ts';
import { formOf } from '../../../../src/host/forms/formOf.ts';
import { schemaChecks } from '../../support/schemaChecks.ts';
import { runs } from '../../support/thoroughness.ts';

const schemas = schemaChecks.of('any');

const object = (properties: Record<string, unknown>, required: string[] = []): unknown => ({
  type: 'object',
  properties,
  required,
});

/** A field in short: its kind, its name, and what matters of the rest. */
function inShort(field: FormField): string {
  const head = `${field.kind} ${field.name}${field.isRequired ? '!' : ''}${field.isNullable ? '?' : ''}${field.isSecret ? ' secret' : ''}`;
  switch (field.kind) {
    case 'text':
      return `${head}${field.isLong ? ' long' : ''}${field.format ? ` ${field.format}` : ''}`;
    case 'number':
      return `${head}${field.isInteger ? ' integer' : ''}`;
    case 'choice':
    case 'choices':
      return `${head} ${field.choices.map(({ label }) => label).join('|')}`;
    case 'const':
      return `${head} ${field.shown}`;
    case 'list':
      return `${head} [${inShort(field.item)}]`;
    case 'object':
      return `${head} {${field.fields.map(inShort).join(', ')}}`;
    case 'alternatives':
      return `${head} <${field.options.map(inShort).join(', ')}>`;
    case 'json':
      return `${head} ${field.accepts}`;
    case 'boolean':
      return head;
  }
}

const valueOf = (read: ReadField): object => (read.kind === 'value' ? (read.value as object) : {});

const fieldsOf = (schema: unknown): string => {
  const form = formOf(schema);
  return form.kind === 'object' ? form.fields.map(inShort).join(', ') : inShort(form);
};

suite('the form of a schema', () => {
  const table: readonly (readonly [title: string, schema: unknown, fields: string])[] = [
    ['nothing', { type: 'object' }, ''],
    ['a text', object({ a: { type: 'string' } }, ['a']), 'text a!'],
    ['a long text', object({ a: { type: 'string', maxLength: 5_000 } }), 'text a long'],
    [
      'formats that it checks, and one that it does not',
      object({ a: { type: 'string', format: 'email' }, b: { type: 'string', format: 'ipv4' } }),
      'text a email, text b',
    ],
    [
      'numbers and yes or no',
      object({ a: { type: 'integer' }, b: { type: 'number' }, c: { type: 'boolean' } }, ['b']),
      'number a integer, number b!, boolean c',
    ],
    ['choices', object({ a: { type: 'string', enum: ['x', 'y'] } }), 'choice a x|y'],
    [
      'choices with names, as earlier revisions have them',
      object({ a: { type: 'string', enum: ['x', 'y'], enumNames: ['Ex', 'Why'] } }),
      'choice a Ex|Why',
    ],
    [
      'choices with titles',
      object({ a: { type: 'string', oneOf: [{ const: 'x', title: 'Ex' }, { const: 'y' }] } }),
      'choice a Ex|y',
    ],
    [
      'several choices',
      object({ a: { type: 'array', items: { type: 'string', enum: ['x', 'y'] } } }),
      'choices a x|y',
    ],
    [
      'several choices with titles',
      object({ a: { type: 'array', items: { anyOf: [{ const: 'x', title: 'Ex' }] } } }),
      'choices a Ex',
    ],
    [
      'a list and an object in it',
      object({ a: { type: 'array', items: object({ b: { type: 'string' } }, ['b']) } }),
      'list a [object ! {text b!}]',
    ],
    [
      'alternatives',
      object({ a: { oneOf: [{ type: 'string' }, object({ b: { const: 1 } }, ['b'])] } }),
      'alternatives a <text !, object ! {const b! 1}>',
    ],
    ['types', object({ a: { type: ['string', 'integer'] } }), 'alternatives a <text !, number ! integer>'],
    ['null beside a type', object({ a: { type: ['string', 'null'] } }, ['a']), 'text a!?'],
    [
      'a reference, and one that is missing',
      {
        ...Object(object({ a: { $ref: '#/$defs/A' }, b: { $ref: '#/$defs/B' } })),
        $defs: { A: { type: 'integer' } },
      },
      'number a integer, json b any',
    ],
    [
      'JSON for what no field can show',
      object({
        a: {},
        b: { type: 'object', additionalProperties: { type: 'string' } },
        c: { type: 'array' },
      }),
      'json a any, json b object, json c array',
    ],
    ['JSON for the whole', { type: 'object', anyOf: [{ required: ['a'] }] }, 'json ! object'],
    ['a required name without a schema', object({}, ['a']), 'json a! any'],
    [
      'fields that ask for secrets',
      object({
        password: { type: 'string' },
        a: { type: 'string', description: 'Your GitHub token' },
        b: { type: 'string', title: 'ＡＰＩ Key' },
        openaiApiKey: { type: 'string' },
        c: { type: 'string', format: 'password' },
        maxTokens: { type: 'integer' },
        pin: { type: 'integer' },
        keyboard: { type: 'string' },
        d: { type: 'integer', description: 'A number (do not give us your phone number, pin, or others)' },
        e: { type: 'string', description: 'Never enter anything but your password' },
        f: { type: 'string', description: 'Do not share it: your password' },
      }),
      'text password secret, text a secret, text b secret, text openaiApiKey secret, text c secret, ' +
        'number maxTokens integer, number pin secret integer, text keyboard, number d integer, text e secret, text f secret',
    ],
  ];
  for (const [title, schema, fields] of table) {
    test(`shows ${title}`, () => {
      assert.equal(fieldsOf(schema), fields);
    });
  }

  test('has an end for a schema that contains itself', () => {
    const form = formOf({
      type: 'object',
      properties: { a: { $ref: '#' }, b: { $ref: '#' }, c: { type: 'array', items: { $ref: '#' } } },
    });
    assert.ok(JSON.stringify(form).length < 300_000);
  });

  test('is one field for JSON if there are more properties than a form has fields', () => {
    const names = Array.from({ length: 401 }, (_, index) => `a${index}`);
    const schema = object(Object.fromEntries(names.map((one) => [one, { type: 'string' }])));
    assert.equal(fieldsOf(schema), 'json ! object');
  });

  test('has fields with the names of the prototype', () => {
    const schema = object({ constructor: { type: 'string' } }, ['toString']);
    assert.equal(fieldsOf(schema), 'text constructor, json toString! any');
  });

  test('is made of any JSON', () => {
    fc.assert(fc.property(fc.jsonValue(), (schema) => void formOf(schema)));
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (properties) => {
        const form = formOf(object(properties, Object.keys(properties)));
        readField(form, initiallyEntered(form));
      }),
    );
  });

  test('writes out what is invisible in a label', () => {
    const form = formOf(
      object({ a: { type: 'string', title: 'Na\u202Eme', description: 'li\u200Bne\ntwo' } }),
    );
    const [field] = form.kind === 'object' ? form.fields : [];
    assert.equal(field?.label, 'Na\\u{202E}me');
    assert.equal(field?.description, 'li\\u{200B}ne\ntwo');
  });

  const integer = { type: 'integer', minimum: 1, maximum: 10 };
  const typed: readonly (readonly [schema: unknown, text: string, read: unknown])[] = [
    [{ type: 'string' }, ' x ', ' x '],
    [{ type: 'string' }, '', 'This is required.'],
    [{ type: 'string', maxLength: 1 }, '𝒳', '𝒳'],
    [{ type: 'string', minLength: 3 }, 'ab', 'This has 2 characters; at least 3 characters can be sent.'],
    [integer, ' 7 ', 7],
    [integer, '-0.0e1', 'This must be at least 1.'],
    [integer, '7.5', 'This must be a whole number.'],
    [integer, '0x7', 'This must be a whole number.'],
    [integer, '11', 'This must be at most 10.'],
    [{ type: 'integer' }, '9007199254740993', 'This number is too large to be sent exactly.'],
    [{ type: 'number' }, '-1.5e3', -1_500],
    [{ type: 'number' }, '-0', 0],
    [{ type: 'number' }, '1e999', 'This must be a number.'],
    [{ type: ['string', 'null'] }, '', null],
    [{ type: 'array' }, '["x"]', ['x']],
    [{ type: 'array' }, '["x"', 'This must be JSON.'],
    [{ type: 'array' }, '{}', 'This must be a JSON array, such as ["value"]'],
  ];
  for (const [schema, text, expected] of typed) {
    test(`reads ${JSON.stringify(text)} for ${JSON.stringify(schema)}`, () => {
      const read = readField(formOf(object({ a: schema }, ['a'])), [text]);
      const given = read.kind === 'problems' ? read.problems[0]?.message : Object.values(valueOf(read))[0];
      assert.deepEqual(given, expected);
    });
  }

  test('shows defaults, and gives them', () => {
    const form = formOf(
      object({
        a: { type: 'string', default: 'x' },
        b: { type: 'integer', default: 3 },
        c: { type: 'boolean', default: false },
        d: { type: 'string', enum: ['x', 'y'], default: 'y' },
        e: { type: 'array', items: { enum: ['x', 'y'] }, default: ['x'] },
        f: { type: 'string', default: 7 },
      }),
    );
    assert.deepEqual(readField(form, initiallyEntered(form)), {
      kind: 'value',
      value: { a: 'x', b: 3, c: false, d: 'y', e: ['x'] },
    });
  });

  test('leaves out what a value leaves out, whatever its defaults are', () => {
    const form = formOf(
      object({ a: object({ b: { type: 'string', default: 'x' } }), c: { type: 'string' } }),
    );
    const entered = enteredOf(form, { c: 'y' });
    assert.deepEqual(entered && readField(form, entered), { kind: 'value', value: { c: 'y' } });
  });

  test('leaves an optional object out until it is added, whatever is required or has a default in it', () => {
    const login = object({ user: { type: 'string' }, port: { type: 'integer', default: 22 } }, ['user']);
    const form = formOf(object({ login, extra: object({ deep: login }) }));
    assert.deepEqual(initiallyEntered(form), ['', '']);
    assert.deepEqual(readField(form, ['', '']), { kind: 'value', value: {} });
    const [field] = form.kind === 'object' ? form.fields : [];
    assert.ok(field?.kind === 'object');
    assert.deepEqual(addedEntered(field), ['', '22']);
    assert.deepEqual(readField(form, [addedEntered(field), '']), {
      kind: 'problems',
      problems: [{ path: [0, 0], message: 'This is required.' }],
    });
    assert.deepEqual(readField(form, [['jo', '22'], ['']]), {
      kind: 'value',
      value: { login: { user: 'jo', port: 22 }, extra: {} },
    });
    assert.deepEqual(initiallyEntered(formOf(object({ login }, ['login']))), [['', '22']]);
  });

  test('gives null for a required object that may be null and was not added', () => {
    const form = formOf(
      object({ a: { anyOf: [object({ b: { type: 'string' } }), { type: 'null' }] } }, ['a']),
    );
    const entered = initiallyEntered(form);
    assert.deepEqual(readField(form, entered), { kind: 'value', value: { a: null } });
    assert.deepEqual(enteredOf(form, { a: null }), entered);
    assert.deepEqual(enteredOf(form, { a: {} }), [['']]);
  });

  test('names the field of a pattern that does not match, however deep', async () => {
    const schema = object({
      x: { type: 'string' },
      list: { type: 'array', items: object({ 'a/b': { type: 'string', pattern: '^x' } }) },
    });
    const checked = await checkForm(formOf(schema), ['', [['xa'], ['y']]], await schemas.prepare(schema));
    assert.deepEqual(checked, {
      kind: 'problems',
      problems: [{ path: [1, 1, 0], message: 'This must match pattern "^x".' }],
    });
  });

  test('lets nothing pass whose schema cannot be used', async () => {
    const schema = object({ a: { type: 'string', pattern: '(' } });
    const checked = await checkForm(formOf(schema), ['x'], await schemas.prepare(schema));
    assert.equal(checked.kind, 'problems');
  });

  test('takes only what can be entered', () => {
    assert.ok(isEntered(['a', [['b'], []]]));
    for (const other of [undefined, null, 1, {}, ['a', 1], [{}]]) {
      assert.ok(!isEntered(other));
    }
    let deep: unknown = '';
    for (let level = 0; level < 100; level += 1) {
      deep = [deep];
    }
    assert.ok(!isEntered(deep));
  });
});

// Not `__proto__` or `constructor`: the validator reads them of any object.
const name = fc.constantFrom('a', 'b', 'c', 'a/b', 'x y', '');

const leaf: fc.Arbitrary<unknown> = fc.oneof(
  fc.record(
    {
      type: fc.constant('string'),
      minLength: fc.nat(4),
      maxLength: fc.integer({ min: 2, max: 300 }),
      default: fc.string(),
    },
    { requiredKeys: ['type'] },
  ),
  fc.record({
    type: fc.constant('string'),
    format: fc.constantFrom('email', 'uri', 'date', 'time', 'date-time'),
  }),
  fc.record(
    {
      type: fc.constantFrom('number', 'integer'),
      minimum: fc.integer({ min: -9, max: 9 }),
      maximum: fc.integer({ min: -9, max: 9 }),
      exclusiveMinimum: fc.integer({ min: -9, max: 9 }),
      exclusiveMaximum: fc.integer({ min: -9, max: 9 }),
    },
    { requiredKeys: ['type'] },
  ),
  fc.record({ type: fc.constant('boolean') }),
  fc.record({ const: fc.constantFrom<unknown>('x', 1, null, true, { y: [1] }) }),
  fc.record({ enum: fc.uniqueArray(fc.constantFrom<unknown>('x', 1, 2.5, null, false), { minLength: 1 }) }),
  fc.record({
    type: fc.constant('string'),
    oneOf: fc
      .uniqueArray(fc.constantFrom('x', 'y', 'z'), { minLength: 1 })
      .map((values) => values.map((value) => ({ const: value, title: `The ${value}` }))),
  }),
  fc.record(
    {
      type: fc.constant('array'),
      items: fc.constant({ type: 'string', enum: ['x', 'y', 'z'] }),
      minItems: fc.nat(3),
      maxItems: fc.nat(3),
      uniqueItems: fc.boolean(),
    },
    { requiredKeys: ['type', 'items'] },
  ),
  fc.constant({ type: ['string', 'null'] }),
);

/** Schemas of which each keyword is checked by the form alone. */
const { node } = fc.letrec<{ node: unknown; object: unknown }>((tie) => ({
  node: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    leaf,
    tie('object'),
    fc.record(
      { type: fc.constant('array'), items: tie('node'), minItems: fc.nat(2), maxItems: fc.nat(3) },
      { requiredKeys: ['type', 'items'] },
    ),
    fc.record({ anyOf: fc.array(tie('node'), { minLength: 2, maxLength: 3 }) }),
  ),
  object: objectOf(tie('node')),
}));

function objectOf(value: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  return fc
    .uniqueArray(fc.tuple(name, value, fc.boolean()), { selector: ([one]) => one, maxLength: 4 })
    .map((members) => ({
      type: 'object',
      properties: Object.fromEntries(members.map(([one, schema]) => [one, schema])),
      required: members.flatMap(([one, , isRequired]) => (isRequired ? [one] : [])),
      additionalProperties: false,
    }));
}

const typed = fc.oneof(
  fc.constantFrom(
    '',
    ' ',
    '0',
    '1',
    '2',
    '-3',
    '1.5',
    '1.',
    '.5',
    '.',
    '1e3',
    '1e',
    'yes',
    'no',
    '""',
    'null',
    '{}',
    '[]',
    '9'.repeat(30),
  ),
  fc.constantFrom(
    'a@b.co',
    'a..b@c.d',
    'https://a.b/c%20',
    'http://a b',
    'mailto:x@y.zz',
    '2024-02-29',
    '2023-02-29',
  ),
  fc.constantFrom(
    '12:00:00Z',
    '25:00:00Z',
    '12:00:00.5+01:00',
    '2024-02-29T12:00:00Z',
    '2024-02-29 12:00:00Z',
  ),
  fc.string(),
  fc.emailAddress(),
  fc.webUrl(),
);

/** Something that may be entered in a field, valid or not. */
function anyEntered(field: FormField): fc.Arbitrary<Entered> {
  switch (field.kind) {
    case 'choices':
      return fc.uniqueArray(fc.nat(3).map(String), { maxLength: 4 });
    case 'choice':
      return fc.constantFrom('', '0', '1', '2', '9');
    case 'list':
      return fc.array(anyEntered(field.item), { maxLength: 4 });
    case 'object':
      return fc.oneof(
        { weight: 4, arbitrary: fc.tuple(...field.fields.map(anyEntered)) },
        { weight: field.isRequired ? 0 : 1, arbitrary: fc.constant('') },
      );
    case 'alternatives':
      return fc.oneof(
        fc.constantFrom<Entered[]>([], ['']),
        ...field.options.map((option, index) =>
          anyEntered(option).map((within): Entered => [String(index), within]),
        ),
      );
    case 'boolean':
      return fc.constantFrom('', 'yes', 'no');
    default:
      return typed;
  }
}

suite('what a form gives', () => {
  const filled = objectOf(node).chain((schema) => {
    const form = formOf(schema);
    return fc.record({
      schema: fc.constant(schema),
      form: fc.constant(form),
      entered: fc.oneof(anyEntered(form), fc.constant(initiallyEntered(form))),
    });
  });

  test('is valid for the schema, or an error is at a field', async () => {
    await fc.assert(
      fc.asyncProperty(filled, async ({ schema, form, entered }) => {
        const read = readField(form, entered);
        if (read.kind === 'problems') {
          assert.ok(read.problems.length > 0);
          read.problems.forEach(({ path }) => assert.ok(fieldAt(form, entered, path), path.join('.')));
          return;
        }
        assert.equal(read.kind, 'value');
        const prepared = await schemas.prepare(schema);
        assert.equal(prepared.kind, 'ready');
        const value: unknown = read.kind === 'value' ? JSON.parse(JSON.stringify(read.value)) : undefined;
        const problem = prepared.kind === 'ready' ? await prepared.check(value) : '';
        // What is typed as JSON is checked against its schema by the host alone.
        assert.ok(problem === undefined || hasJson(form), problem);
        assert.equal(
          (await checkForm(form, entered, prepared)).kind,
          problem === undefined ? 'content' : 'problems',
        );
      }),
      { numRuns: runs(400) },
    );
  });

  test('is shown again as it was', async () => {
    let values = 0;
    await fc.assert(
      fc.asyncProperty(filled, async ({ form, entered }) => {
        const read = readField(form, entered);
        if (read.kind === 'value') {
          values += 1;
          const again = enteredOf(form, read.value);
          assert.ok(again !== undefined);
          const reread = readField(form, again);
          assert.deepEqual(reread.kind === 'value' ? reread.value : reread, read.value);
        }
      }),
      { numRuns: runs(400) },
    );
    assert.ok(values > 20, `only ${values} forms gave a value`);
  });
});

/** Whether a field, or one in it, takes JSON. */
function hasJson(field: FormField): boolean {
  switch (field.kind) {
    case 'object':
      return field.fields.some(hasJson);
    case 'alternatives':
      return field.options.some(hasJson);
    case 'list':
      return hasJson(field.item);
    default:
      return field.kind === 'json';
  }
}

/** The field that a path leads to. */
function fieldAt(field: FormField, entered: Entered, path: readonly number[]): FormField | undefined {
  const [index, ...rest] = path;
  if (index === undefined) {
    return field;
  }
  const within = typeof entered === 'string' ? [] : entered;
  switch (field.kind) {
    case 'object': {
      const next = field.fields[index];
      return next && fieldAt(next, within[index] ?? '', rest);
    }
    case 'list':
      return index < within.length ? fieldAt(field.item, within[index] ?? '', rest) : undefined;
    case 'alternatives': {
      const option = index === 0 ? field.options[Number(within[0])] : undefined;
      return option && fieldAt(option, within[1] ?? '', rest);
    }
    default:
      return undefined;
  }
}
