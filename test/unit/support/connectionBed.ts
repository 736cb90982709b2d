import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { readEnvFile } from '../../../src/host/launch/envFile.ts';
import type { ServerDefinition } from '../../../src/host/config/serverDefinition.ts';
import type { BackoffPolicy } from '../../../src/host/connection/failures/backoff.ts';
import type { ConnectionContext } from '../../../src/host/connection/connectionContext.ts';
import { levelSource } from '../../../src/host/connection/messages/logLevels.ts';
import { ServerConnection } from '../../../src/host/connection/serverConnection.ts';
import { resolveLaunch } from '../../../src/host/launch/resolveLaunch.ts';
import type { SharedRoot } from '../../../src/host/folders/sharedRoot.ts';
import { readyIn } from './launches.ts';
import { RecordingLogger } from './recordingLogger.ts';
import { schemaChecks } from './schemaChecks.ts';
import { isAlive } from './until.ts';

/** Where compiled code is kept, if it is: servers don't inherit that variable. */
const { NODE_COMPILE_CACHE } = process.env;
const compileCache = NODE_COMPILE_CACHE === undefined ? {} : { NODE_COMPILE_CACHE };

/** No second try: a test that wants one says so. */
const once: BackoffPolicy = { firstMs: 1, maxMs: 1, tries: 0, stableMs: 60_000 };

/**
 * Where connections are tried: a directory of their own, and at the end the proof that no process of
 * theirs is left.
 */
export class ConnectionBed {
  readonly directory = realpathSync(mkdtempSync(path.join(tmpdir(), 'mcp-host-')));
  readonly logger = new RecordingLogger();
  /** What every server of this bed may see. */
  roots: readonly SharedRoot[] = [];
  readonly #pidFile = path.join(this.directory, 'pids');
  readonly #pids = new Set<number>();
  readonly #connections: ServerConnection[] = [];
  readonly #ends: (() => Promise<void>)[] = [];

  constructor() {
    writeFileSync(this.#pidFile, '');
  }

  connection(definition: ServerDefinition, context: Partial<ConnectionContext> = {}): ServerConnection {
    const connection: ServerConnection = new ServerConnection(this.recorded(definition), {
      logger: this.logger,
      level: levelSource(definition.id, this.logger, undefined),
      clientVersion: '0.0.0',
      schemas: schemaChecks.of(definition.id),
      backoff: once,
      roots: () => this.roots,
      prepareRoots: () => Promise.resolve(),
      resolve: () =>
        resolveLaunch(connection.definition, {
          folders: [],
          home: this.directory,
          env: process.env,
          readEnvFile,
        }),
      allows: () => true,
      admit: readyIn(this.directory),
      secrets: [],
      requestTimeout: () => 60_000,
      ...context,
    });
    connection.onDidChangeState((state) => {
      if (state.kind === 'running' && state.pid !== undefined) {
        this.#pids.add(state.pid);
      }
    });
    this.#connections.push(connection);
    return connection;
  }

  /** The definition, with the file that our servers add their process ids to, and the folder of compiled code. */
  recorded(definition: ServerDefinition): ServerDefinition {
    return definition.type === 'stdio'
      ? { ...definition, env: { ...compileCache, ...definition.env, PIDS: this.#pidFile } }
      : definition;
  }

  /** Ends something with the bed, after its connections. */
  endLater<T extends { close(): Promise<void> }>(one: T): T {
    this.#ends.push(() => one.close());
    return one;
  }

  /** Expects a process to be gone at the end: one that no server here could have written down. */
  track(pid: number): void {
    this.#pids.add(pid);
  }

  /** The processes of our own servers so far, in the order of their start. */
  get pids(): readonly number[] {
    return readFileSync(this.#pidFile, 'utf8').trim().split('\n').filter(Boolean).map(Number);
  }

  async close(): Promise<void> {
    await Promise.all(this.#connections.map((connection) => connection.close()));
    await Promise.all(this.#ends.map((end) => end()));
    const left = [...this.#pids, ...this.pids].filter(isAlive);
    left.forEach((pid) => process.kill(pid, 'SIGKILL'));
    // Windows keeps the directory of a process a moment longer than the process.
    await rm(this.directory, { recursive: true, force: true, maxRetries: 10 });
    assert.deepEqual(left, [], 'a process was left behind');
  }
}

/** The text of a tool's result. */
export async function textOf(
  result: Promise<{ readonly content: readonly { readonly type: string }[] }>,
): Promise<string> {
  const [block] = (await result).content;
  return block && 'text' in block ? String(block.text) : '';
}

export async function receivedBy(connection: ServerConnection): Promise<Record<string, number>> {
  return JSON.parse(await textOf(connection.callTool('received', {}))) as Record<string, number>;
}

export function namesOf(list: readonly { readonly name: string }[] | undefined): readonly string[] {
  return list?.map(({ name }) => name) ?? [];
}
