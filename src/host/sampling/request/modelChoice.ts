import { consistsOf } from '../../../base/text/consistsOf.ts';
import type { LanguageModel } from './languageModels.ts';

/**
 * The models that match your patterns, the preferred first: in the order of the patterns, then of the editor.
 * A pattern is a model's id, `vendor/id`, name or family; `*` matches any text, and case is ignored.
 * Without a pattern, all models match.
 */
export function modelsMatching(
  models: readonly LanguageModel[],
  patterns: readonly string[],
): readonly LanguageModel[] {
  if (patterns.length === 0) {
    return models;
  }
  return [
    ...new Set(
      patterns.flatMap((pattern) => models.filter((model) => matchesPattern(model, pattern.trim()))),
    ),
  ];
}

/**
 * The model for a request: hints in order, each a part of a model's id, name or family; the first allowed model if no
 * hint fits (client/sampling, model preferences). Undefined if none is allowed.
 */
export function chooseModel(
  allowed: readonly LanguageModel[],
  hints: readonly string[],
): LanguageModel | undefined {
  for (const hint of hints.map((one) => one.toLowerCase())) {
    const hinted = allowed.find(({ id, name, family }) =>
      [id, name, family].some((text) => text.toLowerCase().includes(hint)),
    );
    if (hinted) {
      return hinted;
    }
  }
  return allowed[0];
}

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

function matchesPattern({ id, vendor, name, family }: LanguageModel, pattern: string): boolean {
  const names = [id, `${vendor}/${id}`, name, family];
  return (
    pattern !== '' && names.some((text) => consistsOf(text.toLowerCase(), pattern.toLowerCase().split('*')))
  );
}

/** Matches only this model. */
function patternOf({ id, vendor }: LanguageModel): string {
  return id.startsWith(`${vendor}/`) ? id : `${vendor}/${id}`;
}
