import type { LanguageModel } from '../../host/sampling/request/languageModels.ts';
import { modelsMatching } from '../../host/sampling/request/modelChoice.ts';

/**
 * The patterns of `mcpHost.sampling.models` after the person has chosen among the models that are there. Their order
 * stays, and so does what they say of models that are not there now; a pattern that means more than was chosen gives
 * way to the models themselves.
 */
export function chosenPatterns(
  patterns: readonly string[],
  models: readonly LanguageModel[],
  chosen: readonly LanguageModel[],
): readonly string[] {
  if (patterns.length === 0 && chosen.length === models.length) {
    return [];
  }
  const left = new Set(chosen);
  const kept = patterns.flatMap((pattern) => {
    const meant = modelsMatching(models, [pattern]);
    const wanted = meant.filter((model) => left.delete(model));
    return meant.every((model) => chosen.includes(model)) ? [pattern] : wanted.map(patternOf);
  });
  return [...kept, ...[...left].map(patternOf)];
}

/** Means this model, and no other. */
function patternOf({ id, vendor }: LanguageModel): string {
  return id.startsWith(`${vendor}/`) ? id : `${vendor}/${id}`;
}
