import assert from 'node:assert/strict';
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import type { LiveAccount } from '../../../../src/host/auth/accounts/account.ts';
import { freePort } from '../../../fixtures/servers/serve.ts';
import { textOf } from '../../support/connectionBed.ts';
import { httpServer } from '../../support/definitions.ts';
import { shownOf } from '../../support/questions.ts';
import { SharedMachine, SignInBed } from '../../support/signInBed.ts';

const script = createRequire(import.meta.url).resolve(
  '@modelcontextprotocol/sdk/examples/server/simpleStreamableHttp.js',
);
const onLoopback = new URL('../../../fixtures/servers/onLoopback.mjs', import.meta.url).href;

/** The example of the official SDK with its authorization server, which compares redirects with their ports. */
class ExampleServer {
  readonly url: string;
  readonly issuer: string;
  readonly #process: ChildProcess;

  private constructor(child: ChildProcess, port: number, issuerPort: number) {
    this.#process = child;
    this.url = `http://localhost:${port}/mcp`;
    this.issuer = `http://localhost:${issuerPort}/`;
  }

  /** Resolves when both listen. */
  static async start(): Promise<ExampleServer> {
    const [port, issuerPort] = [await freePort(), await freePort()];
    const child = fork(script, ['--oauth', '--oauth-strict'], {
      execArgv: [...process.execArgv, '--import', onLoopback],
      env: { ...process.env, MCP_PORT: String(port), MCP_AUTH_PORT: String(issuerPort) },
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    const awaited = new Set([port, issuerPort]);
    child.on('message', (message: { readonly port?: number }) => awaited.delete(message.port ?? 0));
    while (awaited.size > 0) {
      await Promise.race([
        once(child, 'message'),
        once(child, 'exit').then(() => assert.fail('the example has ended')),
      ]);
    }
    return new ExampleServer(child, port, issuerPort);
  }

  async close(): Promise<void> {
    const exited = once(this.#process, 'exit');
    this.#process.kill('SIGKILL');
    await exited;
  }
}

suite("signing in at the example server of the protocol's own SDK", () => {
  let server: ExampleServer;
  let machine: SharedMachine;
  let bed: SignInBed;

  setup(async () => {
    server = await ExampleServer.start();
    machine = new SharedMachine();
    bed = new SignInBed({ machine });
  });

  teardown(async () => {
    await bed.close();
    machine.remove();
    await server.close();
  });

  test('calls a tool, and registers once for two sign-ins', async () => {
    const definition = httpServer(server.url);
    bed.start(definition);
    assert.ok(shownOf(await bed.question()).text.includes(server.issuer));
    await bed.answer('signIn');
    await bed.hosts.until(definition, 'running');
    const greet = (): Promise<string> => textOf(bed.hosts.of(definition).callTool('greet', { name: 'Ada' }));
    assert.equal(await greet(), 'Hello, Ada!');
    const clientId = clientIdOf(await bed.account(definition));
    await bed.of(definition).signOut();
    await assert.rejects(greet(), /requires you to sign in/);
    // In another window, at the port of the registration.
    await bed.close();
    bed = new SignInBed({ machine });
    await bed.signInTo(definition);
    assert.equal(await greet(), 'Hello, Ada!');
    assert.equal(clientIdOf(await bed.account(definition)), clientId);
  });
});

function clientIdOf(account: LiveAccount | undefined): string {
  assert.ok(account && 'oauthClient' in account);
  return account.oauthClient.clientId;
}
