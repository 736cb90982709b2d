import {
  isInUserSettings,
  type DefinitionOrigin,
  type ServerDefinition,
  type ServerId,
} from './serverDefinition.ts';

/** A definition that does not run because another one of the same name takes precedence. */
export interface ShadowedDefinition {
  readonly definition: ServerDefinition;
  readonly by: ServerDefinition;
}

/** Of several levels with a definition of one name, the lowest takes precedence. */
export function levelOf(origin: DefinitionOrigin): number {
  if (origin.scope !== 'user') {
    return 2;
  }
  return isInUserSettings(origin) ? 0 : 1;
}

/**
 * A definition in the user settings takes precedence over one of the same name in Copilot's file, and both over the
 * workspace's, unless you prefer another. Equal names in two folders of the workspace both run, and so does what comes
 * with this extension.
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
    const first = atLowestLevel(names.get(definition.name) ?? []);
    const preferred = (names.get(definition.name) ?? []).filter(
      (one) => !first.includes(one) && isPreferred(one.id),
    );
    const running = preferred.length > 0 ? atLowestLevel(preferred) : first;
    const [by] = running;
    if (definition.origin.scope === 'extension' || !by || running.includes(definition)) {
      effective.push(definition);
    } else {
      shadowed.push({ definition, by });
    }
  }
  return { effective, shadowed };
}

function atLowestLevel(definitions: readonly ServerDefinition[]): readonly ServerDefinition[] {
  const lowest = Math.min(...definitions.map(({ origin }) => levelOf(origin)));
  return definitions.filter(({ origin }) => levelOf(origin) === lowest);
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
  if (origin.scope === 'user') {
    return isInUserSettings(origin) ? 'user' : 'Copilot';
  }
  const place = origin.folder?.name ?? origin.scope;
  return origin.format === 'mcpJson' ? `${place}, .mcp.json` : place;
}
