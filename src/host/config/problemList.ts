import type { DefinitionOrigin, DefinitionProblem, LayerPart } from './serverDefinition.ts';

/** Where a problem stands, and what mends it. */
export type ProblemPlace = Pick<DefinitionProblem, 'path' | 'fix'>;

/** Collects what is wrong with one part of one layer. */
export class ProblemList {
  readonly problems: DefinitionProblem[] = [];
  readonly #about: Pick<DefinitionProblem, 'origin' | 'part' | 'name'>;

  constructor(origin: DefinitionOrigin, part: LayerPart, name?: string) {
    this.#about = { origin, ...(part !== 'servers' && { part }), ...(name !== undefined && { name }) };
  }

  get hasErrors(): boolean {
    return this.problems.some(({ severity }) => severity === 'error');
  }

  error(message: string, place: ProblemPlace = {}): undefined {
    this.problems.push({ ...this.#about, severity: 'error', message, ...place });
  }

  warning(message: string, place: ProblemPlace = {}): undefined {
    this.problems.push({ ...this.#about, severity: 'warning', message, ...place });
  }
}
