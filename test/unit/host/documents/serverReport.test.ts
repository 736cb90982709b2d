import assert from 'node:assert/strict';
import type { HostTool } from '../../../../src/host/tools/hostTool.ts';
import type { RootsView } from '../../../../src/host/roots/rootsView.ts';
import { serverReport, type ServerReport } from '../../../../src/host/documents/serverReport.ts';
import { plain } from '../../../../src/host/questions/panelText.ts';
import { httpServer, stdioServer } from '../../support/definitions.ts';
import { pathOnDisk, uriOnDisk } from '../../support/onDisk.ts';

const serverReportText = (seen: ServerReport): string =>
  serverReport(seen)
    .map(({ title, text }) => `${title}\n${plain(text.text)}`)
    .join('\n\n');

const api = { uri: uriOnDisk('/projects/api'), name: 'api' };
const web = { uri: uriOnDisk('/projects/web'), name: 'web' };
const gone = { uri: uriOnDisk('/projects/gone'), name: 'gone' };

const roots: RootsView = {
  basis: 'person',
  isForLater: false,
  shared: [api],
  candidates: [
    { root: api, isChosen: true, isProposed: true },
    { root: web, isChosen: false, isProposed: false },
    {
      root: gone,
      isChosen: true,
      isProposed: true,
      problem: { kind: 'missing', message: 'The folder is not there.' },
    },
  ],
  leftOut: [{ uri: 'memfs:/notes', name: 'notes' }],
};

const toolOf = (name: string, description?: string, more: Partial<HostTool> = {}): HostTool => {
  const tool = {
    name,
    ...(description !== undefined && { description }),
    inputSchema: { type: 'object' },
  } as const;
  return { serverId: 'server', tool, offered: tool, standing: { kind: 'known' }, isExposed: true, ...more };
};

const report: ServerReport = {
  definition: stdioServer(['--token', 'SECRET-ARGUMENT', '/projects/api'], {
    env: { TOKEN: 'SECRET-VALUE' },
    envFile: '.env',
  }),
  place: 'your user settings',
  state: { kind: 'running', run: 1, era: 'legacy', revision: '2025-11-25', pid: 7 },
  status: 'running · 2025-11-25',
  roots,
  knowledge: { hasAsked: true, lastListed: [api], mayStillUse: [] },
  workingDirectory: '/home/me',
  launchPaths: [{ path: '/projects/api', where: ['in argument 3'] }],
  envFileNames: ['REGION'],
  account: undefined,
  inheritedNames: ['PATH', 'HOME'],
  access: {
    policies: {
      inCall: { policy: 'ask', basis: 'setting', isForSession: false },
      unasked: { policy: 'deny', basis: 'decision', isForSession: false },
    },
    today: { requests: 3, tokens: 500 },
    hasModel: true,
    isOffered: true,
  },
  isSamplingOffered: true,
  elicitationModes: ['form', 'url'],
  tools: {
    all: [toolOf('read', 'Reads\u200B it.'), toolOf('write')],
    instructions: 'Read before you write.',
    heldBack: undefined,
    isTrusted: false,
    agentMode: 'off',
  },
  when: (at) => new Date(at).toISOString(),
};

const seen = report.tools;
assert.ok(seen);

const textOf = (more: Partial<ServerReport> = {}): string => serverReportText({ ...report, ...more });

