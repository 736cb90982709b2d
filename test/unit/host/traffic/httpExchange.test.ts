import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { curlCommand, exchangeOf, exchangeText } from '../../../../src/host/traffic/httpExchange.ts';

const init = {
  method: 'POST',
  headers: {
    'content-type': 'application/json',
    'mcp-session-id': 'session-1',
    'x-api-key': 'key-1',
    'mcp-name': `it's $(touch /tmp/x) "quoted"`,
  },
};
const address = 'http://127.0.0.1:3000/mcp?key=query-1&sessionId=session-1';
const response = new Response('{}', {
  status: 200,
  statusText: 'OK',
  headers: { 'content-type': 'application/json', 'set-cookie': 'cookie-1' },
});

suite('An HTTP exchange', () => {
  const exchange = exchangeOf(address, init, 5, response, (text) => text);

  test('says how it went, and no value that may be secret', () => {
    const text = exchangeText(exchange, 4);
    assert.match(
      text,
      /^POST http:\/\/127\.0\.0\.1:3000\/mcp\?key=•••&sessionId=•••: 200 OK \(message 4, 5 ms, application\/json\)\n/,
    );
    assert.match(text, /\ncontent-type: application\/json\n/);
    for (const value of ['session-1', 'key-1', 'query-1', 'cookie-1']) {
      assert.ok(!JSON.stringify(exchange).includes(value), value);
    }
  });

  test('says why there is no response', () => {
    const failed = exchangeOf(address, init, 5, new Error('connect ECONNREFUSED'), (text) => text);
    assert.match(exchangeText(failed, undefined), /: connect ECONNREFUSED \(5 ms\)/);
  });

  const bodies = [
    { a: "it's", b: '$(touch /tmp/x)', c: '`id`', d: 'two\nlines', e: '\\', f: '$HOME', g: '!!', h: '"' },
    { "'": "''" },
  ];
  for (const body of bodies) {
    (process.platform === 'win32' ? test.skip : test)(
      `is a command that a shell runs as it is: ${JSON.stringify(body)}`,
      () => {
        const command = curlCommand(exchange, JSON.stringify(body));
        const script = `curl() { for one; do printf '%s\\0' "$one"; done; }\n${command}`;
        const env = { MCP_SESSION_ID: 's 1', X_API_KEY: 'k$1', KEY: 'q', SESSIONID: 'r' };
        const args = execFileSync('/bin/sh', ['-c', script], { env, encoding: 'utf8' })
          .split('\0')
          .slice(0, -1);
        assert.deepEqual(args, [
          '--request',
          'POST',
          'http://127.0.0.1:3000/mcp?key=q&sessionId=r',
          '--header',
          'content-type: application/json',
          '--header',
          `mcp-name: it's $(touch /tmp/x) "quoted"`,
          '--header',
          'mcp-session-id: s 1',
          '--header',
          'x-api-key: k$1',
          '--data-raw',
          JSON.stringify(body),
        ]);
      },
    );
  }
});
