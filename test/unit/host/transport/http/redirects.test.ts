import assert from 'node:assert/strict';
import { fetchWithinOrigin, redirectedTo } from '../../../../../src/host/transport/http/redirects.ts';

/** Each address redirects to the next one; the last one answers. */
function fetching(status: number, ...places: readonly string[]) {
  const asked: string[] = [];
  const fetch = (url: string | URL): Promise<Response> => {
    asked.push(String(url));
    const location = places[asked.length - 1];
    const init = location === undefined ? {} : { status, headers: { location } };
    return Promise.resolve(new Response(null, init));
  };
  return { asked, fetch };
}

const start = new URL('http://example.com/mcp?key=1');

suite('A redirect', () => {
  for (const [method, status, to, target] of [
    ['POST', 307, '/other', 'http://example.com/other'],
    ['POST', 308, 'https://example.com/mcp', 'https://example.com/mcp'],
    ['GET', 302, '/other', 'http://example.com/other'],
  ] as const) {
    test(`is followed from ${start.href} to ${to} by ${method} after ${status}`, async () => {
      const { asked, fetch } = fetching(status, to);
      const { response, url } = await fetchWithinOrigin(fetch, start, { method });
      assert.deepEqual([response.status, url.href, asked], [200, target, [start.href, target]]);
    });
  }

  for (const [method, status, to, named] of [
    ['POST', 302, '/other', 'http://example.com/other'],
    ['POST', 307, 'http://example.org/mcp', 'http://example.org/mcp'],
    ['POST', 307, 'http://example.com:81/mcp', 'http://example.com:81/mcp'],
    ['POST', 307, 'https://example.com:444/mcp', 'https://example.com:444/mcp'],
    ['GET', 307, 'http://user:secret@example.com/mcp?token=1#a', 'http://example.com/mcp'],
  ] as const) {
    test(`isn't followed to ${to} by ${method} after ${status}, and is named without secrets`, async () => {
      const { asked, fetch } = fetching(status, to);
      const placed = await fetchWithinOrigin(fetch, start, { method });
      assert.equal(placed.response.status, status);
      assert.equal(asked.length, 1);
      assert.equal(redirectedTo(placed), named);
    });
  }

  test("isn't followed from https to http, and is named as https", async () => {
    const { fetch } = fetching(307, 'http://example.com/mcp');
    const placed = await fetchWithinOrigin(fetch, new URL('https://example.com/mcp'), { method: 'POST' });
    assert.equal(placed.response.status, 307);
    assert.equal(redirectedTo(placed), 'https://example.com/mcp');
  });

  test('is followed five times at most', async () => {
    const { asked, fetch } = fetching(307, ...Array.from({ length: 9 }, (_, index) => `/${index}`));
    const { response } = await fetchWithinOrigin(fetch, start, { method: 'POST' });
    assert.deepEqual([response.status, asked.length], [307, 6]);
  });

  test('to nowhere is the response', async () => {
    const { fetch } = fetching(307, 'http://');
    const placed = await fetchWithinOrigin(fetch, start, { method: 'POST' });
    assert.deepEqual([placed.response.status, redirectedTo(placed)], [307, undefined]);
  });
});