suite('What a server sees', () => {
  test('is described from the folders to the tools', () => {
    assert.equal(
      textOf(),
      `Definition and state
Defined in: your user settings
State: running · 2025-11-25
It is a program that runs as you: whatever you share here, it can read every file that you can.

Folders shared with it (roots)
A server can ask for this list to know where to work. The list informs the server and does not confine it.

- api: ${pathOnDisk('/projects/api')}

You decided this. Folders that are added later wait until you share them.
It has asked for the list, and got this one.

Folders not shared with it
- web (${pathOnDisk('/projects/web')}): You have not shared it.
- gone (${pathOnDisk('/projects/gone')}): The folder is not there.
- notes (memfs:/notes): It is not on a disk that a server can read.

What its launch reveals
Working directory: /home/me
Paths of this workspace, whether you share them or not:
- /projects/api (in argument 3)
Environment variables of its definition: TOKEN (names only; values are not shown)
Environment variables of its envFile: REGION (names only; values are not shown)
Environment variables that every server gets: HOME, PATH (names only; values are not shown)

What MCP Host offers it
Revision of the protocol: 2025-11-25 (it is notified when its folders change)
Capabilities declared to it: roots (it can ask for its folders), sampling (it can ask for a language model), elicitation (it can ask you to fill in a form, or to open an address)
Access to language models: asks each time · at other times: not allowed

What models may see of it
Tools that are on: 2 (read, write)
Chat in this editor: off
Its tool labels: not trusted, and without effect.
Everything that models get of it follows below, word for word.

Its instructions, as models get them
  Read before you write.

Its tools, as models get them
Name: read
Description:
  Reads\\u{200B} it.
Input schema:
  {
    "type": "object"
  }

Name: write
Input schema:
  {
    "type": "object"
  }`,
    );
  });

  test('holds no value of an argument, a variable, a header or an address', () => {
    assert.doesNotMatch(textOf(), /SECRET/);
    const definition = httpServer('https://me:SECRET@example.org/SECRET?key=SECRET', {
      headers: { Authorization: 'Bearer SECRET' },
    });
    const text = textOf({ definition });
    assert.doesNotMatch(text, /SECRET/);
    assert.match(text, /Address: https:\/\/example\.org \(the rest is not shown\)/);
    assert.match(text, /Headers of its definition: Authorization \(names only/);
    assert.match(text, /Not signed in: its requests carry only the headers of its definition/);
    assert.match(textOf({ definition: httpServer('${input:where}') }), /Address: not known before it starts/);
  });

  test('says as whom the server is used, and that its requests carry a token', () => {
    const definition = httpServer('https://example.org/mcp');
    const account = {
      kind: 'signedIn' as const,
      server: definition.id,
      url: definition.url,
      id: 'one',
      name: 'ada',
      subject: undefined,
      issuer: 'https://login.example.org',
      resource: definition.url,
      lentBy: undefined,
      scopes: ['read'],
      since: 0,
    };
    assert.ok(
      textOf({ definition, account }).includes(`Your account
Signed in as: ada
Who signs you in: https://login.example.org
Since: 1970-01-01T00:00:00.000Z
Permissions (scopes): read
The token is only for: https://example.org/mcp
Each request carries a token of this account (not shown).
`),
    );
  });

  test('says what the server itself knows of its folders', () => {
    const knows = (knowledge: Partial<ServerReport['knowledge']>, more: Partial<ServerReport> = {}): string =>
      textOf({ knowledge: { ...report.knowledge, ...knowledge }, ...more });
    assert.match(knows({ hasAsked: false }), /It has not asked for the list since its start/);
    assert.match(knows({ lastListed: [api, web] }), /last got: api, web\. It was notified of a change since/);
    const modern = { kind: 'running', run: 1, era: 'modern', revision: '2026-07-28' } as const;
    assert.match(knows({ lastListed: [] }, { state: modern }), /last got: no folder\. At its revision/);
    assert.match(knows({ mayStillUse: [web] }), /It may still use web until it is restarted\./);
    assert.match(textOf({ state: { kind: 'stopped' }, tools: undefined }), /It is not running\./);
  });

  test('says why folders are not shared when you did not decide', () => {
    const reasons = (['definition', 'setting', 'undecided'] as const).map((basis) =>
      textOf({ roots: { ...roots, basis } }),
    );
    assert.match(reasons[0] ?? '', /The server's definition does not name it\./);
    assert.match(reasons[1] ?? '', /Your setting mcpHost\.roots\.default shares no folder\./);
    assert.match(reasons[2] ?? '', /You have not decided yet\./);
  });

  test('says what models do not see, and whose claims are trusted', () => {
    const changed: HostTool['standing'] = { kind: 'changed', before: { name: 'mail', inputSchema: {} } };
    const text = textOf({
      tools: {
        ...seen,
        all: [
          ...seen.all,
          toolOf('delete', undefined, { isExposed: false }),
          toolOf('mail', undefined, { standing: changed }),
          toolOf('view', undefined, {
            tool: { name: 'view', inputSchema: { type: 'object' }, _meta: { ui: { visibility: ['app'] } } },
          }),
        ],
        instructions: undefined,
        heldBack: '1 tool',
        isTrusted: true,
      },
    });
    assert.match(text, /^Tools that are on: 2 of 4 \(read, write\)$/m);
    assert.match(text, /^Off: 1 \(delete\)$/m);
    assert.match(text, /^For its own views only: 1 \(view\)$/m);
    assert.match(text, /^Held back until you review what has changed or is new: 1 tool \(mail\)$/m);
    assert.match(text, /tool labels: trusted, for this launch/);
    assert.match(text, /^Its instructions to models: none$/m);
    assert.doesNotMatch(text, /^Name: (?:delete|mail)$/m);
    assert.match(textOf({ tools: undefined }), /^Available when it runs\.$/m);
  });

  test('writes out invisible characters, and counts what is too much', () => {
    const all = Array.from({ length: 100_000 }, (_, index) => toolOf(`tool${index}\u202E`));
    const text = textOf({ tools: { ...seen, all } });
    assert.match(text, /tool0\\u\{202E\}/);
    assert.match(text, /and 99500 more/);
    assert.ok(text.length < 100_000);
  });

  test('shows the capabilities that were declared at the start', () => {
    const declared = (isSamplingOffered: boolean | undefined, isOffered: boolean): boolean =>
      textOf({ isSamplingOffered, access: { ...report.access, isOffered } }).includes(
        'sampling (it can ask for a language model)',
      );
    assert.equal(declared(true, false), true);
    assert.equal(declared(false, true), false);
    assert.equal(declared(undefined, true), true);
    assert.equal(declared(undefined, false), false);
  });
});
