import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** What stands behind the `=` of an option. */
export function valueOf(arg: string): string {
  return /^--?[\w-]+=(.*)$/s.exec(arg)?.[1] ?? arg;
}

/** Whether what a word of a launch names lies in the workspace, whose folders have these paths. */
export function isInsideWorkspace(
  text: string,
  workingDirectory: string,
  workspace: readonly string[],
  of: path.PlatformPath = path,
): boolean {
  const value = valueOf(text);
  if (namesWorkspace(value)) {
    return true;
  }
  const target = of.resolve(workingDirectory, pathOfFileUrl(value, of === path.win32) ?? value);
  return workspace.some((folder) => {
    const relative = of.relative(folder, target);
    return (
      !path.posix.isAbsolute(relative) &&
      !path.win32.isAbsolute(relative) &&
      relative.split(/[/\\]/)[0] !== '..'
    );
  });
}

/** The path of a `file:` URL; undefined for any other text. */
export function pathOfFileUrl(text: string, windows = path === path.win32): string | undefined {
  try {
    return /^file:/i.test(text) ? fileURLToPath(text, { windows }) : undefined;
  } catch {
    return undefined;
  }
}

function namesWorkspace(text: string): boolean {
  return /\$\{(?:workspaceFolder|workspaceRoot|fileWorkspaceFolder)\b/.test(text);
}
