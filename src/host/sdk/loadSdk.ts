export type Sdk = typeof import('./sdk.ts');
export type ServerSdk = typeof import('./serverSdk.ts');

/** Loads the MCP SDK when the first connection starts; later calls get the same module. */
export function loadSdk(): Promise<Sdk> {
  return import('./sdk.ts');
}

/** Loads the part of the MCP SDK for servers when the gateway has something to serve. */
export function loadServerSdk(): Promise<ServerSdk> {
  return import('./serverSdk.ts');
}
