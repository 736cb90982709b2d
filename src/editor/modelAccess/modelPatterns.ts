import type { LanguageModel } from '../../host/sampling/request/languageModels.ts';
import { modelsMatching } from '../../host/sampling/request/modelChoice.ts';

/**
 * The patterns of `mcpHost.sampling.models` after you have chosen among the available models. Their order stays, and
 * so do patterns for models that are not available now; a pattern that means more than you chose is replaced by the
 * models themselves.
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

/** Matches only this model. */
function patternOf({ id, vendor }: LanguageModel): string {
  return id.startsWith(`${vendor}/`) ? id : `${vendor}/${id}`;
}
