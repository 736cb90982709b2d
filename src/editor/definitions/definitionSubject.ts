import { serverId, type DefinitionOrigin, type ServerId } from '../../host/config/serverDefinition.ts';
import type { HostServer, McpHost } from '../../host/servers/mcpHost.ts';
import type { ServerNode } from '../nodes/serverNode.ts';

/** A definition in its file, whether or not it runs. */
export interface DefinitionSubject {
  readonly id: ServerId;
  readonly origin: DefinitionOrigin;
  readonly name: string;
  /** The name that messages show. */
  readonly label: string;
}

export function subjectOf({ connection, label }: HostServer): DefinitionSubject {
  const { id, origin, name } = connection.definition;
  return { id, origin, name, label };
}

/** The definition of a row; undefined for rows of what a server offers or sees. */
export function subjectOfRow(node: ServerNode): DefinitionSubject | undefined {
  switch (node.kind) {
    case 'server':
      return subjectOf(node.server);
    case 'shadowed': {
      const { id, origin, name } = node.shadowed.definition;
      return { id, origin, name, label: name };
    }
    case 'unreadable': {
      const [{ origin, name }] = node.problems;
      return name === undefined ? undefined : { id: serverId(origin, name), origin, name, label: name };
    }
    default:
      return undefined;
  }
}

/** Whether there is a definition, including one that is hidden by another or that cannot be read. */
export function isDefined(host: McpHost, id: ServerId): boolean {
  return (
    host.server(id) !== undefined ||
    host.shadowed.some(({ definition }) => definition.id === id) ||
    host.problems.some(({ origin, name }) => name !== undefined && serverId(origin, name) === id)
  );
}

/** The names of all definitions in the same place. */
export function namesBeside(host: McpHost, { origin }: DefinitionSubject): ReadonlySet<string> {
  const all = [
    ...host.servers.map(({ connection }) => connection.definition),
    ...host.shadowed.map(({ definition }) => definition),
    ...host.problems,
  ];
  return new Set(
    all.flatMap((one) =>
      one.name !== undefined && one.origin.place === origin.place && one.origin.scope === origin.scope
        ? [one.name]
        : [],
    ),
  );
}
