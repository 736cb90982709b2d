import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { checkUp } from '../../../../src/host/checkUp/checkUp.ts';
import type { CheckStep } from '../../../../src/host/checkUp/checkStep.ts';
import type { HttpServerDefinition, ServerDefinition } from '../../../../src/host/config/serverDefinition.ts';
import { failureWord, wholeFailure } from '../../../../src/host/connection/failures/failureWord.ts';
import { serve, serveStatus } from '../../../fixtures/servers/httpServers.ts';
import { HostBed } from '../../support/hostBed.ts';
import { serveSecure } from '../../support/secureServer.ts';
import { httpServer, stdioServer } from '../../support/definitions.ts';

const fixtures = fileURLToPath(new URL('../../../fixtures/stderr/', import.meta.url));
const START = 'Start and handshake';
const SHELL = 'Command in the login shell';

/** A way in which servers fail: the word of the row, and the step of the check-up that names the cause. */
interface Way {
  readonly what: string;
  readonly definition: ServerDefinition;
  readonly word: string;
  readonly title: string;
  readonly cause: RegExp;
}

suite('The check-up of a server that fails in a known way', function () {
  let host: HostBed;
  const ends: { close(): Promise<unknown> }[] = [];
  const ways: Way[] = [];
  let home: string;

  const way = (
    what: string,
    definition: ServerDefinition,
    word: string,
    cause: RegExp,
    title = START,
  ): void => {
    ways.push({
      what,
      definition: { ...definition, id: what, name: what },
      word,
      cause,
      title,
    });
  };
  const shell = (script: string, env: Readonly<Record<string, string>> = {}): ServerDefinition =>
    stdioServer(['-c', script], { command: '/bin/sh', env });
  /** A script, in a folder of its own that is on no PATH. */
  const program = (name: string, text: string, mode = 0o755): string => {
    const folder = path.join(home, `${name}-folder`);
    mkdirSync(folder, { recursive: true });
    writeFileSync(path.join(folder, name), text, { mode });
    return folder;
  };

  suiteSetup(async function () {
    if (process.platform === 'win32') {
      this.skip();
    }
    host = new HostBed();
    home = host.bed.directory;
    const status = async (code: number, type?: string, body?: string): Promise<HttpServerDefinition> => {
      const server = await serveStatus(code, type, body);
      ends.push(server);
      return httpServer(server.url);
    };
    const shelled = program('in-the-shell', '#!/bin/sh\n');
    writeFileSync(path.join(home, '.profile'), `PATH="$PATH:${shelled}"\n`);
    writeFileSync(path.join(home, '.bash_profile'), `PATH="$PATH:${shelled}"\n`);
    const plain = program('plain', 'text', 0o644);
    const odd = program('odd', '#!/no/such/program\n');
    const noNode = program('for-node', '#!/usr/bin/env node\n');
    const nowhere = { PATH: '/nowhere' };
    way(
      'command',
      stdioServer([], { command: 'no-such', env: nowhere }),
      'command not found',
      /Searched PATH: \/nowhere/,
    );
    way(
      'uvx',
      stdioServer(['a'], { command: 'uvx', env: nowhere }),
      'command not found',
      /'uvx' was not found/,
    );
    way(
      'docker',
      stdioServer(['run', 'a'], { command: 'docker', env: nowhere }),
      'command not found',
      /'docker' was not found/,
    );
    way(
      'only in the login shell',
      stdioServer([], { command: 'in-the-shell', env: nowhere }),
      'command not found',
      /finds it: .*in-the-shell-folder\/in-the-shell/,
      SHELL,
    );
    way(
      'not executable',
      stdioServer([], { command: 'plain', env: { PATH: plain } }),
      'cannot be run',
      /no permission.*plain/,
    );
    way(
      'interpreter',
      stdioServer([], { command: 'odd', env: { PATH: odd } }),
      'command not found',
      /a script for \/no\/such\/program/,
      'Command',
    );
    way(
      'no node for npx',
      stdioServer([], { command: 'for-node', env: { PATH: noNode } }),
      'exited',
      /node.*No such file/,
    );
    way(
      'working directory',
      stdioServer([], { cwd: '/no/such' }),
      'folder not found',
      /does not exist: \/no\/such/,
    );
    way(
      'variable',
      stdioServer([], { env: { A: '${env:NO_SUCH_ONE}' } }),
      'invalid definition',
      /NO_SUCH_ONE/,
      'Variables',
    );
    way('envFile', stdioServer([], { envFile: '/no/such.env' }), 'invalid definition', /no\/such\.env/);
    way('exit 0 at once', shell('exit 0'), 'exited', /exited with code 0/);
    way(
      'banner, then exit',
      shell("echo 'Listening on port 3000'; exit 1"),
      'exited',
      /it wrote: Listening on port/,
    );
    way(
      'banner, then silence',
      { ...shell("echo 'Enter your name:'; exec sleep 60"), timeout: 500 },
      'no answer',
      /it wrote: Enter your name/,
    );
    way('silence', { ...shell('exec sleep 60'), timeout: 500 }, 'no answer', /did not answer within/);
    way(
      'missing argument',
      stdioServer(['-e', 'throw new Error("Usage: server <folder>")']),
      'exited',
      /Usage: server/,
    );
    way(
      'missing module',
      stdioServer(['-e', 'require("no-such-module")']),
      'exited',
      /Cannot find module 'no-such-module'/,
    );
    way('missing script', stdioServer(['/no/such.js']), 'exited', /Cannot find module '\/no\/such\.js'/);
    way(
      'Python module',
      shell('echo "ModuleNotFoundError: No module named \'mcp\'" >&2; exit 1'),
      'exited',
      /named 'mcp'/,
    );
    way(
      'npm cache',
      shell(
        'echo "npm error code EACCES\nnpm error Your cache folder contains root-owned files" >&2; exit 243',
      ),
      'exited',
      /root-owned/,
    );
    way(
      'npm package',
      shell('echo "npm error code E404\nnpm error 404 Not Found - GET https://r/no" >&2; exit 1'),
      'package not found',
      /Not Found/,
    );
    way(
      'image',
      shell('echo "docker: Error response from daemon: pull access denied for no-image" >&2; exit 125'),
      'package not found',
      /pull access denied/,
    );
    way(
      'docker daemon',
      shell(
        'echo "docker: Cannot connect to the Docker daemon at unix:///var/run/docker.sock. Is the docker daemon running?" >&2; exit 1',
      ),
      'exited',
      /Docker daemon/,
    );
    way(
      'port taken',
      shell('echo "Error: listen EADDRINUSE: address already in use :::3000" >&2; exit 1'),
      'exited',
      /EADDRINUSE/,
    );
    way('signal', shell('kill -9 $$'), 'exited', /ended by SIGKILL/);
    way('connection refused', httpServer('http://127.0.0.1:9/mcp'), 'not reachable', /ECONNREFUSED/);
    way('unknown host', httpServer('http://no-such.invalid/mcp'), 'not reachable', /ENOTFOUND/);
    way('no socket', httpServer('unix:///no/such.sock'), 'not reachable', /ENOENT/);
    way('404', await status(404), 'refused, status 404', /check the address/);
    way('405', await status(405), 'refused, status 405', /no MCP server at the address/);
    way('403', await status(403, 'text/plain', 'Invalid Origin'), 'not authorized', /Invalid Origin/);
    way('401', await status(401), 'not authorized', /requires authorization/);
    way('500', await status(500), 'refused, status 500', /problem is on the server/);
    way(
      'HTML',
      await status(200, 'text/html', '<!DOCTYPE html><title>Sign in</title>'),
      'not an MCP server',
      /text\/html/,
    );
    way(
      'other JSON',
      await status(200, 'application/json', '{"ok":true}'),
      'not an MCP server',
      /not a valid message|answer/,
    );
    const redirecting = await serve('/mcp', (_request, response) => {
      response.writeHead(302, { location: 'https://elsewhere.example/mcp' }).end();
    });
    ends.push(redirecting);
    way('redirect', httpServer(redirecting.url), 'redirects', /elsewhere\.example/);
    const secure = await serveSecure();
    ends.push(secure);
    way('authority', httpServer(secure.url), 'not reachable', /^The server could not .*SELF_SIGNED/, 'TLS');
    const withoutTls = (await status(200)).url.replace('http:', 'https:');
    way('no TLS', httpServer(withoutTls), 'not reachable', /doesn't speak TLS at this port/, 'TLS');
    const elsewhere = await serve('/sse', ({ method }, response) => {
      if (method === 'GET') {
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        response.write('event: endpoint\ndata: https://elsewhere.example/messages\n\n');
      } else {
        response.writeHead(405).end();
      }
    });
    ends.push(elsewhere);
    way(
      'HTTP+SSE elsewhere',
      httpServer(elsewhere.url),
      'not an MCP server',
      /at another origin, https:\/\/elsewhere\.example/,
    );
    for (const file of readdirSync(fixtures)) {
      way(file, shell(`cat '${fixtures}${file}' >&2; exit 1`), '', /exited with code 1: ./);
    }
    host.configure(ways.map(({ definition }) => definition));
    host.answerAll('allow');
    await Promise.all(ways.map(({ definition }) => host.until(definition, 'failed')));
  });

  suiteTeardown(async () => {
    if (process.platform !== 'win32') {
      await host.close();
    }
    await Promise.all(ends.map((one) => one.close()));
  });

  test('names the cause, in the words of its row, and no other', async () => {
    const faults: string[] = [];
    for (const { what, definition, word, title, cause } of ways) {
      const server = host.host.server(definition.id);
      assert.ok(server);
      const { state } = server.connection;
      assert.ok(state.kind === 'failed', what);
      const steps: CheckStep[] = [];
      const env = { SHELL: '/bin/bash', PATH: '/usr/bin:/bin', HOME: home };
      await checkUp(
        server,
        { host: host.host, place: 'a file', proxy: undefined, env, home },
        (step) => steps.push(step),
        new AbortController().signal,
      );
      const textOf = (wanted: string): string => steps.find((step) => step.title === wanted)?.text ?? '';
      if (textOf(START) !== wholeFailure(state.reason)) {
        faults.push(`${what}: the row says '${wholeFailure(state.reason)}', the check-up '${textOf(START)}'`);
      }
      if (word !== '' && failureWord(state.reason) !== word) {
        faults.push(`${what}: the row says '${failureWord(state.reason)}' and not '${word}'`);
      }
      if (!cause.test(textOf(title))) {
        faults.push(`${what}: '${title}' doesn't name it: ${textOf(title)}`);
      }
    }
    assert.deepEqual(faults, []);
    assert.ok(ways.length >= 40);
  });
});
