import assert from 'node:assert/strict';
import path from 'node:path';
import { serveSse } from '../../../../fixtures/servers/httpServers.ts';
import { serveScripted, type Script } from '../../../../fixtures/servers/scriptedHttp.ts';
import { httpServer, legacyServer } from '../../../support/definitions.ts';
import { uriOnDisk } from '../../../support/onDisk.ts';
import { testRows, type Row } from './rows.ts';

type Probed = NonNullable<Script[string]>;

const probesAnswered: readonly (readonly [how: string, answer: Probed, alone: RegExp])[] = [
  ['by 503', ({ response }) => response.writeHead(503).end(), /HTTP 503/],
  [
    'by a page',
    ({ response }) => response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Welcome</h1>'),
    /Unexpected content type/,
  ],
  ['by 202', ({ response }) => response.writeHead(202).end(), /timed out/],
  ['not at all', () => {}, /timed out/],
];

/** Variables by which programs find a proxy, certificates and their language; no secrets. */
const surroundings = { HTTPS_PROXY: 'http://127.0.0.1:9', SSL_CERT_DIR: '/nowhere', LC_ALL: 'C' };

const rows: readonly Row[] = [
  ...probesAnswered.map(([how, answer, alone]): Row => ({
    requirement: `reaches a legacy server whose probe over HTTP is answered ${how}`,
    scenario: async (stage) => {
      const server = stage.bed.endLater(await serveScripted({ 'server/discover': answer }));
      const peer = await stage.connected(httpServer(server.url), { requestMs: 1_000 });
      assert.deepEqual(await peer.listTools(), ['echo']);
    },
    alone,
  })),
  {
    requirement: 'reaches a server of HTTP+SSE by its address alone',
    scenario: async (stage) => {
      const server = stage.bed.endLater(await serveSse());
      const peer = await stage.connected(httpServer(server.url));
      assert.equal(await peer.callTool('echo', { text: 'Hello' }), 'Hello');
    },
    alone: /^Error POSTing/,
  },
  {
    requirement: 'probes a server in the one process that it starts',
    scenario: async (stage) => {
      await stage.connected(legacyServer());
      assert.equal(stage.bed.pids.length, 1, 'processes');
    },
    alone: /^processes\n/,
  },
  {
    requirement: 'keeps what a server writes to stderr while it is probed',
    scenario: async (stage) => {
      const peer = await stage.connected(legacyServer(['--only-initialize']));
      await stage.seenAtOnce('its words are heard', () => peer.heard.includes('expected initialize'));
    },
    alone: /not within 3 s: its words are heard/,
  },
  ...(
    [
      ['exits on', '--only-initialize', {}],
      // The probe takes as long as that.
      ['answers nothing after', '--deaf', { requestMs: 5_000 }],
    ] as const
  ).map(([what, option, patience]): Row => ({
    requirement: `probes a server that ${what} the probe once, and remembers it`,
    scenario: async (stage) => {
      const definition = legacyServer([option]);
      const first = await stage.connected(definition, patience);
      await first.close();
      const before = stage.bed.pids.length;
      await stage.connected(definition, patience);
      assert.equal(stage.bed.pids.length - before, 1, 'processes of the second start');
    },
    alone: /^processes of the second start/,
  })),
  {
    requirement: 'says which directory is missing when a server cannot start there',
    scenario: async (stage) => {
      const cwd = path.join(stage.bed.directory, 'missing');
      await assert.rejects(stage.connected(legacyServer(), { cwd }), ({ message }: Error) => {
        assert.ok(message.includes(cwd), `what it says: ${message}`);
        return true;
      });
    },
    alone: /what it says: spawn .* ENOENT/,
  },
  {
    requirement: 'gives a server the variables by which programs find their way',
    scenario: async (stage) => {
      const before = Object.keys(surroundings).map((name) => [name, process.env[name]] as const);
      Object.assign(process.env, surroundings);
      try {
        const peer = await stage.connected(legacyServer());
        const { env } = JSON.parse(await peer.callTool('surroundings')) as { env: readonly string[] };
        const missing = Object.keys(surroundings).filter((name) => !env.includes(name));
        assert.deepEqual(missing, [], 'missing variables');
      } finally {
        before.forEach(([name]) => delete process.env[name]);
        Object.assign(process.env, Object.fromEntries(before.filter(([, value]) => value !== undefined)));
      }
    },
    alone: /missing variables/,
  },
  {
    requirement: 'keeps roots from a server that are no file: URIs',
    scenario: async (stage) => {
      const folders = [
        { uri: 'vscode-vfs://github/owner/repository', name: 'remote' },
        { uri: uriOnDisk('/projects/api'), name: 'api' },
      ];
      const peer = await stage.connected(legacyServer(), { folders });
      const { roots } = JSON.parse(await peer.callTool('roots')) as { roots: readonly { uri: string }[] };
      assert.deepEqual(
        roots.map(({ uri }) => uri),
        [uriOnDisk('/projects/api')],
        'what the server got',
      );
    },
    alone: /what the server got/,
  },
];

suite('The start of a connection, which the SDK leaves to its host', () => testRows(rows));
