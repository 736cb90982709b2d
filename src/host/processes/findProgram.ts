import { access, constants, open, stat } from 'node:fs/promises';
import path from 'node:path';
import { isProgramFile, windowsFile } from './windowsCommand.ts';

/** The file that a command starts. */
export interface FoundProgram {
  readonly file: string;
  readonly isExecutable: boolean;
  /** The program in the first line of a script, if that is not there. */
  readonly lacks?: string;
}

interface Place {
  readonly env: Readonly<Record<string, string>>;
  /** An absolute path. */
  readonly cwd: string;
}

/** What the system searches without a PATH (`execvp`). */
const USUAL_PATH = '/bin:/usr/bin';
/** Bytes of the first line that Linux reads. */
const FIRST_LINE = 256;

/**
 * The file that the system would start for a command: the first one on PATH that can be executed, or else the first one
 * that is there. Undefined if there is none.
 */
export async function findProgram(
  command: string,
  { env, cwd }: Place,
  platform: NodeJS.Platform = process.platform,
): Promise<FoundProgram | undefined> {
  if (platform === 'win32') {
    const file = windowsFile(command, { env, cwd, isFile: isProgramFile });
    return file === undefined ? undefined : { file, isExecutable: true };
  }
  const folders = command.includes('/') ? [''] : (env['PATH'] ?? USUAL_PATH).split(':');
  let first: FoundProgram | undefined;
  for (const folder of folders) {
    const file = path.resolve(cwd, folder, command);
    if ((await stat(file).catch(() => undefined))?.isFile()) {
      const isExecutable = await canExecute(file);
      const lacks = isExecutable ? await lackOf(file) : undefined;
      const found: FoundProgram = { file, isExecutable, ...(lacks !== undefined && { lacks }) };
      if (isExecutable) {
        return found;
      }
      first ??= found;
    }
  }
  return first;
}

function canExecute(file: string): Promise<boolean> {
  return access(file, constants.X_OK).then(
    () => true,
    () => false,
  );
}

async function lackOf(file: string): Promise<string | undefined> {
  const opened = await open(file).catch(() => undefined);
  try {
    const { buffer, bytesRead } = (await opened?.read(Buffer.alloc(FIRST_LINE), 0, FIRST_LINE, 0)) ?? {};
    const [, program] = /^#! *(\/[^ \t\r\n]+)/.exec(buffer?.toString('utf8', 0, bytesRead) ?? '') ?? [];
    return program === undefined || (await canExecute(program)) ? undefined : program;
  } catch {
    return undefined; // a file that can be executed, and not read
  } finally {
    await opened?.close();
  }
}
