/** A server that listens on a Unix socket or a named pipe of this machine. */
export interface SocketAddress {
  /** An absolute path; of a named pipe as Windows has it: `\\.\pipe\name`. */
  readonly socketPath: string;
  /** The address that requests over it name: `http://localhost` with the HTTP path. */
  readonly url: string;
}

/**
 * Reads an address as VS Code has it: `unix:///path/to.sock#/mcp` or `pipe:///pipe/name#/mcp`, with the HTTP path after
 * the `#`; without it, that is `/`. Undefined for any other address.
 */
export function socketAddress(text: string): SocketAddress | undefined {
  const [, scheme = '', place = '', path = '/'] =
    /^(unix|pipe):\/\/(?:\.?)(\/[^?#\s]+)(?:#(\/\S*)?)?$/i.exec(text) ?? [];
  const socketPath = decoded(place);
  const url = URL.parse(path, 'http://localhost');
  if (socketPath === undefined || url?.host !== 'localhost') {
    return undefined;
  }
  if (scheme.toLowerCase() === 'unix') {
    return isWithoutSteps(socketPath) ? { socketPath, url: url.href } : undefined;
  }
  const [, pipe] = /^\/pipe\/([^/\\]+)$/i.exec(socketPath) ?? [];
  return pipe === undefined ? undefined : { socketPath: `\\\\.\\pipe\\${pipe}`, url: url.href };
}

/** Whether a server can be at this address. */
export function isServerAddress(text: string): boolean {
  return /^https?:$/.test(URL.parse(text)?.protocol ?? '') || socketAddress(text) !== undefined;
}

/** Whether an address is meant to be a socket, whatever else is wrong with it. */
export function isSocketScheme(text: string): boolean {
  return /^(?:unix|pipe):/i.test(text);
}

/** The same path for every reader: no `..`, no empty steps, not a folder. */
function isWithoutSteps(path: string): boolean {
  return path
    .split('/')
    .slice(1)
    .every((step) => step !== '' && step !== '.' && step !== '..');
}

function decoded(place: string): string | undefined {
  try {
    const path = decodeURIComponent(place);
    return path === '' || path.includes('\0') ? undefined : path;
  } catch {
    return undefined;
  }
}
