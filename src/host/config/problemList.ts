import type { DefinitionOrigin, DefinitionProblem, LayerPart } from './serverDefinition.ts';

type Path = DefinitionProblem['path'];
type Fix = DefinitionProblem['fix'];

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

  /** @param name the only server that it is about, in a list about the whole file. */
  error(message: string, path?: Path, fix?: Fix, name?: string): undefined {
    this.#add({ severity: 'error', message, ...(name !== undefined && { name }) }, path, fix);
  }

  warning(message: string, path?: Path, fix?: Fix): undefined {
    this.#add({ severity: 'warning', message }, path, fix);
  }

  /** For what another program reads. */
  note(message: string, path?: Path, fix?: Fix): undefined {
    this.#add({ severity: 'note', message }, path, fix);
  }

  #add(problem: Pick<DefinitionProblem, 'severity' | 'message' | 'name'>, path: Path, fix: Fix): void {
    // In a .mcp.json another tool may need a field that does not exist here.
    const isOffered = fix && (fix.kind !== 'remove' || this.#about.origin.format === 'settings');
    this.problems.push({ ...this.#about, ...problem, ...(path && { path }), ...(isOffered && { fix }) });
  }
}
