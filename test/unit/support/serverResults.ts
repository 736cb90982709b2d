import type * as sdk from '../../../src/host/sdk/sdk.ts';

/** The results that servers send, by the name of their schema, each with the method that it answers. */
export const serverResults: readonly (readonly [name: keyof typeof sdk.specTypeSchemas, method: string])[] = [
  ['InitializeResult', 'initialize'],
  ['DiscoverResult', 'server/discover'],
  ['EmptyResult', 'ping'],
  ['CompleteResult', 'completion/complete'],
  ['ListToolsResult', 'tools/list'],
  ['ListPromptsResult', 'prompts/list'],
  ['ListResourcesResult', 'resources/list'],
  ['ListResourceTemplatesResult', 'resources/templates/list'],
  ['CallToolResult', 'tools/call'],
  ['GetPromptResult', 'prompts/get'],
  ['ReadResourceResult', 'resources/read'],
];
