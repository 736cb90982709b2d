import type {
  DefinitionProblem,
  DefinitionReading,
  ServerDefinition,
  ServerId,
} from '../config/serverDefinition.ts';
import { withoutShadowed, type ShadowedDefinition } from '../config/serverNames.ts';
import type { Preferences } from './preferences.ts';

/**
 * The definitions of which a server should be there, in the order in which they are listed: one for each name. The
 * others of the name are shadowed. One in `existing` that can no longer be read stays where it was: you may be in
 * the middle of an edit.
 */
export function wantedDefinitions(
  { definitions, problems }: DefinitionReading,
  preferences: Preferences,
  existing: readonly ServerDefinition[],
): {
  readonly wanted: ReadonlyMap<ServerId, ServerDefinition>;
  readonly shadowed: readonly ShadowedDefinition[];
} {
  const { effective, shadowed } = withoutShadowed(definitions, (id) => preferences.isPreferred(id));
  const listed = [...effective];
  const ids = new Set(effective.map(({ id }) => id));
  let before: ServerId | undefined;
  for (const definition of existing) {
    if (!ids.has(definition.id)) {
      if (!isUnreadable(definition, problems)) {
        continue;
      }
      listed.splice(listed.findIndex(({ id }) => id === before) + 1, 0, definition);
    }
    before = definition.id;
  }
  return { wanted: new Map(listed.map((definition) => [definition.id, definition])), shadowed };
}

/** Whether a definition may still be there, because it or the whole file cannot be read. */
function isUnreadable({ origin, name }: ServerDefinition, problems: readonly DefinitionProblem[]): boolean {
  return problems.some(
    (problem) =>
      problem.severity === 'error' &&
      problem.origin.scope === origin.scope &&
      problem.origin.place === origin.place &&
      (problem.name === undefined || problem.name === name),
  );
}
