import type { DefinitionOrigin, InputDeclaration } from './serverDefinition.ts';

/** Gives the values of inputs, asking the person for one that is not stored. */
export interface InputSource {
  /** @throws CancellationError when the person does not answer, or the signal aborts. */
  valueOf(declaration: InputDeclaration, origin: DefinitionOrigin, signal: AbortSignal): Promise<string>;
}
