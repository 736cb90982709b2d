import { launchFields, type ServerKind } from './fields.ts';
import type { Fields } from './fieldTypes.ts';
import type { WrittenLaunch } from './serverDefinition.ts';

/** What others ask of how a server is reached. */
interface Transport {
  readonly kind: ServerKind;
  readonly fields: Fields;
  /** The field with the texts that have names. */
  readonly named: 'env' | 'headers';
  /** A server of it, in a sentence. */
  readonly server: string;
  /** What a server of this transport can do, no matter what is shared with it. */
  readonly reach: string;
  /** Milliseconds of silence after which a server is taken for one that does not know `server/discover`. */
  readonly probeMs: number;
}

const http: Transport = {
  kind: 'http',
  fields: launchFields.http,
  named: 'headers',
  server: 'an HTTP server',
  reach:
    'It is connected over HTTP: it learns names and paths, and can read files only if it runs on this machine.',
  probeMs: 10_000,
};

/** Each transport, by the `type` of a definition. */
export const transports: Readonly<Record<WrittenLaunch['type'], Transport>> = {
  stdio: {
    kind: 'stdio',
    fields: launchFields.stdio,
    named: 'env',
    server: 'a stdio server',
    reach: 'It is a program that runs as you: whatever you share here, it can read every file that you can.',
    probeMs: 2_000,
  },
  http,
  sse: http,
};

export function isTransport(type: unknown): type is WrittenLaunch['type'] {
  return typeof type === 'string' && Object.hasOwn(transports, type);
}
