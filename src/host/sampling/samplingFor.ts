import type { ConnectionSampling } from '../connection/connectionSampling.ts';
import type { ServerSampling } from '../connection/samplingSource.ts';
import type { AskingServer } from '../questions/question.ts';

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
