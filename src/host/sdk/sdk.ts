/**
 * The parts of the MCP SDK that are used here, in a bundle of their own, which `loadSdk` loads: activation doesn't wait
 * for it. All other files import only types of the SDK.
 */
export {
  checkResourceAllowed,
  Client,
  computeScopeUnion,
  createPrivateKeyJwtAuth,
  discoverAuthorizationServerMetadata,
  discoverOAuthProtectedResourceMetadata,
  DpopSession,
  exchangeAuthorization,
  fetchToken,
  InsecureTokenEndpointError,
  isSpecType,
  IssuerMismatchError,
  OAuthError,
  ProtocolError,
  refreshAuthorization,
  registerClient,
  RegistrationRejectedError,
  resourceUrlFromServerUrl,
  SdkError,
  SdkErrorCode,
  SdkHttpError,
  selectClientAuthMethod,
  specTypeSchemas,
  startAuthorization,
  UnsupportedProtocolVersionError,
  validateAuthorizationResponseIssuer,
} from '@modelcontextprotocol/client';
export { AjvJsonSchemaValidator } from '@modelcontextprotocol/client/validators/ajv';
