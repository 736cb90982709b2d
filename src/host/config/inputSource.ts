import type { DefinitionOrigin, InputDeclaration } from './serverDefinition.ts';

/** Where the values of inputs come from: what is stored for the declaring file, or the person. */
export interface InputSource {
  /**
   * The value of an input for the layer that declares it; asked for once and kept.
   *
   * @throws CancellationError when the person gives no value, or the signal aborts.
   */
  valueOf(declaration: InputDeclaration, origin: DefinitionOrigin, signal: AbortSignal): Promise<string>;
}
