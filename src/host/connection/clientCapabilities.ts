import type { ClientCapabilities } from '@modelcontextprotocol/client';

/** What this host declares to every server that it can do (2025-11-25, basic/lifecycle). */
export const clientCapabilities = { roots: { listChanged: true } } satisfies ClientCapabilities;
