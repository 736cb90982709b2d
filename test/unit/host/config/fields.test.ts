import assert from 'node:assert/strict';
import { writtenLaunch } from '../../../../src/host/config/edit/serverDraft.ts';
import { launchFields, otherFields, type ServerKind } from '../../../../src/host/config/fields.ts';
import { ownValue, type Fields } from '../../../../src/host/config/fieldTypes.ts';
import { readDefinitions } from '../../../../src/host/config/readDefinitions.ts';
import { launchOf, type ServerDefinition } from '../../../../src/host/config/serverDefinition.ts';
import { expandableTexts } from '../../../../src/host/config/variables.ts';
import { ofUser } from '../../support/definitions.ts';

const required = { stdio: { command: 'x' }, http: { url: 'https://x.example' } };
const sample = 'https://sample.example';
const samples: Readonly<Record<string, unknown>> = {
  string: sample,
  array: [sample],
  object: { name: sample },
  boolean: true,
  number: 1,
};

function definitionOf(kind: ServerKind, more: object = {}): ServerDefinition {
  const { definitions, problems } = readDefinitions([
    { origin: ofUser, servers: { a: { ...required[kind], ...more } } },
  ]);
  assert.deepEqual(problems, []);
  const [definition] = definitions;
  assert.ok(definition);
  return definition;
}

for (const kind of ['stdio', 'http'] as const) {
  suite(`Each field of the launch of a server over ${kind}`, () => {
    for (const [name, { type }] of Object.entries<Fields[string]>(launchFields[kind])) {
      test(`${name} makes another launch, takes variables, and is written again as it was read`, () => {
        const written = name === 'oauth' ? { issuer: sample } : samples[String(type.schema['type'])];
        const definition = definitionOf(kind, { [name]: written });
        assert.deepEqual(ownValue(definition, name), written);
        assert.notEqual(launchOf(definition), launchOf(definitionOf(kind)));
        assert.ok(expandableTexts(definition).some(({ path, text }) => path[0] === name && text === sample));
        assert.deepEqual(writtenLaunch(definition, 'settings')[name], written);
      });
    }
  });

  suite(`Each other field of a server over ${kind}`, () => {
    const fields: Fields = { ...otherFields[kind], ...otherFields.all };
    for (const [name, { type }] of Object.entries(fields)) {
      test(`${name} is read, and is no part of the launch`, () => {
        const choices = type.schema['enum'] ?? ['none'];
        const written = samples[String(type.schema['type'])] ?? (choices as readonly unknown[])[0];
        const held = name === 'tools' ? {} : written;
        const definition = definitionOf(kind, { [name]: held });
        assert.deepEqual(ownValue(definition, name), held);
        assert.equal(launchOf(definition), launchOf(definitionOf(kind)));
      });
    }
  });
}
