import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import https from 'node:https';
import { fileURLToPath } from 'node:url';

const pem = (name: string): string =>
  fileURLToPath(new URL(`../../fixtures/tls/${name}.pem`, import.meta.url));

/** The file of a certificate for `localhost` that only tests trust. */
export const certificate = pem('cert');

/** A server at `https://localhost` with that certificate. */
export async function serveSecure(): Promise<{ readonly url: string; close(): Promise<void> }> {
  const server = https.createServer(
    { key: readFileSync(pem('key')), cert: readFileSync(certificate) },
    (_request, response) => response.writeHead(404).end(),
  );
  // By its name, which may be an address of IPv6 or of IPv4.
  server.listen(0, 'localhost');
  await once(server, 'listening');
  const { port } = server.address() as { readonly port: number };
  return {
    url: `https://localhost:${port}/mcp`,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
