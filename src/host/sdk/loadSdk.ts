export type Sdk = typeof import('./sdk.ts');

/** Loads the MCP SDK when the first connection starts; later calls get the same module. */
export function loadSdk(): Promise<Sdk> {
  return import('./sdk.ts');
}
