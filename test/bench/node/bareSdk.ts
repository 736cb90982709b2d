// The SDK alone, in a bundle of its own, as this host has it.
export { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
export { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
