import assert from 'node:assert/strict';
import { isDeepStrictEqual } from 'node:util';
import { findNodeAtLocation, parseTree } from 'jsonc-parser';
import { fieldsOf, inputFields } from '../../../../src/host/config/fields.ts';
import { readDefinitions, type DefinitionLayer } from '../../../../src/host/config/readDefinitions.ts';
import { launchOf, type DefinitionOrigin } from '../../../../src/host/config/serverDefinition.ts';
import { signInFields } from '../../../../src/host/config/signInFields.ts';
import { definitionBounds } from '../../../../src/host/json/bounds.ts';
import { ofUser } from '../../support/definitions.ts';

type Path = readonly (string | number)[];
type Json = Readonly<Record<string, unknown>>;

const file: DefinitionOrigin = { scope: 'workspace', format: 'mcpJson', place: 'file:///p/.mcp.json' };
const { textCharacters } = definitionBounds;

/** Values that no field can have. */
const bad: Readonly<Record<string, unknown>> = {
  'a text that is too long': 'x'.repeat(textCharacters + 1),
  'a list with a text that is too long': ['x', 'x'.repeat(textCharacters + 1)],
  'an object with a text that is too long': { a: 'x'.repeat(textCharacters + 1) },
  'an object with a name that is too long': { ['x'.repeat(definitionBounds.nameCharacters + 1)]: 'x' },
  'a text with NUL': 'a\0b',
  'a list with NUL': ['a', 'a\0b'],
  'an object with NUL': { a: 'a\0b' },
  'a name with NUL': { 'a\0b': 'a' },
  'half a character': 'a\uD800',
  'a list with half a character': ['\uDC00a'],
  'a name with half a character': { 'a\uD800': 'a' },
  'a list that is nested too deeply': JSON.parse('['.repeat(1_000) + ']'.repeat(1_000)),
  'an object that is nested too deeply': JSON.parse('{"a":'.repeat(1_000) + '1' + '}'.repeat(1_000)),
  '10,000 texts': Array.from({ length: 10_000 }, () => 'x'),
  '10,000 members': Object.fromEntries(Array.from({ length: 10_000 }, (_, index) => [`k${index}`, 'x'])),
};

/** Values that some fields can have: each is read as it is written, or is a problem. */
const odd: Readonly<Record<string, unknown>> = {
  null: null,
  true: true,
  'a negative number': -1,
  'an empty text': '',
  'a text': 'x',
  'an empty list': [],
  'a list of numbers': [1],
  'a list of lists': [['x']],
  'an empty object': {},
  'an object of objects': { a: { a: 'x' } },
  'the names of what objects inherit': JSON.parse('{"__proto__":"x","constructor":"x","toString":"x"}'),
  'a name of what objects inherit': '__proto__',
};

/** A server, or an input, with one of its fields to fill. */
interface Place {
  readonly name: string;
  readonly part: 'servers' | 'inputs';
  readonly path: Path;
  readonly filled: (value: unknown) => { readonly servers?: Json; readonly inputs?: readonly unknown[] };
}

function placeIn(kind: string, start: Json, ...path: string[]): Place {
  const filled = (value: unknown) => ({ servers: { tried: { ...start, ...inside(path, value) } } });
  return { name: `"${path.join('.')}" of ${kind}`, part: 'servers', path: ['tried', ...path], filled };
}

function inside([field, ...rest]: readonly string[], value: unknown): Json {
  return field === undefined ? {} : { [field]: rest.length === 0 ? value : inside(rest, value) };
}

const process = { command: 'node' };
const address = { url: 'https://example.org/mcp' };
const places: readonly Place[] = [
  ...Object.keys(fieldsOf('stdio')).map((field) => placeIn('a process', process, field)),
  ...Object.keys(fieldsOf('http')).map((field) => placeIn('an address', address, field)),
  ...Object.keys(signInFields).map((field) => placeIn('an address', address, 'oauth', field)),
  ...['include', 'exclude'].map((field) => placeIn('a process', process, 'tools', field)),
  placeIn('a process', process, 'nobodyKnowsThis'),
  ...Object.entries(inputFields).flatMap(([type, fields]) =>
    Object.keys(fields).map((field): Place => {
      const start = { type, id: 'a', ...(type === 'pickString' && { options: ['a'] }) };
      return {
        name: `"${field}" of an input of the type ${type}`,
        part: 'inputs',
        path: [0, field],
        filled: (value) => ({ inputs: [{ ...start, [field]: value }] }),
      };
    }),
  ),
];

