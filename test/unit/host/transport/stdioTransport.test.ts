import assert from 'node:assert/strict';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { chmod, rm } from 'node:fs/promises';
import { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Writable } from 'node:stream';
import { mock } from 'node:test';
import type { JSONRPCMessage } from '@modelcontextprotocol/client';
import { turnBounds } from '../../../../src/host/json/bounds.ts';
import type { StdioLaunch } from '../../../../src/host/transport/spawnServer.ts';
import { StdioTransport } from '../../../../src/host/transport/stdioTransport.ts';
import { isAlive, untilSeen } from '../../support/until.ts';

const MEGABYTE = 1024 * 1024;
const isPosix = process.platform !== 'win32';
const isRoot = process.getuid?.() === 0;

/** Lets a script write messages whose method says something. */
const tell =
  'const tell = (method) => process.stdout.write(JSON.stringify({ jsonrpc: "2.0", method }) + "\\n");';
const stayForever = 'setInterval(() => {}, 1e6);';

suite('The stdio transport', () => {
  let transports: StdioTransport[];
  let written: string[];
  let pids: number[];
  setup(() => {
    transports = [];
    written = [];
    pids = [];
  });
  teardown(async () => {
    await Promise.all(transports.map((one) => one.close()));
    pids.push(...transports.map(({ pid }) => pid ?? 0).filter((pid) => pid !== 0));
    assert.deepEqual(pids.filter(isAlive), [], 'a process was left behind');
  });

  function transportOf(launch: Partial<StdioLaunch>): StdioTransport {
    const transport = new StdioTransport(
      { command: process.execPath, args: [], env: {}, cwd: tmpdir(), ...launch },
      (level, text) => written.push(`${level}: ${text}`),
    );
    transports.push(transport);
    return transport;
  }

  /** A script that runs: what it sends, and its end. */
  async function started(script: string, launch: Partial<StdioLaunch> = {}) {
    const transport = transportOf({ args: ['-e', tell + script], ...launch });
    const messages: JSONRPCMessage[] = [];
    const waiting: (() => void)[] = [];
    transport.onmessage = (message) => {
      messages.push(message);
      waiting.splice(0).forEach((go) => go());
    };
    const closed = new Promise<void>((resolve) => {
      transport.onclose = resolve;
    });
    await transport.start();
    const nextMessage = () => new Promise<void>((resolve) => waiting.push(resolve));
    return { transport, messages, closed, nextMessage };
  }

  /** Runs a script to its end; gives what it sent. */
  async function run(script: string) {
    const { transport, messages, closed } = await started(script);
    await closed;
    return {
      transport,
      methods: messages.map((message) => ('method' in message ? message.method : message)),
    };
  }

  test('writes at once what is sent before anything else is handled', async () => {
    const { transport, messages, nextMessage } = await started(`
      process.stdin.on('data', (lines) => tell(String(lines).match(/"id":./g).join()));`);
    const single = mock.method(Socket.prototype, '_write');
    const joined = mock.method(Socket.prototype as Required<Writable>, '_writev');
    const read = nextMessage();
    await Promise.all(
      [1, 2, 3].map((id) =>
        Promise.resolve().then(() => transport.send({ jsonrpc: '2.0', id, method: 'ping' })),
      ),
    );
    const writes = [single.mock.callCount(), joined.mock.callCount()];
    mock.restoreAll();
    assert.deepEqual(writes, [0, 1]);
    await read;
    assert.deepEqual(messages, [{ jsonrpc: '2.0', method: '"id":1,"id":2,"id":3' }]);
  });

  suite('reads', () => {
    test('each message, also in a batch, and logs invalid output', async () => {
      const { transport, methods } = await run(`
        process.stdout.write('\\uFEFF{"jsonrpc":"2.0","method":"0"}\\nhello\\n');
        tell('1');
        process.stdout.write('\\n[{"jsonrpc":"2.0","method":"2"},{"jsonrpc":"2.0","method":"3"}]\\r\\n{"jsonrpc":');
        process.stdout.write('"2.0","method":"4"}\\n');`);
      assert.deepEqual(methods, ['0', '1', '2', '3', '4']);
      assert.equal(written.length, 1);
      assert.match(written[0] ?? '', /^warn: The server wrote invalid output to stdout: hello\n/);
      assert.deepEqual(transport.exit, { code: 0, signal: null });
    });

    test('messages that come byte by byte', async () => {
      const { methods } = await run(`
        const bytes = Buffer.from('[{"jsonrpc":"2.0","method":"é👍中"},5]\\n{"jsonrpc":"2.0","method":"中"}\\n');
        let at = 0;
        (function next() {
          if (at < bytes.length) process.stdout.write(bytes.subarray(at, ++at), () => setImmediate(next));
        })();`);
      assert.deepEqual(methods, ['é👍中', '中']);
    });

    test('everything that was written before the process ended', async () => {
      const { methods } = await run(`for (let id = 1; id <= 5000; id++) tell('x'.repeat(100) + id);`);
      assert.equal(methods.length, 5_000);
    });

    test('a message of many megabytes, as it was sent', async () => {
      const text = 'é'.repeat(8 * MEGABYTE);
      const message = { jsonrpc: '2.0', method: 'echo', params: { text } } as const;
      const { transport, messages, nextMessage } = await started('process.stdin.pipe(process.stdout);');
      const answered = nextMessage();
      await transport.send(message);
      await answered;
      assert.deepEqual(messages, [message]);
    });

    test('on when a handler throws, and reports it', async () => {
      const { transport, closed } = await started('tell("1"); tell("2"); tell("3");');
      const seen: unknown[] = [];
      transport.onmessage = (message) => {
        seen.push('method' in message && message.method);
        throw new Error('broken');
      };
      transport.onerror = (error) => {
        seen.push(error.message);
        throw new Error('broken, too');
      };
      await closed;
      assert.deepEqual(seen, ['1', 'broken', '2', 'broken', '3', 'broken']);
    });

    test('a flood of messages in slices, between which everything else has its turn', async () => {
      const { messages, closed } = await started(`
        const line = JSON.stringify({ jsonrpc: '2.0', method: 'flood' }) + '\\n';
        process.stdout.write(line.repeat(20_000));`);
      let isOpen = true;
      let before = 0;
      let most = 0;
      const count = (): void => {
        most = Math.max(most, messages.length - before);
        before = messages.length;
        if (isOpen) {
          setImmediate(count);
        }
      };
      count();
      await closed;
      isOpen = false;
      assert.equal(messages.length, 20_000);
      // Output that has arrived, and what was left of the output before.
      assert.ok(most <= 2 * turnBounds.messages, `${most} messages in one turn of the event loop`);
    });

    test('a flood of noise in little memory, and the message after it', async () => {
      const { methods } = await run(`
        for (let count = 0; count < 200; count++) process.stdout.write('noise\\n'.repeat(1_000));
        tell('after');`);
      assert.deepEqual(methods, ['after']);
      assert.equal(written.filter((line) => line.startsWith('warn: The server wrote')).length, 1);
      const omitted = written.flatMap((line) => /^warn: (\d+) more lines/.exec(line)?.[1] ?? []);
      const debug = written.filter((line) => line.startsWith('debug: [stdout] noise'));
      assert.equal(debug.length + omitted.reduce((sum, one) => sum + Number(one), 0), 199_999);
      assert.ok(debug.length < 50_000, `${debug.length} lines in the log`);
    });

    test('a line of 1 GB in little memory, and says what was wrong with it', async () => {
      const before = process.resourceUsage().maxRSS;
      const { transport, closed } = await started(`
        const part = Buffer.alloc(${MEGABYTE}, '[');
        let count = 0;
        (function next() {
          if (count++ < 1024) process.stdout.write(part, next);
        })();`);
      await closed;
      assert.equal(transport.failure?.message, 'the server sent a message larger than 64 MiB');
      const grown = (process.resourceUsage().maxRSS - before) / 1024;
      assert.ok(grown < 512, `${grown} MB`);
    });
  });

  suite('logs of stderr', () => {
    test('the last forty lines, also one without an end', async () => {
      const { transport } = await run(
        'for (let n = 1; n <= 50; n++) process.stderr.write(n + (n < 50 ? "\\n" : ""));',
      );
      assert.equal(written.length, 50);
      assert.deepEqual(
        transport.stderr,
        Array.from({ length: 40 }, (_, index) => String(index + 11)),
      );
    });

    test('a limited number of lines of a flood, and keeps the last ones', async () => {
      const { transport } = await run(`
        for (let n = 1; n <= 100_000; n++) process.stderr.write(n + '\\n');`);
      assert.ok(written.length < 50_000, `${written.length} lines in the log`);
      assert.equal(transport.stderr.at(-1), '100000');
    });

    test('the beginning of a line of 100 MB, in little memory', async () => {
      const before = process.resourceUsage().maxRSS;
      const { transport } = await run(`
        const part = Buffer.alloc(${MEGABYTE}, 'x');
        let count = 0;
        (function next() {
          if (count++ < 100) process.stderr.write(part, next);
          else process.stderr.write('\\nlast');
        })();`);
      assert.deepEqual(transport.stderr, [`${'x'.repeat(1_000)}…`, 'last']);
      assert.ok(written.every((line) => line.length < 10_000));
      const grown = (process.resourceUsage().maxRSS - before) / 1024;
      assert.ok(grown < 90, `${grown} MB`);
    });
  });

  suite('sends', () => {
    const message = { jsonrpc: '2.0', method: 'notify', params: { text: 'x'.repeat(8 * MEGABYTE) } } as const;

    test('nothing with a line end in it', async () => {
      const { transport, messages, nextMessage } = await started('process.stdin.pipe(process.stdout);');
      const odd = { jsonrpc: '2.0', method: 'a\nb\r\u2028\uD800', params: { 'c\nd': '\r\n' } } as const;
      const answered = nextMessage();
      await transport.send(odd);
      await answered;
      assert.deepEqual(messages, [odd]);
      assert.deepEqual(written, []);
    });

    test('nothing once its process has ended', async () => {
      const { transport } = await run('');
      await assert.rejects(transport.send(message), { code: 'lost' });
    });

    test('a limited amount to a server that reads nothing, without blocking others', async () => {
      const warnings: Error[] = [];
      const warn = (warning: Error) => warnings.push(warning);
      process.on('warning', warn);
      const { transport, closed } = await started(stayForever);
      const sent = Array.from({ length: 30 }, () =>
        transport.send(message).then(String, (error: unknown) => error),
      );
      const refused = await Promise.race(sent);
      assert.deepEqual((refused as { code?: string }).code, 'timedOut');

      const other = await started('process.stdin.pipe(process.stdout);');
      const answered = other.nextMessage();
      await other.transport.send({ jsonrpc: '2.0', method: 'hello' });
      await answered;

      await transport.close();
      await closed;
      const codes = (await Promise.all(sent)).map((one) => (one as { code?: string }).code);
      const accepted = codes.filter((code) => code === 'lost').length;
      assert.ok(accepted >= 8 && accepted <= 10, `${accepted} of 8 MiB each`);
      assert.equal(codes.filter((code) => code === 'timedOut').length, 30 - accepted);
      process.off('warning', warn);
      assert.deepEqual(warnings, []);
    });

    test('nothing to a process that closed its stdin, and closes the connection', async () => {
      const { transport, messages, nextMessage, closed } = await started(
        `require('node:fs').closeSync(0); tell('closed'); ${stayForever}`,
      );
      if (messages.length === 0) {
        await nextMessage();
      }
      await assert.rejects(transport.send({ jsonrpc: '2.0', method: 'a' }), { code: 'lost' });
      await assert.rejects(transport.send({ jsonrpc: '2.0', method: 'b' }), { code: 'lost' });
      await closed;
      assert.equal(transport.failure?.message, 'it closed its stdin, so it no longer accepts requests');
    });
  });

  suite('starts', () => {
    test('a process with its arguments as they are: no shell reads them', async () => {
      const args = [
        ';',
        '&& echo a',
        '$(echo a)',
        '`echo a`',
        '%PATH%',
        '^',
        '"',
        "'",
        'a\\',
        '\\"',
        '',
        '*',
        '~',
        '\n',
        'é👍',
      ];
      const { messages, closed } = await started('', {
        args: ['-e', `${tell} tell(JSON.stringify(process.argv.slice(1)));`, '--', ...args],
      });
      await closed;
      const [first] = messages;
      assert.deepEqual(JSON.parse(first && 'method' in first ? first.method : ''), args);
    });

    test('nothing when it is closed before', async () => {
      const transport = transportOf({});
      await transport.close();
      await assert.rejects(transport.start(), { code: 'notRunning' });
      assert.equal(transport.pid, null);
    });

    test('nothing that cannot start, and says why', async () => {
      const directory = mkdtempSync(path.join(tmpdir(), 'mcp-host-'));
      const file = path.join(directory, 'file');
      writeFileSync(file, '');
      const missing = path.join(directory, 'missing');
      for (const [launch, code, message] of [
        [{ cwd: missing }, 'workingDirectoryMissing', `its working directory does not exist: ${missing}`],
        [{ cwd: file }, 'workingDirectoryMissing', `its working directory is not a directory: ${file}`],
        [{ command: missing }, 'commandNotFound', `the command '${missing}' was not found`],
        [{ args: ['a\0b'] }, 'spawnFailed', undefined],
        ...(isPosix
          ? [
              [
                { command: directory },
                'spawnFailed',
                `you have no permission to run the command '${directory}'`,
              ] as const,
              [
                { args: ['x'.repeat(32 * MEGABYTE)] },
                'spawnFailed',
                'its arguments and variables are longer than the system allows',
              ] as const,
            ]
          : []),
      ] as const) {
        const transport = transportOf(launch);
        const heard: unknown[] = [];
        transport.onclose = () => heard.push('it ended, and never ran');
        transport.onerror = (error) => heard.push(error);
        await assert.rejects(transport.start(), { code, ...(message !== undefined && { message }) });
        assert.equal(transport.pid, null);
        await transport.close();
        assert.deepEqual(heard, []);
      }
      await rm(directory, { recursive: true });
    });

    test('nothing in a directory that cannot be entered', async function () {
      if (!isPosix || isRoot) {
        this.skip();
      }
      const directory = mkdtempSync(path.join(tmpdir(), 'mcp-host-'));
      await chmod(directory, 0o600);
      await assert.rejects(transportOf({ cwd: directory }).start(), {
        code: 'workingDirectoryMissing',
        message: `its working directory cannot be entered: ${directory}`,
      });
      await rm(directory, { recursive: true });
    });
  });

  suite('ends', () => {
    setup(function () {
      if (!isPosix) {
        this.skip();
      }
    });

    /** Starts something that ignores everything, holds the pipes, and says its process id. */
    const stubborn = `
      const child = require('node:child_process').spawn(process.execPath, ['-e',
        'process.on("SIGTERM", () => {}); process.on("SIGHUP", () => {}); process.stdout.write(String.fromCharCode(10)); ${stayForever}'],
        { stdio: ['ignore', 'inherit', 'inherit'] });
      tell(String(child.pid));`;

    async function withGrandchild(script: string, launch: Partial<StdioLaunch> = {}) {
      const run = await started(stubborn + script, launch);
      if (run.messages.length === 0) {
        await run.nextMessage();
      }
      const [first] = run.messages;
      const grandchild = Number(first && 'method' in first ? first.method : 0);
      pids.push(grandchild);
      assert.ok(isAlive(grandchild));
      return { ...run, grandchild };
    }

    test('saying by which signal', async () => {
      const { transport } = await run(`process.kill(process.pid, 'SIGTERM'); ${stayForever}`);
      assert.deepEqual(transport.exit, { code: null, signal: 'SIGTERM' });
      assert.equal(transport.failure, undefined);
    });

    test('by the end of its input if it obeys that', async () => {
      const { transport, closed } = await started('process.stdin.resume();');
      await transport.close();
      await closed;
      assert.deepEqual(transport.exit, { code: 0, signal: null });
    });

    test('by SIGTERM if it does not', async () => {
      const { transport, closed } = await started(stayForever);
      await transport.close();
      await closed;
      assert.deepEqual(transport.exit, { code: null, signal: 'SIGTERM' });
    });

    test('by SIGKILL if it ignores both', async () => {
      const { transport, nextMessage, closed } = await started(
        `process.on('SIGTERM', () => {}); tell('deaf'); ${stayForever}`,
      );
      await nextMessage();
      await transport.close();
      await closed;
      assert.deepEqual(transport.exit, { code: null, signal: 'SIGKILL' });
    });

    test('with what a shell has started for it', async () => {
      const command = `"$0" -e "$1"; true`;
      const { transport, grandchild } = await withGrandchild('', {
        command: 'sh',
        args: ['-c', command, process.execPath, `${tell}${stubborn}${stayForever}`],
      });
      await transport.close();
      assert.ok(!isAlive(grandchild));
    });

    test('at once when it exits while a grandchild holds its pipes, and the grandchild goes', async () => {
      const { transport, closed, grandchild } = await withGrandchild(
        'child.unref(); process.exitCode = 3; process.exit();',
      );
      await closed;
      assert.deepEqual(transport.exit, { code: 3, signal: null });
      assert.ok(isAlive(grandchild), 'it was noticed only when the grandchild had gone');
      await transport.close();
      assert.ok(!isAlive(grandchild));
    });

    test('when it closes its stdout and runs on', async () => {
      const { transport, closed } = await started(`require('node:fs').closeSync(1); ${stayForever}`);
      await closed;
      assert.equal(transport.failure?.message, 'it closed its stdout, so it can no longer respond');
      assert.equal(transport.exit, undefined);
      const { pid } = transport;
      await untilSeen(() => !isAlive(pid ?? 0), 'the process is gone');
    });

    test('when its last words have been read, though this side was busy', async () => {
      const { messages, transport, closed, nextMessage } = await started(
        'tell("first"); setTimeout(() => { process.stdout.write(Buffer.alloc(50_000, 10)); tell("last"); }, 100);',
      );
      await nextMessage();
      for (const end = Date.now() + 1_000; Date.now() < end;) {
        // Nothing else runs meanwhile.
      }
      await closed;
      assert.equal(messages.length, 2);
      assert.deepEqual(transport.exit, { code: 0, signal: null });
      assert.equal(transport.failure, undefined);
    });

    test('with its exit code when it closes its stdout a moment before, though this side was busy', async () => {
      const { transport, closed, nextMessage } = await started(
        `tell("first"); require('node:fs').closeSync(1); setTimeout(() => process.exit(4), 300);`,
      );
      await nextMessage();
      const block = (): void => {
        for (const end = Date.now() + 1_500; Date.now() < end;) {
          // Nothing else runs meanwhile.
        }
      };
      // Right before the timers, which go before whatever has come meanwhile.
      setTimeout(() => setImmediate(block), 100);
      await closed;
      assert.equal(transport.failure, undefined);
      assert.deepEqual(transport.exit, { code: 4, signal: null });
    });

    test('even if a handler of its end throws', async () => {
      const { transport } = await started(stayForever);
      const errors: unknown[] = [];
      transport.onerror = (error) => errors.push(error.message);
      transport.onclose = () => {
        throw new Error('broken');
      };
      await transport.close();
      assert.deepEqual(errors, ['broken']);
    });
  });
});
