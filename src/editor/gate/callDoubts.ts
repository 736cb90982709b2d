import { homedir } from 'node:os';
import { fileURLToPath } from 'node:url';
import { callWarnings, type CallWarnings } from '../../host/gate/callWarnings.ts';
import type { CallFacts } from '../../host/gate/gate.ts';
import { workspaceFolders } from '../workspace/workspace.ts';

/** What in a request deserves a second look, in this workspace. */
export function callDoubts({ method, target, args, tool }: CallFacts): CallWarnings {
  return callWarnings({
    args,
    uri: method === 'resources/read' ? target : undefined,
    isNew: tool?.standing.kind === 'new',
    annotations: tool?.tool.annotations,
    folders: workspaceFolders.folders.flatMap(({ uri }) =>
      uri.startsWith('file:') ? [fileURLToPath(uri)] : [],
    ),
    home: homedir(),
  });
}