const other = { command: 'other', args: ['${input:other}'] };
const otherInput = { type: 'promptString', id: 'other' };

/** The layers with a server that has nothing wrong: settings, and a file as text. */
function layersWith({ filled, part }: Place, value: unknown): readonly DefinitionLayer[] {
  const { servers = {}, inputs = [] } = filled(value);
  const all = { servers: { before: other, ...servers, after: other }, inputs: [...inputs, otherInput] };
  const text = JSON.stringify({ mcpServers: all.servers, inputs: all.inputs }, undefined, 1);
  assert.ok(text.length < definitionBounds.bytes, `${part} of ${text.length} characters`);
  return [
    { origin: ofUser, ...all },
    { origin: file, text },
  ];
}

/** Reads a layer, and gives what is wrong; the servers beside the one that is tried are there, whatever that is. */
function problemsIn(layer: DefinitionLayer, { part, path }: Place) {
  const { definitions, problems } = readDefinitions([layer]);
  const others = definitions.filter(({ name }) => name !== 'tried').map(launchOf);
  assert.deepEqual(new Set(others).size, 1);
  assert.equal(others.length, 2);
  for (const problem of problems) {
    assert.equal(problem.part ?? 'servers', part);
    assert.deepEqual(problem.path?.slice(0, path.length - 1), path.slice(0, -1));
    if ('text' in layer) {
      const root = part === 'servers' ? 'mcpServers' : 'inputs';
      const tree = parseTree(layer.text);
      assert.ok(tree && findNodeAtLocation(tree, [root, ...problem.path]), 'the problem has no line');
    }
  }
  const tried = definitions.find(({ name }) => name === 'tried');
  return { problems, tried };
}

function heldAt({ path }: Place, definition: unknown): unknown {
  return path.slice(1).reduce((whole, field) => (Object(whole) as Json)[field], definition);
}

suite('Every field of a definition', () => {
  for (const place of places) {
    test(`${place.name} is an error at its line`, () => {
      for (const [what, value] of Object.entries(bad)) {
        for (const layer of layersWith(place, value)) {
          const { problems, tried } = problemsIn(layer, place);
          const [first] = problems;
          assert.equal(problems.length, 1, what);
          // What is in "oauth" or "tools" and too large or deep is a problem of the whole.
          assert.deepEqual(first?.path?.slice(0, 2), place.path.slice(0, 2), what);
          assert.equal(first?.severity, place.part === 'servers' ? 'error' : 'warning', what);
          assert.match(
            first?.message ?? '',
            /has (?:a name that has )?(?:more than|the character NUL|half of)|nested more than|too large/,
            what,
          );
          assert.equal(tried, undefined);
        }
      }
    });

    test(`${place.name} is read as it is written, or is a problem at its line`, () => {
      for (const [what, value] of Object.entries(odd)) {
        const missing = layersWith(place, undefined);
        for (const [index, layer] of layersWith(place, value).entries()) {
          const { problems, tried } = problemsIn(layer, place);
          if (problems.length === 0 && place.part === 'servers') {
            const isNothing = ['', null].includes(value as string | null) || [value].flat().length === 0;
            const { tried: without } = problemsIn(missing[index] ?? layer, place);
            const expected = [value, ...(isNothing ? [heldAt(place, without)] : [])];
            const held = heldAt(place, tried);
            assert.ok(
              expected.some((one) => isDeepStrictEqual([one].flat(), [held].flat())),
              `${what} is read as ${JSON.stringify(held)}`,
            );
          }
        }
      }
    });
  }

  test('the name of a server is an error at its line', () => {
    for (const name of ['n'.repeat(definitionBounds.nameCharacters + 1), 'a\0', '\uD800', ' ']) {
      const place: Place = {
        name: '',
        part: 'servers',
        path: [name],
        filled: () => ({ servers: { [name]: process } }),
      };
      for (const layer of layersWith(place, undefined)) {
        const { problems } = problemsIn(layer, place);
        assert.deepEqual(
          problems.map(({ severity, path }) => [severity, path]),
          [['error', [name]]],
        );
      }
    }
  });
});
