/** As `sdk.ts`, the part of the MCP SDK that the gateway serves with. */
export {
  createMcpHandler,
  isInitializeRequest,
  isLegacyRequest,
  ProtocolError,
  ProtocolErrorCode,
  Server,
} from '@modelcontextprotocol/server';
