import type { AskingServer } from '../questions/questionQueue.ts';
import type { ConnectionSampling } from '../connection/connectionSampling.ts';
import type { ServerSampling } from '../connection/samplingSource.ts';

/** What one server's connection needs of what serves all. */
export function samplingFor(
  sampling: ServerSampling | undefined,
  server: () => AskingServer,
): ConnectionSampling | undefined {
  return (
    sampling && {
      isOffered: () => sampling.isOffered(server().definition),
      createMessage: (request, params) => sampling.createMessage({ ...request, server }, params),
    }
  );
}
