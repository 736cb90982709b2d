export type ServerSdk = typeof import('./serverSdk.ts');

/** Loads the serving part of the MCP SDK when the gateway has something to serve. */
export function loadServerSdk(): Promise<ServerSdk> {
  return import('./serverSdk.ts');
}
