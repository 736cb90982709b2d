import assert from 'node:assert/strict';
import { storedTokens } from '../../../../../src/host/auth/tokens/tokenRequests.ts';
import { signInBounds } from '../../../../../src/host/json/bounds.ts';

const most = 'x'.repeat(signInBounds.tokenCharacters);
const given = { access_token: most, refresh_token: most, token_type: 'Bearer' };

suite('Tokens of an issuer', () => {
  test('are kept whole, as long as they fit into a header', () => {
    const { accessToken, refreshToken } = storedTokens(given, 0, false);
    assert.deepEqual([accessToken, refreshToken], [most, most]);
  });

  for (const member of ['access_token', 'refresh_token'] as const) {
    test(`are refused if ${member} is longer`, () => {
      assert.throws(() => storedTokens({ ...given, [member]: `${most}x` }, 0, false), {
        code: 'signInRequired',
        message: 'the issuer gave a token with more than 16,000 characters',
      });
    });
  }
});
