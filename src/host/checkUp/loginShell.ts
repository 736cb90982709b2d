import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { userInfo } from 'node:os';
import path from 'node:path';
import { CancellationError } from '../../base/lifetime/cancellation.ts';
import { signalGroup } from '../processes/processTree.ts';

/** Milliseconds that the shell may take, with all that its start-up files do. */
const LIMIT_MS = 5_000;
/** Characters of output that are kept: a start-up file may write anything. */
const MAX_OUTPUT = 256 * 1_024;

/** What a login shell says of a command. */
export type ShellAnswer =
  | { readonly kind: 'file'; readonly file: string }
  /** An alias, a function or a built-in command: only the shell itself can run it. */
  | { readonly kind: 'ofShell'; readonly words: string }
  | { readonly kind: 'nothing' }
  /** It did not end in time. */
  | { readonly kind: 'silent' }
  /** It could not be asked in this way. */
  | { readonly kind: 'failed' };

interface AskedShell {
  /** An absolute path. */
  readonly shell: string;
  readonly env: NodeJS.ProcessEnv;
  readonly limitMs?: number;
}

/**
 * The login shell: `SHELL`, or what the system has for this user where an editor was started without it, such as by a
 * service; undefined where there is none that could be asked.
 */
export function loginShellOf({ SHELL: shell }: NodeJS.ProcessEnv): string | undefined {
  return process.platform === 'win32' ? undefined : [shell, systemShell()].find(canAsk);
}

/** A user of a container may have no entry. */
function systemShell(): string | undefined {
  try {
    return userInfo().shell ?? undefined;
  } catch {
    return undefined;
  }
}

function canAsk(shell: string | undefined): shell is string {
  return shell !== undefined && path.isAbsolute(shell) && !/\/(?:nologin|false)$/.test(shell);
}

/**
 * Asks the login shell where it finds a command, as a terminal would. The command is an argument and no part of the
 * script; the answer stands between two random words, because start-up files may write anything. Whatever the shell
 * has started in its group ends with it.
 *
 * @throws CancellationError when the signal aborted.
 */
export async function askLoginShell(
  command: string,
  { shell, env, limitMs = LIMIT_MS }: AskedShell,
  signal: AbortSignal,
): Promise<ShellAnswer> {
  if (signal.aborted) {
    throw new CancellationError();
  }
  const marker = randomUUID();
  const child = spawn(shell, ['-lic', scriptFor(shell), 'sh', command, marker], {
    env,
    // A group of its own without a terminal, which it could otherwise take.
    detached: true,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const settled = Promise.withResolvers<ShellAnswer>();
  let output = '';
  child.on('error', () => settled.resolve({ kind: 'failed' }));
  child.once('exit', () =>
    setImmediate(() => settled.resolve(answerIn(output, marker) ?? { kind: 'failed' })),
  );
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output = (output + text).slice(-MAX_OUTPUT);
    const answer = answerIn(output, marker);
    if (answer) {
      settled.resolve(answer);
    }
  });
  const timer = setTimeout(() => settled.resolve({ kind: 'silent' }), limitMs);
  const abort = (): void => settled.reject(new CancellationError());
  signal.addEventListener('abort', abort, { once: true });
  try {
    return await settled.promise;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', abort);
    child.stdout.destroy();
    if (child.pid !== undefined) {
      signalGroup(child.pid, 'SIGKILL');
    }
  }
}

/** `$1` is the command, `$2` the word around the answer. fish has another name for its arguments. */
function scriptFor(shell: string): string {
  const [command, marker] = path.basename(shell) === 'fish' ? ['$argv[2]', '$argv[3]'] : ['"$1"', '"$2"'];
  return `printf '%s\\n' ${marker}; command -v -- ${command}; printf '%s\\n' ${marker}`;
}

function answerIn(output: string, marker: string): ShellAnswer | undefined {
  const [, between, end] = output.split(`${marker}\n`);
  if (between === undefined || end === undefined) {
    return undefined;
  }
  const lines = between.split('\n').filter((line) => line !== '');
  const file = lines.findLast((line) => path.isAbsolute(line));
  if (file !== undefined) {
    return { kind: 'file', file };
  }
  const words = lines.at(-1);
  return words === undefined ? { kind: 'nothing' } : { kind: 'ofShell', words };
}
