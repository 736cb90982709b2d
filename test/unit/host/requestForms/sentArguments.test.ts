import assert from 'node:assert/strict';
import { secretArguments, sentArguments } from '../../../../src/host/requestForms/sentArguments.ts';

const properties = {
  user: { type: 'string' },
  password: { type: 'string' },
  pin: { type: 'string', format: 'password' },
  login: { type: 'object', properties: { apiKey: { type: 'string' }, port: { type: 'integer' } } },
};

suite('The secrets among arguments', () => {
  test("are found in a schema that a form can show, and in one that it can't", () => {
    const secrets = ['password', 'pin', 'login'];
    assert.deepEqual([...secretArguments({ type: 'object', properties })], secrets);
    const open = { type: 'object', properties, additionalProperties: { type: 'string' } };
    assert.deepEqual([...secretArguments(open)], secrets);
    const { user, pin } = properties;
    const either = { oneOf: [{ properties: { user } }, { properties: { pin } }] };
    assert.deepEqual([...secretArguments(either)], ['pin']);
    assert.deepEqual([...secretArguments({ type: 'string' })], []);
  });

  test('give all texts and numbers in them', () => {
    const args = { user: 'ada', pin: 'hunter2', login: { apiKey: 'k', port: 8_080, isOn: true } };
    const { secretTexts } = sentArguments(args, new Set(['pin', 'login', 'absent']));
    assert.deepEqual(secretTexts, ['hunter2', 'k', '8080']);
  });
});
