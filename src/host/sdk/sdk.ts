/**
 * The parts of the MCP SDK that are used here, in a bundle of their own, which `loadSdk` loads: activation doesn't wait
 * for it. All other files import only types of the SDK.
 */
export {
  Client,
  isSpecType,
  ProtocolError,
  SdkError,
  SdkErrorCode,
  SdkHttpError,
  specTypeSchemas,
  SSEClientTransport,
  SseError,
  StreamableHTTPClientTransport,
  UnauthorizedError,
  UnsupportedProtocolVersionError,
} from '@modelcontextprotocol/client';
export { AjvJsonSchemaValidator } from '@modelcontextprotocol/client/validators/ajv';
