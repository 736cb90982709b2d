import assert from 'node:assert/strict';
import { promisify } from 'node:util';
import type { AddressKind } from '../../../../../src/host/addresses/addressKind.ts';
import { AddressCheck } from '../../../../../src/host/auth/network/addressCheck.ts';
import { HostError } from '../../../../../src/host/errors/hostError.ts';
import { connectedTo, FakeNames } from '../../../support/namesBed.ts';

const names = {
  'mcp.both': [['10.1.2.3', '2606:4700::1']],
  'mcp.moved': [['10.1.2.3', '127.0.0.1']],
  'app.test': ['127.0.0.1'],
  'login.example': ['8.8.4.4'],
  'login.corp': ['10.9.9.9'],
  'login.corp6': ['fd00::9'],
  'login.vpn': ['100.64.9.9'],
  'login.mixed': [['8.8.4.4', '10.9.9.9']],
  'login.here': ['127.0.0.1'],
  'login.cloud': ['169.254.169.254'],
  localhost: [['127.0.0.1', '::1']],
};

/** Where servers have answered whose URLs don't say it. */
const kinds: Readonly<Record<string, AddressKind>> = {
  'mcp.corp': 'private',
  'mcp.vpn': 'shared',
  'app.test': 'loopback',
};

/** Whether a URL is allowed as it is written, and to each address to which its name resolves. */
async function isAllowed(server: string, address: string): Promise<boolean> {
  const connections = connectedTo(kinds[new URL(server).hostname] ?? 'public');
  const check = new AddressCheck(server, connections, new FakeNames(names).lookup);
  const url = new URL(address);
  try {
    await check.request(url);
    if (/[a-z]/.test(url.hostname) && !url.hostname.startsWith('[')) {
      await promisify(check.lookupFor(url))(url.hostname, { all: true });
    }
    return true;
  } catch (error) {
    assert.ok(error instanceof HostError);
    assert.equal(error.code, 'protocol');
    assert.ok(error.message.includes(url.host) && error.message.includes(new URL(server).host));
    return false;
  }
}

suite('The check of addresses for a sign-in', () => {
  for (const [server, allowed, refused] of [
    [
      'https://mcp.example/mcp',
      ['https://login.example/'],
      [
        'https://login.corp/',
        'https://login.vpn/',
        'https://login.mixed/',
        'https://login.here/',
        'https://login.cloud/',
        'https://localhost/',
        'http://localhost/',
        'https://10.1.2.3/',
        'https://127.0.0.1/',
      ],
    ],
    [
      'https://mcp.corp/mcp',
      [
        'https://login.example/',
        'https://login.corp/',
        'https://login.corp6/',
        'https://10.1.1.1/',
        'https://login.mixed/',
      ],
      [
        'https://login.cloud/',
        'https://169.254.169.254/',
        'https://login.here/',
        'https://login.vpn/',
        'http://mcp.corp/',
        'http://localhost/',
      ],
    ],
    [
      'https://10.0.0.1/mcp',
      ['https://login.corp/', 'https://[fd00::1]/'],
      ['https://127.0.0.1/', 'http://10.0.0.1/'],
    ],
    ['https://mcp.vpn/mcp', ['https://login.vpn/'], ['https://login.corp/', 'https://100.100.100.200/']],
    // It has answered at its public address, and is asked only there.
    ['https://mcp.both/mcp', ['https://mcp.both/'], ['https://login.corp/', 'https://login.here/']],
    // It no longer has the public address at which it has answered.
    ['https://mcp.moved/mcp', [], ['https://mcp.moved/']],
    [
      'http://localhost:3000/mcp',
      [
        'http://localhost:9000/',
        'http://127.0.0.1:9000/',
        'http://[::1]/',
        'https://login.here/',
        'https://login.example/',
      ],
      [
        'http://login.here/',
        'http://login.example/',
        'https://login.corp/',
        'https://login.cloud/',
        'http://0.0.0.0:9000/',
        'http://[::]/',
      ],
    ],
    ['http://127.0.0.1:3000/mcp', ['http://localhost/', 'http://[::ffff:127.0.0.1]/'], ['https://10.0.0.1/']],
    // A name for this machine: http on its own origin, otherwise https.
    [
      'http://app.test/mcp',
      ['http://app.test/token', 'https://app.test/', 'https://localhost/'],
      ['http://localhost/', 'http://login.here/', 'http://app.test:81/'],
    ],
    [
      'https://169.254.169.254/mcp',
      ['https://login.example/'],
      ['https://169.254.169.254/', 'https://login.cloud/', 'https://[fe80::1]/'],
    ],
  ] as const) {
    test(`asks for ${server} only where that server is, too (security, line 10)`, async () => {
      for (const address of allowed) {
        assert.ok(await isAllowed(server, address), `${address} is refused`);
      }
      for (const address of refused) {
        assert.ok(!(await isAllowed(server, address)), `${address} is allowed`);
      }
    });
  }

  test('gives one address to a caller that wants one', async () => {
    const check = new AddressCheck('https://mcp.example', connectedTo('public'), new FakeNames(names).lookup);
    const url = new URL('https://login.example');
    const found = await new Promise((resolve, reject) => {
      check.lookupFor(url)('login.example', {}, (error, address, family) =>
        error ? reject(error) : resolve([address, family]),
      );
    });
    assert.deepEqual(found, ['8.8.4.4', 4]);
  });

  test('fails as the look-up does', async () => {
    const check = new AddressCheck('https://mcp.example', connectedTo('public'), new FakeNames(names).lookup);
    const url = new URL('https://gone.example');
    await assert.rejects(promisify(check.lookupFor(url))('gone.example', { all: true }), {
      code: 'ENOTFOUND',
    });
  });

  test('asks for the place of the server only if something depends on it', async () => {
    let asked = 0;
    const kindOf = (): Promise<AddressKind> => {
      asked += 1;
      return Promise.resolve('private');
    };
    const check = new AddressCheck('https://mcp.corp', { kindOf }, new FakeNames(names).lookup);
    for (const [host, count] of [
      ['login.example', 0],
      ['login.corp', 1],
    ] as const) {
      const url = new URL(`https://${host}`);
      await check.request(url);
      await promisify(check.lookupFor(url))(host, { all: true });
      assert.equal(asked, count);
    }
  });

  test('opens in the browser what may be asked, and nothing else (security, lines 9 and 10)', async () => {
    const check = new AddressCheck('https://mcp.example', connectedTo('public'), new FakeNames(names).lookup);
    const opened = await check.browser('https://login.example/authorize?state=x');
    assert.equal(opened.host, 'login.example');
    for (const address of [
      'https://192.168.1.1/reboot',
      'http://127.0.0.1:631/',
      'https://localhost/',
      'http://login.example/',
      'javascript:alert(1)',
    ]) {
      await assert.rejects(check.browser(address), HostError, address);
    }
    const local = new AddressCheck(
      'http://127.0.0.1:3000/mcp',
      connectedTo('public'),
      new FakeNames(names).lookup,
    );
    assert.equal((await local.browser('http://localhost:9000/authorize')).host, 'localhost:9000');
  });
});
