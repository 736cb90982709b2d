import type { ServerDefinition, ServerId } from './serverDefinition.ts';

/** A definition that does not run because the user's definition of the same name wins. */
export interface ShadowedDefinition {
  readonly definition: ServerDefinition;
  readonly by: ServerDefinition;
}

/**
 * Between the user's level and the workspace's the user's definition of a name wins; equal names in
 * two folders of the workspace both run.
 */
export function withoutShadowed(definitions: readonly ServerDefinition[]): {
  readonly effective: readonly ServerDefinition[];
  readonly shadowed: readonly ShadowedDefinition[];
} {
  const ofUser = new Map(
    definitions.filter(({ origin }) => origin.scope === 'user').map((one) => [one.name, one]),
  );
  const effective: ServerDefinition[] = [];
  const shadowed: ShadowedDefinition[] = [];
  for (const definition of definitions) {
    const by = ofUser.get(definition.name);
    if (by && by !== definition) {
      shadowed.push({ definition, by });
    } else {
      effective.push(definition);
    }
  }
  return { effective, shadowed };
}

/** How each server is called before the person: its name, and its place where the name alone is ambiguous. */
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
  const place = origin.folder?.name ?? origin.scope;
  return origin.format === 'mcpJson' ? `${place}, .mcp.json` : place;
}
