import assert from 'node:assert/strict';
import {
  readRules,
  refusalBy,
  type ReportedSetting,
  type RuledServer,
  type RuleSetting,
} from '../../../../src/host/config/serverRules.ts';

type Settings = Partial<Record<RuleSetting, unknown>>;

const short = {
  access: 'chat.mcp.access',
  allowed: 'chat.mcp.allowedServers',
  denied: 'chat.mcp.deniedServers',
  managedOnly: 'chat.mcp.allowManagedServersOnly',
} as const;

/** Rules as your own settings have them. */
function rulesOf(settings: Settings): ReturnType<typeof readRules> {
  return readRules((setting) => ({ value: settings[setting], layers: [settings[setting]] }));
}

function settingsOf(named: Partial<Record<keyof typeof short, unknown>>): Settings {
  return Object.fromEntries(
    Object.entries(named).map(([name, value]) => [short[name as keyof typeof short], value]),
  );
}

function refusedBy(settings: Settings, server: RuledServer): string | undefined {
  return refusalBy(rulesOf(settings), server)?.setting;
}

const git: RuledServer = { name: 'git', written: ['uvx', 'git'], filled: ['uvx', 'git'] };
const filledIn: RuledServer = {
  name: 'files',
  written: ['npx', 'files', '${userHome}'],
  filled: ['npx', 'files', '/home/me'],
};
const unknown: RuledServer = { name: 'db', written: ['db', '${input:token}'], filled: undefined };
const at = (url: string): RuledServer => ({ name: 'web', written: url, filled: url });
const web = at('https://mcp.example.com/v1');
const openAddress: RuledServer = { name: 'web', written: 'https://${env:HOST}/mcp', filled: undefined };

