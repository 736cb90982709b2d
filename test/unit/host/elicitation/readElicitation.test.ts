import assert from 'node:assert/strict';
import { ElicitationFailure } from '../../../../src/host/errors/elicitationFailure.ts';
import { readElicitation } from '../../../../src/host/elicitation/readElicitation.ts';
import { elicitationTexts } from '../../../../src/host/json/bounds.ts';

const most = 'x'.repeat(elicitationTexts.others);
const name = 'x'.repeat(elicitationTexts.names + 1);

function read(params: unknown): unknown {
  return readElicitation(params, '2025-11-25', ['form', 'url']);
}

function formWith(field: object, message = ''): unknown {
  return { message, requestedSchema: { type: 'object', properties: { a: { type: 'string', ...field } } } };
}

suite('A request of a server to you', () => {
  test('is refused if one of its texts is too long, and no text is cut', () => {
    for (const [params, member] of [
      [formWith({}, `${most}x`), 'message'],
      [formWith({ title: `${most}x` }), 'title'],
      [formWith({ description: `${most}x` }), 'description'],
      [formWith({ default: `${most}x` }), 'default'],
      [formWith({ enum: ['a', `${most}x`] }), 'enum'],
      [{ mode: 'url', url: 'https://h.example', elicitationId: '1', message: `${most}x` }, 'message'],
    ] as const) {
      assert.throws(
        () => read(params),
        (error) =>
          error instanceof ElicitationFailure &&
          error.kind === 'malformed' &&
          error.message === `In the request, \`${member}\` has more than 50,000 characters.`,
        member,
      );
    }
    assert.throws(
      () => read({ message: '', requestedSchema: { type: 'object', properties: { [name]: {} } } }),
      {
        message: 'In the request, `properties` has a name that has more than 4,000 characters.',
      },
    );
  });

  test('is read with texts as long as they may be', () => {
    const { message, schema } = read(formWith({ title: most }, most)) as Record<string, unknown>;
    assert.equal(message, most);
    assert.match(JSON.stringify(schema), new RegExp(`"title":"${most}"`));
  });
});
