import path from 'node:path';

/**
 * Whether an absolute path names another machine, or a device, that the folder isn't on. On Windows, opening that kind
 * of path may already sign you in there: nothing does before a launch is allowed.
 */
export function isOnOtherMachine(full: string, base: string, of: path.PlatformPath = path): boolean {
  const { root } = of.parse(full);
  return /^[\\/]{2}/.test(root) && root.toLowerCase() !== of.parse(base).root.toLowerCase();
}
