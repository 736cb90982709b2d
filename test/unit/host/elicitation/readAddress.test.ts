import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { ElicitationFailure } from '../../../../src/host/errors/elicitationFailure.ts';
import { readAddress, type AddressRequest } from '../../../../src/host/elicitation/readAddress.ts';
import { runs } from '../../support/thoroughness.ts';

const read = (url: unknown): AddressRequest => readAddress({ url, message: 'Hi', elicitationId: '1' }, true);

suite('An address that a server asks you to open', () => {
  for (const [text, url, host] of [
    ['https://connect.example/a?b=c#d', 'https://connect.example/a?b=c#d', 'connect.example'],
    ['https://connect.example', 'https://connect.example/', 'connect.example'],
    ['https://CONNECT.example:443/a/../b', 'https://connect.example/b', 'connect.example'],
    ['https://connect.example:8443/', 'https://connect.example:8443/', 'connect.example:8443'],
    ['https://c%6fnnect.example/', 'https://connect.example/', 'connect.example'],
  ] as const) {
    test(`is shown as it is opened: ${text}`, () => {
      const { address, warnings, isFlagged } = read(text);
      assert.deepEqual([address.url, address.host, warnings, isFlagged], [url, host, [], false]);
    });
  }

  for (const [text, host, warning, isFlagged] of [
    ['http://127.0.0.1:9000/a', '127.0.0.1:9000', /on your own machine/, false],
    ['http://localhost/a', 'localhost', /on your own machine/, false],
    ['https://2130706433/', '127.0.0.1', /on your own machine/, false],
    ['https://0x7f.1/', '127.0.0.1', /on your own machine/, false],
    ['https://192.168.1.1/reboot', '192.168.1.1', /private network/, false],
    ['https://[fd00::1]/', '[fd00::1]', /private network/, false],
    ['https://router/', 'router', /private network/, false],
    ['https://nas.local/', 'nas.local', /private network/, false],
    ['https://8.8.8.8/', '8.8.8.8', /a number and not a name/, false],
    ['https://xn--bcher-kva.example/', 'xn--bcher-kva.example', /it reads bücher\.example/, false],
    ['https://xn--80ak6aa92e.com/', 'xn--80ak6aa92e.com', /look like Latin/, true],
    // "github" and "paypal" with a small capital.
    ['https://xn--ithub-wmc.com/', 'xn--ithub-wmc.com', /look like Latin/, true],
    ['https://xn--paypa-ixc.com/', 'xn--paypa-ixc.com', /look like Latin/, true],
    // "paypal" with one Cyrillic letter.
    ['https://xn--pypal-4ve.com/', 'xn--pypal-4ve.com', /several alphabets \(Latin, Cyrillic\)/, true],
    ['https://login.xn--80ak6aa92e.com:444/', 'login.xn--80ak6aa92e.com:444', /look like Latin/, true],
  ] as const) {
    test(`is pointed out: ${text}`, () => {
      const found = read(text);
      assert.equal(found.address.host, host);
      assert.match(found.warnings.join('\n'), warning);
      assert.equal(found.isFlagged, isFlagged);
    });
  }

  test('is no imitation in the alphabet of its own country, or in two that belong together', () => {
    for (const host of ['почта.рф', '東京タワーtower.jp', 'bücher.example', 'παράδειγμα.ελ']) {
      assert.equal(read(new URL(`https://${host}/`).href).isFlagged, false, host);
    }
  });

  for (const text of [
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    'java\nscript:alert(1)',
    'file:///etc/passwd',
    'data:text/html,<script>',
    'vscode://publisher.extension/x',
    'command:workbench.action.reloadWindow',
    'ms-msdt:/id',
    'ssh://-oProxyCommand=calc/x',
    'blob:https://connect.example/x',
    'http://connect.example/',
    'http://192.168.1.1/',
    'https://user@connect.example/',
    'https://connect.example@evil.example/',
    'https://:x@connect.example/',
    'https://169.254.169.254/latest/meta-data',
    'https://[fe80::1]/',
    'https://0.0.0.0/',
    'https://[::]/',
    'https://connect.example/\u202Efdp',
    'https://connect.example/\u200B',
    'https://connect.example/\0',
    'https://connect.example/\r\nx',
    'https://connect.example\\@evil.example/',
    'https:\\\\connect.example\\',
    'https:connect.example',
    'https://connect.example/$(calc)',
    'https://connect.example/`calc`',
    'https://bücher.example/',
    'https://аррӏе.com/',
    '-x',
    '--gpu-launcher=calc',
    ' https://connect.example/',
    'connect.example',
    'https://',
    '',
    `https://connect.example/${'a'.repeat(8_000)}`,
    17,
    null,
    undefined,
    ['https://connect.example/'],
  ]) {
    const shown = JSON.stringify({ text }).slice(0, 60);
    test(`is not ${shown} (security, line 26)`, () => {
      assert.throws(
        () => read(text),
        (error) => error instanceof ElicitationFailure && error.kind === 'malformed',
      );
    });
  }

  test('is quoted in no failure', () => {
    for (const text of ['https://you:hunter22@connect.example/', 'http://connect.example/?code=hunter22']) {
      assert.throws(
        () => read(text),
        (error) => !String(error).includes('hunter22'),
      );
    }
  });

  test('needs a message, and an ID where the revision has one', () => {
    const url = 'https://connect.example/';
    assert.throws(() => readAddress({ url, elicitationId: '1' }, true), ElicitationFailure);
    assert.throws(() => readAddress({ url, message: 'Hi' }, true), ElicitationFailure);
    assert.throws(() => readAddress({ url, message: 'Hi', elicitationId: '' }, true), ElicitationFailure);
    assert.equal(readAddress({ url, message: 'Hi', elicitationId: '1' }, false).id, undefined);
  });

  test('is, whatever is written, one that every parser reads alike', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.webUrl({ withFragments: true, withQueryParameters: true }),
          fc.string({ unit: 'binary' }),
          fc.string().map((rest) => `https://connect.example/${rest}`),
          fc.string({ unit: 'grapheme' }).map((rest) => `https://${rest}`),
        ),
        (text) => {
          let found: AddressRequest;
          try {
            found = read(text);
          } catch (error) {
            assert.ok(error instanceof ElicitationFailure);
            return;
          }
          const { url, host } = found.address;
          assert.equal(new URL(url).href, url);
          assert.equal(new URL(url).href, new URL(text).href);
          assert.equal(url.slice(url.indexOf('//') + 2).startsWith(host), true);
          assert.match(url, /^https?:\/\/[!-~]+$/);
          assert.doesNotMatch(url, /["`\\|<>^{}]|\$\(|^[^/]*\/\/[^/]*@/);
        },
      ),
      { numRuns: runs(500) },
    );
  });
});
