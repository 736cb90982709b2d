import assert from 'node:assert/strict';
import { isServerAddress, socketAddress } from '../../../../src/host/addresses/serverAddress.ts';

suite('The address of a socket', () => {
  for (const [text, socketPath, url] of [
    ['unix:///run/mcp.sock', '/run/mcp.sock', 'http://localhost/'],
    ['unix:///run/mcp.sock#/mcp', '/run/mcp.sock', 'http://localhost/mcp'],
    ['unix:///run/mcp.sock#/mcp?a=1', '/run/mcp.sock', 'http://localhost/mcp?a=1'],
    ['UNIX:///run/a%20b.sock', '/run/a b.sock', 'http://localhost/'],
    ['pipe:///pipe/mcp#/mcp', '\\\\.\\pipe\\mcp', 'http://localhost/mcp'],
    ['pipe://./pipe/mcp', '\\\\.\\pipe\\mcp', 'http://localhost/'],
  ] as const) {
    test(`${text} is a path, and an address for requests`, () => {
      assert.deepEqual(socketAddress(text), { socketPath, url });
      assert.ok(isServerAddress(text));
    });
  }

  for (const text of [
    'unix://run/mcp.sock',
    'unix:/run/mcp.sock',
    'unix:///',
    'unix:///run/',
    'unix:///run/../etc/mcp.sock',
    'unix:///run/%2e%2e/mcp.sock',
    'unix:///run//mcp.sock',
    'unix:///run/mcp.sock#mcp',
    'unix:///run/mcp.sock#//example.com/mcp',
    'unix:///run/mcp.sock#/\\example.com',
    'unix:///run/%00.sock',
    'unix:///run/%zz.sock',
    'unix:///run/mcp.sock?path=/mcp',
    'pipe:///mcp',
    'pipe:///pipe/a/b',
    'pipe://server/pipe/mcp',
    'file:///run/mcp.sock',
    'mcp.sock',
  ]) {
    test(`${text} is not an address of a socket`, () => {
      assert.equal(socketAddress(text), undefined);
      assert.ok(!isServerAddress(text));
    });
  }
});
