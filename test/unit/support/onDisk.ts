const isWindows = process.platform === 'win32';

/** The address of a folder on a disk of this system, from the path of a URI: on Windows it is on drive C. */
export function uriOnDisk(path: string): string {
  return `file://${isWindows ? '/c%3A' : ''}${path}`;
}

/** The path of the same folder, as this system writes it. */
export function pathOnDisk(path: string): string {
  return isWindows ? `c:${path.replaceAll('/', '\\')}` : path;
}
