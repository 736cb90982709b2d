import assert from 'node:assert/strict';
import { scopeWords } from '../../../../src/host/auth/tokens/scopeWords.ts';

suite('The words for a scope', () => {
  const github = 'https://github.com/login/oauth';
  const microsoft = 'https://login.microsoftonline.com/organizations/v2.0';

  for (const [issuer, scope, words] of [
    [github, 'repo', /private ones/],
    [github, 'read:org', /^reads members, teams and projects/],
    [github, 'user:email', /email addresses/],
    [microsoft, 'User.Read', /profile/],
    [microsoft, 'offline_access', /stays signed in/],
    ['https://accounts.example', 'openid', /who you are/],
  ] as const) {
    test(`are known at ${new URL(issuer).host} for ${scope}`, () => {
      assert.match(scopeWords(issuer, scope) ?? '', words);
    });
  }

  for (const [issuer, scope] of [
    ['https://github.com.example', 'repo'],
    ['https://accounts.example', 'repo'],
    ['http://github.com', 'repo'],
    [github, 'repo:unknown'],
    [github, 'REPO'],
    [github, 'constructor'],
    ['constructor', 'repo'],
    [microsoft, 'https://mcp.dev.azure.com/.default'],
  ] as const) {
    test(`are not known at ${issuer} for ${scope}`, () => {
      assert.equal(scopeWords(issuer, scope), undefined);
    });
  }
});
