import assert from 'node:assert/strict';
import { startRequestIn } from '../../../../src/host/connection/startRequest.ts';

/** What programs write, without blank lines; then what you open, and what you enter. */
const requests: readonly (readonly [
  program: string,
  text: string,
  address?: string | undefined,
  code?: string,
])[] = [
  [
    'mcp-remote',
    `[9427] Using transport strategy: http-first
[9427]
Please authorize this client by visiting:
http://127.0.0.1:4799/authorize?response_type=code&redirect_uri=http%3A%2F%2Flocalhost%3A42430%2Foauth%2Fcallback
[9427] Trying /usr/bin/xdg-open to open the browser...
[9427] Could not open a browser automatically. Please copy and paste the URL above into your browser.
[9427] Authentication required. Waiting for authorization...`,
    'http://127.0.0.1:4799/authorize?response_type=code&redirect_uri=http%3A%2F%2Flocalhost%3A42430%2Foauth%2Fcallback',
  ],
  [
    'Microsoft',
    'To sign in, use a web browser to open the page https://microsoft.com/devicelogin and enter the code A1B2C3D4E to authenticate.',
    'https://microsoft.com/devicelogin',
    'A1B2C3D4E',
  ],
  [
    'GitHub',
    `! First copy your one-time code: ABCD-1234
Open this URL to continue in your web browser: https://github.com/login/device`,
    'https://github.com/login/device',
    'ABCD-1234',
  ],
  [
    'AWS',
    `If the browser does not open or you wish to use a different device to authorize this request, open the following URL:
https://device.sso.us-east-1.amazonaws.com/
Then enter the code:
WXYZ-ABCD`,
    'https://device.sso.us-east-1.amazonaws.com/',
    'WXYZ-ABCD',
  ],
  [
    'Google',
    'Authorize this app by visiting this url: https://accounts.google.com/o/oauth2/v2/auth?access_type=offline.',
    'https://accounts.google.com/o/oauth2/v2/auth?access_type=offline',
  ],
  ['a code alone', 'Your verification code is 482913', undefined, '482913'],
  ['an address with a password', 'Log in: open https://me:secret@example.com/', undefined],
  ['an address without encryption', 'To log in, open http://example.com/login', undefined],
  ['an address that a shell would run', 'To log in, open https://example.com/$(id)', undefined],
];

suite('What a program asks you before it goes on', () => {
  for (const [program, text, address, code] of requests) {
    test(`is found: ${program}`, () => {
      const found = startRequestIn(text.split('\n'));
      assert.ok(found);
      assert.equal(found.address?.url, address);
      assert.equal(found.code, code);
    });
  }

  test('is in its own words, up to the address or the code', () => {
    const [, text] = requests[0] ?? ['', ''];
    assert.match(
      startRequestIn(text.split('\n'))?.words ?? '',
      /^Please authorize this client by visiting: http:\/\/127\.0\.0\.1:4799\/\S+$/,
    );
    const long = `Open this address in your browser: https://example.com/?${'a'.repeat(20_000)}`;
    assert.equal(startRequestIn([long])?.words.length, 501);
    assert.equal(startRequestIn([long])?.address, undefined);
  });

  for (const text of [
    'Documentation: https://example.com/docs',
    'Visit https://example.com/docs for help.',
    'npm notice New minor version of npm available! 11.1.0 -> 11.2.0\nnpm notice Changelog: https://github.com/npm/cli/releases',
    '[INFO] StreamableHTTP endpoint available at http://127.0.0.1:3333/mcp',
    'OAuth callback server running at http://127.0.0.1:42430\nDiscovered authorization server: http://127.0.0.1:4799',
    'For further information visit https://errors.pydantic.dev/2.11/v/missing',
    'Authorized. Open an issue if that was wrong.',
    'The process exited with code ENOENT',
    'Started without allowed directories - waiting for client to provide roots via MCP protocol',
  ]) {
    test(`is not found in: ${text.slice(0, 60)}`, () => {
      assert.equal(startRequestIn(text.split('\n')), undefined);
    });
  }
});
