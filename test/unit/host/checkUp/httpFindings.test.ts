import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { once } from 'node:events';
import tls from 'node:tls';
import { tlsFinding } from '../../../../src/host/checkUp/httpFindings.ts';
import { CancellationError } from '../../../../src/base/lifetime/cancellation.ts';
import { serveStatus } from '../../../fixtures/servers/httpServers.ts';
import { certificate, serveSecure } from '../../support/secureServer.ts';

suite('The handshake of TLS in a check-up', () => {
  let server: Awaited<ReturnType<typeof serveSecure>>;
  const before = tls.getCACertificates('default');
  const find = (url: string, isBehindProxy = false): ReturnType<typeof tlsFinding> =>
    tlsFinding(url, isBehindProxy, new AbortController().signal);

  suiteSetup(async () => (server = await serveSecure()));
  suiteTeardown(() => server.close());
  teardown(() => tls.setDefaultCACertificates(before));

  const trust = (): void => tls.setDefaultCACertificates([...before, readFileSync(certificate, 'utf8')]);

  test('says who issued the certificate, and for how long it is valid', async () => {
    trust();
    const found = await find(server.url);
    assert.equal(found?.outcome, 'ok');
    assert.match(
      found.text,
      /^TLSv1\.3\. Its certificate is from MCP Host, Tests only, and valid until \w+ .* GMT\.$/,
    );
  });

  test('says what to do about a certificate that is not trusted', async () => {
    const found = await find(server.url);
    assert.equal(found?.outcome, 'failed');
    assert.match(found.text, /its certificate is not trusted \(DEPTH_ZERO_SELF_SIGNED_CERT\)/);
    assert.match(found.advice ?? '', /^Add the certificate of the authority/);
  });

  test('says that the certificate is for another host', async () => {
    trust();
    const found = await find(server.url.replace('localhost', '127.0.0.1'));
    assert.match(found?.text ?? '', /ERR_TLS_CERT_ALTNAME_INVALID/);
    assert.match(found?.advice ?? '', /for another host/);
  });

  test('says that the server speaks no TLS', async () => {
    const plain = await serveStatus(200);
    try {
      const found = await find(plain.url.replace('http:', 'https:'));
      assert.match(found?.text ?? '', /it doesn't speak TLS at this port/);
      assert.match(found?.advice ?? '', /http: in its address/);
    } finally {
      await plain.close();
    }
  });

  test('is left out without TLS, and behind a proxy', async () => {
    assert.equal(await find(server.url.replace('https:', 'http:')), undefined);
    assert.equal(await find('unix:///run/server.sock'), undefined);
    assert.equal(await find(server.url, true), undefined);
  });

  test('ends when you cancel it', async () => {
    const silent = createServer(() => {}).listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const { port } = silent.address() as { readonly port: number };
    const abort = new AbortController();
    const finding = tlsFinding(`https://127.0.0.1:${port}`, false, abort.signal);
    await once(silent, 'connection');
    abort.abort();
    await assert.rejects(finding, CancellationError);
    silent.close();
  });
});
