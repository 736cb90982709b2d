import path from 'node:path';

/**
 * The full path of a program that Windows brings, below its `System32`: by its name alone, Windows would look for it in
 * the working directory first.
 */
export function windowsProgram(name: string, env: NodeJS.ProcessEnv = process.env): string {
  return path.win32.join(env['SystemRoot'] ?? 'C:\\Windows', 'System32', name);
}
