import type { ServerDefinition, ServerId } from './serverDefinition.ts';

/** A definition that does not run because another one of the same name takes precedence. */
export interface ShadowedDefinition {
  readonly definition: ServerDefinition;
  readonly by: ServerDefinition;
}

/**
 * A definition in the user settings takes precedence over the workspace's of the same name, unless you prefer the
 * workspace's. Equal names in two folders of the workspace both run, and so does what comes with this extension.
 */
export function withoutShadowed(
  definitions: readonly ServerDefinition[],
  isPreferred: (id: ServerId) => boolean,
): {
  readonly effective: readonly ServerDefinition[];
  readonly shadowed: readonly ShadowedDefinition[];
} {
  const effective: ServerDefinition[] = [];
  const shadowed: ShadowedDefinition[] = [];
  const configured = definitions.filter(({ origin }) => origin.scope !== 'extension');
  const names = Map.groupBy(configured, ({ name }) => name);
  for (const definition of definitions) {
    if (definition.origin.scope === 'extension') {
      effective.push(definition);
      continue;
    }
    const others = names.get(definition.name) ?? [];
    const ofUser = others.find(({ origin }) => origin.scope === 'user');
    const preferred = others.filter((one) => one !== ofUser && isPreferred(one.id));
    const by = preferred.length > 0 ? preferred[0] : ofUser;
    if (!ofUser || !by || by === definition || preferred.includes(definition)) {
      effective.push(definition);
    } else {
      shadowed.push({ definition, by });
    }
  }
  return { effective, shadowed };
}

/** The label of each server: its name, and its place if the name alone is ambiguous. */
export function labelsOf(definitions: readonly ServerDefinition[]): ReadonlyMap<ServerId, string> {
  const count = new Map<string, number>();
  for (const { name } of definitions) {
    count.set(name, (count.get(name) ?? 0) + 1);
  }
  return new Map(
    definitions.map((definition) => [
      definition.id,
      (count.get(definition.name) ?? 0) > 1 ? `${definition.name} (${placeOf(definition)})` : definition.name,
    ]),
  );
}

function placeOf({ origin }: ServerDefinition): string {
  if (origin.scope === 'extension') {
    return 'MCP Host';
  }
  const place = origin.folder?.name ?? origin.scope;
  return origin.format === 'mcpJson' ? `${place}, .mcp.json` : place;
}
