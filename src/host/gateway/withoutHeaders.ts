import { schemaWithout } from '../schemas/schemaWithout.ts';

/** Has a client repeat an argument in an HTTP header (basic/transports, custom headers from tool parameters). */
const HEADER = 'x-mcp-header';

/**
 * A tool's schema without its wish for HTTP headers: they are for those between a client and the server, and
 * nobody is between a client and the gateway, which would have to compare each with the argument. Clients do
 * without a tool whose wish is wrong, which says nothing of a server over stdio. What is too deep for
 * a validator stays as it is.
 */
export function withoutHeaders<T>(schema: T): T {
  return schemaWithout(schema, (keyword) => keyword === HEADER);
}
