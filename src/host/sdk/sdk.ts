/**
 * The one place that loads the MCP SDK. It is bundled apart and reached through `loadSdk`, so that
 * activation does not pay for it; everything else imports the SDK's types only.
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
