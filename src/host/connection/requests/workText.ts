import type { RequestInFlight } from './requestsInFlight.ts';

export const NO_REQUEST = 'It is not handling a request of yours at the moment.';

/** What a server is working on, as it follows "while it"; undefined for nothing. `nameOf` names one of several requests. */
export function workText(
  requests: readonly RequestInFlight[],
  nameOf: (request: RequestInFlight) => string,
): string | undefined {
  if (requests.length > 1) {
    return `handles one of these: ${[...new Set(requests.map(nameOf))].join(', ')}`;
  }
  const [only] = requests;
  switch (only?.method) {
    case 'tools/call':
      return `runs '${only.target}'`;
    case 'resources/read':
      return `reads the resource '${only.target}'`;
    case 'prompts/get':
      return `prepares the prompt '${only.target}'`;
    case undefined:
      return undefined;
  }
}
