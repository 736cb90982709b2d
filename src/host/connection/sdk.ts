/**
 * The one place that loads the MCP SDK. It is bundled apart and reached by `import()`, so that
 * activation does not pay for it; everything else imports the SDK's types only.
 */
export { Client, SSEClientTransport, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
