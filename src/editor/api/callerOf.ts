import { fileURLToPath } from 'node:url';
import { withoutEnd } from '../../base/text/withoutEnd.ts';

/** An extension, and the folders that its code is loaded from. */
export interface InstalledExtension {
  readonly id: string;
  readonly label: string;
  readonly folders: readonly string[];
}

/** The line and column at the end of a frame. */
const POSITION = /:\d+:\d+\)?$/;
/** The file before them: an absolute path or a `file:` URL. */
const FILE = /(?:^|\()((?:file:\/\/|[a-z]:[\\/]|\\\\|\/).+)/i;

/**
 * The extension whose code is nearest to the top of a stack; undefined if there is none. Frames of `own` are skipped.
 * This tells you who asks, and is not a security boundary: extensions share one process, in which each can act as
 * another.
 */
export function callerOf(
  stack: string,
  extensions: readonly InstalledExtension[],
  own: string,
  platform: NodeJS.Platform = process.platform,
): InstalledExtension | undefined {
  const folders = extensions
    .flatMap((extension) =>
      extension.folders.map((folder) => ({ extension, prefix: `${comparable(folder, platform)}/` })),
    )
    .toSorted((one, other) => other.prefix.length - one.prefix.length);
  for (const line of stack.split('\n')) {
    const frame = line.trim().replace(/^at (?:async )?/, '');
    const place = frame.replace(POSITION, '');
    const file = place === frame ? undefined : FILE.exec(place)?.[1];
    const path = file === undefined ? undefined : pathOf(file, platform);
    const found = path && folders.find(({ prefix }) => path.startsWith(prefix))?.extension;
    if (found && found.id !== own) {
      return found;
    }
  }
  return undefined;
}

function pathOf(file: string, platform: NodeJS.Platform): string | undefined {
  if (!/^file:/i.test(file)) {
    return comparable(file, platform);
  }
  try {
    return comparable(fileURLToPath(file, { windows: platform === 'win32' }), platform);
  } catch {
    return undefined;
  }
}

/** Two paths of one file are equal in this form, as far as this can be known without the disk. */
function comparable(path: string, platform: NodeJS.Platform): string {
  const slashed = platform === 'win32' ? path.replaceAll('\\', '/') : path;
  const folded = platform === 'win32' || platform === 'darwin' ? slashed.toLowerCase() : slashed;
  return withoutEnd(folded, '/');
}
