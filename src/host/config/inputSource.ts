import type { DefinitionOrigin, InputDeclaration } from './serverDefinition.ts';

/** Gives the values of inputs: those that are stored for the declaring file, or that the user enters. */
export interface InputSource {
  /**
   * The value of an input for the layer that declares it. It is asked for once and kept.
   *
   * @throws CancellationError when the user enters no value, or the signal aborts.
   */
  valueOf(declaration: InputDeclaration, origin: DefinitionOrigin, signal: AbortSignal): Promise<string>;
}
