import type { ClientCapabilities } from '@modelcontextprotocol/client';

/** What this host declares to every server that it can do (2025-11-25, basic/lifecycle). */
const clientCapabilities = { roots: { listChanged: true } } satisfies ClientCapabilities;

/** The same with what only some servers are told: that they may ask for a language model, with tools of their own. */
export function capabilitiesFor({ sampling }: { readonly sampling: boolean }): ClientCapabilities {
  return sampling ? { ...clientCapabilities, sampling: { tools: {} } } : clientCapabilities;
}
