import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { unplainReason } from '../../../../../src/host/addresses/webAddress.ts';
import { readBrowserAddress } from '../../../../../src/host/auth/network/browserAddress.ts';
import { HostError } from '../../../../../src/host/errors/hostError.ts';
import { runs } from '../../../support/thoroughness.ts';

suite('An address that a browser opens', () => {
  for (const [url, host, readable] of [
    ['https://login.example/authorize?client_id=x&state=y', 'login.example', 'login.example'],
    ['https://login.example:8443/', 'login.example:8443', 'login.example:8443'],
    ['http://127.0.0.1:9000/a', '127.0.0.1:9000', '127.0.0.1:9000'],
    ['https://xn--bcher-kva.example/', 'xn--bcher-kva.example', 'bücher.example'],
    ['https://xn--80ak6aa92e.com:444/', 'xn--80ak6aa92e.com:444', 'аррӏе.com:444'],
    ['https://[2606:4700::1111]/', '[2606:4700::1111]', '[2606:4700::1111]'],
    ["https://login.example/a%20b'c(d)?e=%22f%22", 'login.example', 'login.example'],
  ] as const) {
    test(`is ${url}, with its host for people`, () => {
      assert.deepEqual(readBrowserAddress(url), { url, host, readableHost: readable });
    });
  }

  for (const text of [
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    'java\nscript:alert(1)',
    'file:///etc/passwd',
    'file://server/share',
    'data:text/html,<script>',
    'vscode://publisher.extension/x',
    'vbscript:x',
    'ms-msdt:/id',
    'ssh://-oProxyCommand=calc/x',
    'blob:https://login.example/x',
    '-x',
    '--gpu-launcher=calc',
    '-https://login.example/',
    ' https://login.example/',
    'https://login.example/ ',
    'a:$(calc.exe)',
    'https://login.example/$(calc.exe)',
    'https://login.example/?x=$(touch${IFS}x)',
    'https://login.example/`calc`',
    'https://login.example/"&calc',
    'https://login.example/|calc',
    'https://login.example/^&calc',
    'https://login.example/\\evil',
    'https:\\\\login.example\\',
    'https:login.example',
    'https:/login.example/',
    '//login.example/',
    '/authorize',
    'login.example',
    '',
    'https://',
    'https://you@login.example/',
    'https://login.example@evil.example/',
    'https://:x@login.example/',
    'https://login.example/#x',
    'https://login.example/\u202Efdp',
    'https://login.example/\0',
    'https://login.example/\r\nx',
    'https://bücher.example/',
    'https://login.example',
    'HTTPS://login.example/',
    'https://LOGIN.example/',
    'https://login.example:443/',
    'https://login.example/a/../b',
    'https://2130706433/',
  ]) {
    test(`is not ${JSON.stringify(text)} (security, line 9)`, () => {
      assert.throws(
        () => readBrowserAddress(text),
        (error) =>
          error instanceof HostError && error.code === 'protocol' && /isn't opened/.test(error.message),
      );
    });
  }

  test('quotes no credentials in what it says', () => {
    for (const text of [
      'https://you:hunter22@login.example/',
      'https://login.example/?code=hunter22 ',
      'hunter22',
    ]) {
      assert.throws(
        () => readBrowserAddress(text),
        (error) => !String(error).includes('hunter22'),
      );
    }
  });

  test('is exactly the text, and nothing that a shell or an opener reads as more', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.webUrl({ withFragments: true, withQueryParameters: true }),
          fc.string({ unit: 'binary' }),
          fc.string().map((rest) => `https://login.example/${rest}`),
          fc.string().map((rest) => `https://${rest}`),
        ),
        (text) => {
          if (unplainReason(text) !== undefined) {
            assert.throws(() => readBrowserAddress(text), HostError);
            return;
          }
          try {
            const { url, host } = readBrowserAddress(text);
            assert.equal(url, text);
            assert.equal(new URL(text).host, host);
            assert.match(url, /^https?:\/\/[!-~]+$/);
            assert.doesNotMatch(url, /["`\\|<>^{}]|\$\(/);
          } catch (error) {
            assert.ok(error instanceof HostError, String(error));
          }
        },
      ),
      { numRuns: runs(500) },
    );
  });
});