suite('The rules of the editor’s settings', () => {
  const table: readonly [
    what: string,
    settings: Parameters<typeof settingsOf>[0],
    server: RuledServer,
    by: keyof typeof short | undefined,
  ][] = [
    ['without settings, all may run', {}, git, undefined],
    ['all may run', { access: 'all' }, git, undefined],
    ['an unknown level is no rule', { access: 'some' }, git, undefined],
    ['none may run', { access: 'none' }, git, 'access'],
    [
      'none may run, also if it is listed',
      { access: 'none', allowed: [{ serverName: 'git' }] },
      git,
      'access',
    ],
    ['nothing here is known to be of a registry', { access: 'registry' }, git, 'access'],
    ['a list that is no list is no rule', { allowed: 'git' }, git, undefined],
    ['null is no rule', { allowed: null, denied: null }, git, undefined],
    ['an empty list lets nothing run', { allowed: [] }, git, 'allowed'],
    ['an empty list denies nothing', { denied: [] }, git, undefined],
    ['a name that is listed', { allowed: [{ serverName: 'git' }] }, git, undefined],
    ['a name in other letters', { allowed: [{ serverName: 'Git' }] }, git, 'allowed'],
    ['a name with a wildcard is only a name', { allowed: [{ serverName: '*' }] }, git, 'allowed'],
    ['a name that is denied', { denied: [{ serverName: 'git' }] }, git, 'denied'],
    ['a denial wins', { allowed: [{ serverName: 'git' }], denied: [{ serverName: 'git' }] }, git, 'denied'],
    ['a command that is listed', { allowed: [{ serverCommand: ['uvx', 'git'] }] }, git, undefined],
    ['a command without its arguments', { allowed: [{ serverCommand: ['uvx'] }] }, git, 'allowed'],
    ['a command in another order', { denied: [{ serverCommand: ['git', 'uvx'] }] }, git, undefined],
    ['a command that is denied', { denied: [{ serverCommand: ['uvx', 'git'] }] }, git, 'denied'],
    ['a command as it is filled in', { allowed: [{ serverCommand: filledIn.filled }] }, filledIn, undefined],
    ['a command as it is written', { allowed: [{ serverCommand: filledIn.written }] }, filledIn, 'allowed'],
    [
      'a denied command as it is filled in',
      { denied: [{ serverCommand: filledIn.filled }] },
      filledIn,
      'denied',
    ],
    [
      'a denied command as it is written',
      { denied: [{ serverCommand: filledIn.written }] },
      filledIn,
      'denied',
    ],
    ['a command that may be listed', { allowed: [{ serverCommand: ['db', 'secret'] }] }, unknown, undefined],
    [
      'a command that only an address could allow',
      { allowed: [{ serverUrl: 'https://*' }] },
      unknown,
      'allowed',
    ],
    [
      'a command that may be denied later',
      { denied: [{ serverCommand: ['db', 'secret'] }] },
      unknown,
      undefined,
    ],
    [
      'an address that may be listed',
      { allowed: [{ serverUrl: 'https://mcp.example.com/mcp' }] },
      openAddress,
      undefined,
    ],
    [
      'an entry with two fields',
      { denied: [{ serverName: 'git', serverCommand: ['uvx', 'git'] }] },
      git,
      undefined,
    ],
    ['an entry without a field', { denied: [{}, null, 'git', 7] }, git, undefined],
    [
      'an invalid entry beside a valid one',
      { denied: [{ serverName: 7 }, { serverName: 'git' }] },
      git,
      'denied',
    ],
    ['a list of invalid entries lets nothing run', { allowed: ['git'] }, git, 'allowed'],
    ['an address', { allowed: [{ serverUrl: 'https://mcp.example.com/v1' }] }, web, undefined],
    [
      'an address has no command',
      { denied: [{ serverCommand: ['https://mcp.example.com/v1'] }] },
      web,
      undefined,
    ],
    ['a command has no address', { denied: [{ serverUrl: 'uvx*' }] }, git, undefined],
    ['only what the organization lists', { managedOnly: true }, git, 'managedOnly'],
    ['what it lists', { managedOnly: true, allowed: [{ serverName: 'git' }] }, git, undefined],
    ['what it doesn’t list', { managedOnly: true, allowed: [{ serverName: 'files' }] }, git, 'allowed'],
  ];
  for (const [what, settings, server, by] of table) {
    test(`${by ? `${by} keeps out` : 'let run'}: ${what}`, () => {
      assert.equal(refusedBy(settingsOf(settings), server), by && short[by]);
    });
  }

  const addresses: readonly [pattern: string, address: string, matches: boolean][] = [
    ['https://mcp.example.com/v1', 'https://MCP.example.com/V1', true],
    ['https://mcp.example.com/v1', 'https://mcp.example.com/v1/more', false],
    ['https://mcp.example.com', 'https://mcp.example.com/', true],
    ['https://mcp.example.com:443/v1', 'https://mcp.example.com/v1', true],
    ['https://mcp.example.com/v1', 'https://mcp.example.com/v1#part', true],
    ['https://mcp.example.com/v1', 'https://mcp.example.com/v1?key=1', false],
    ['https://mcp.example.com/v1', 'https://me@mcp.example.com/v1', true],
    ['https://mcp.example.com/v1', 'http://mcp.example.com/v1', false],
    ['https://mcp.example.com/*', 'https://mcp.example.com/a/b?c', true],
    ['https://mcp.example.com/*', 'https://mcp.example.com', true],
    ['https://mcp.example.com*', 'https://mcp.example.com/', true],
    ['https://mcp.example.com*', 'https://mcp.example.com/v1', false],
    ['https://*.example.com/*', 'https://mcp.example.com/v1', true],
    ['https://*.example.com/*', 'https://example.com/v1', false],
    ['https://*.example.com/*', 'https://evil.com/.example.com/v1', false],
    ['https://*.example.com/*', 'https://evil.com\\.example.com/v1', false],
    ['https://*.example.com/*', 'https://evil.com?.example.com/v1', false],
    ['https://*.example.com/*', 'https://evil.com#.example.com/v1', false],
    ['https://*.example.com/*', 'https://a.example.com@evil.com/v1', false],
    ['https://*.example.com/*', 'https://mcpXexample.com/v1', false],
    ['https://*.example.com:443/*', 'https://mcp.example.com/v1', true],
    ['https://user@*.example.com/*', 'https://mcp.example.com/v1', true],
    ['http://localhost:*/*', 'http://localhost:8080/mcp', true],
    ['http://localhost:*/*', 'http://localhost/mcp', true],
    ['http://localhost:80*/*', 'http://localhost:8080/mcp', true],
    ['http://[::1]:*/*', 'http://[::1]:8080/mcp', true],
    ['*://mcp.example.com/*', 'https://mcp.example.com/v1', true],
    ['*example.com/*', 'https://mcp.example.com/v1', false],
    ['*', 'https://mcp.example.com/v1', false],
    ['https://*/*?key=*', 'https://mcp.example.com/v1?key=1', true],
    ['https://mcp.example.com/(v1|v2)*', 'https://mcp.example.com/v1', false],
    ['https://mcp.example.com/*', 'no address', false],
    ['no address', 'https://mcp.example.com/v1', false],
  ];
  for (const [pattern, address, matches] of addresses) {
    test(`${matches ? 'match' : "don't match"} '${pattern}' and '${address}'`, () => {
      const denied = [{ serverUrl: pattern }];
      assert.equal(refusedBy(settingsOf({ denied }), at(address)) !== undefined, matches);
    });
  }

  const report =
    (named: Partial<Record<RuleSetting, ReportedSetting>>) =>
    (setting: RuleSetting): ReportedSetting | undefined =>
      named[setting];

  test('take the strictest level of access of all layers, because a workspace can set it', () => {
    for (const [value, layers, by] of [
      ['all', ['none', 'all'], 'turns off'],
      ['none', [], 'turns off'],
      ['registry', ['registry'], 'of a registry'],
      ['registry', ['registry', 'none'], 'turns off'],
    ] as const) {
      const rules = readRules(report({ 'chat.mcp.access': { value, layers } }));
      assert.match(String(refusalBy(rules, git)?.message), new RegExp(by));
    }
  });

  test('deny what any layer denies', () => {
    const layers = [[{ serverName: 'git' }], [{ serverName: 'files' }]];
    const rules = readRules(report({ 'chat.mcp.deniedServers': { value: layers[1], layers } }));
    for (const server of [git, filledIn]) {
      assert.equal(refusalBy(rules, server)?.code, 'forbidden');
    }
    assert.equal(refusalBy(rules, web), undefined);
  });

  test('allow what each layer allows, so that a workspace can’t loosen your list', () => {
    const own = [{ serverName: 'git' }, { serverName: 'web' }];
    const ofWorkspace = [{ serverName: 'files' }, { serverName: 'web' }];
    const setting = { value: ofWorkspace, layers: [own, ofWorkspace] };
    const rules = readRules(report({ 'chat.mcp.allowedServers': setting }));
    assert.equal(refusalBy(rules, git)?.code, 'forbidden');
    assert.equal(refusalBy(rules, filledIn)?.code, 'forbidden');
    assert.equal(refusalBy(rules, web), undefined);
  });

  test('allow only what the list of your organization allows, whatever yours says', () => {
    const theirs = [{ serverName: 'files' }];
    const own = [{ serverName: 'git' }];
    for (const isOnly of [false, true]) {
      const rules = readRules(
        report({
          'chat.mcp.allowedServers': { value: theirs, layers: [own] },
          'chat.mcp.allowManagedServersOnly': { value: isOnly, layers: [] },
        }),
      );
      assert.equal(refusalBy(rules, git)?.word, 'not allowed by your organization (chat.mcp.allowedServers)');
      assert.equal(refusalBy(rules, filledIn), undefined);
    }
  });

  test('name your organization only where no file of yours has the value, and offer no way to change it', () => {
    const list = [{ serverName: 'git' }];
    const managed = { value: list, layers: [undefined, undefined] };
    const byThem = refusalBy(readRules(report({ 'chat.mcp.deniedServers': managed })), git);
    assert.equal(byThem?.word, 'not allowed by your organization (chat.mcp.deniedServers)');
    assert.match(byThem.message, /chat\.mcp\.deniedServers of your organization has an entry/);
    assert.equal(byThem.setting, undefined);
    const own = { value: list, layers: [structuredClone(list), undefined] };
    const byYou = refusalBy(readRules(report({ 'chat.mcp.deniedServers': own })), git);
    assert.equal(byYou?.word, 'not allowed by chat.mcp.deniedServers');
    assert.equal(byYou.setting, 'chat.mcp.deniedServers');
  });
});
