import type { Tool } from '@modelcontextprotocol/client';
import type { ServerId } from '../config/serverDefinition.ts';
import type { HostTools } from '../gate/hostTools.ts';
import { schemaWithout } from '../schemas/subschemas.ts';
import { isOffered, type HostTool } from '../tools/hostTool.ts';
import { ModelNames } from './modelNames.ts';

/** Makes a client repeat an argument in an HTTP header (basic/transports, custom headers from tool parameters). */
const HEADER = 'x-mcp-header';

/**
 * A tool's schema without its request for HTTP headers: these are for intermediaries between client and server, and
 * there are none before the gateway, which would have to compare each with the argument. Clients leave out
 * a tool whose headers are malformed, which do not matter for a server over stdio. What is too deep for
 * a validator stays as it is.
 */
function withoutHeaders<T>(schema: T): T {
  return schemaWithout(schema, (keyword) => keyword === HEADER);
}

const ofTools = new WeakMap<readonly HostTool[], ModelNames>();

/** The names of a server's tools, computed once for each list. */
export function modelNamesOf(tools: readonly HostTool[]): ModelNames {
  let names = ofTools.get(tools);
  if (!names) {
    names = new ModelNames(tools.map(({ tool }) => tool.name));
    ofTools.set(tools, names);
  }
  return names;
}

/** The tools of a server as a model gets them. Their names don't depend on which of them are left out. */
export function offeredTools(
  tools: Pick<HostTools, 'of'>,
  id: ServerId,
  isLeftOut: (tool: HostTool) => boolean,
): readonly Tool[] {
  const all = tools.of(id);
  const names = modelNamesOf(all);
  const served = all.filter((tool) => isOffered(tool) && !isLeftOut(tool));
  return served.flatMap(({ tool, offered }) => {
    const name = names.modelName(tool.name);
    // The editor drops a text beside a structured result, so that a model gets both as text: see `modelResult`.
    const { outputSchema: _, ...rest } = offered;
    return name === undefined ? [] : [{ ...rest, inputSchema: withoutHeaders(rest.inputSchema), name }];
  });
}
