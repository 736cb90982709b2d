import { fileURLToPath } from 'node:url';
import {
  serverId,
  type DefinitionOrigin,
  type HttpServerDefinition,
  type StdioServerDefinition,
} from '../../../src/host/config/serverDefinition.ts';
import type { Era, Offer } from '../../fixtures/servers/oddScript.ts';

export const ofUser: DefinitionOrigin = { scope: 'user', format: 'settings', place: 'settings:user' };

/** Copilot's file in the home directory. */
export const ofCopilot: DefinitionOrigin = {
  scope: 'user',
  format: 'mcpJson',
  place: 'file:///home/me/.copilot/mcp-config.json',
};

type ServerName =
  | 'addressServer'
  | 'changingServer'
  | 'legacyServer'
  | 'modernServer'
  | 'manyResourcesServer'
  | 'oddServer'
  | 'rawServer'
  | 'resourceServer'
  | 'samplingServer'
  | 'talkingServer'
  | 'taskServer'
  | 'unrulyServer';

export function serverScript(name: ServerName): string {
  return fileURLToPath(serverUrl(name));
}

/** What a script imports to be that server: on Windows, that can't be a path. */
export function serverUrl(name: ServerName): string {
  return new URL(`../../fixtures/servers/${name}.ts`, import.meta.url).href;
}

/** The program of a server that comes from the registry. */
export function packageScript(name: string): string {
  return fileURLToPath(new URL(`../../../node_modules/${name}/dist/index.js`, import.meta.url));
}

/** A server that this Node runs. */
export function stdioServer(
  args: readonly string[],
  more: Partial<StdioServerDefinition> = {},
): StdioServerDefinition {
  const { name = 'server', origin = ofUser } = more;
  return {
    type: 'stdio',
    id: serverId(origin, name),
    name,
    origin,
    disabled: false,
    inputs: [],
    command: process.execPath,
    args,
    env: {},
    ...more,
  };
}

function serverWith(name: ServerName) {
  return (
    switches: readonly string[] = [],
    more: Partial<StdioServerDefinition> = {},
  ): StdioServerDefinition => stdioServer([serverScript(name), ...switches], more);
}

export const legacyServer = serverWith('legacyServer');

export function modernServer(more: Partial<StdioServerDefinition> = {}): StdioServerDefinition {
  return stdioServer([serverScript('modernServer')], more);
}

/** The server that keeps to few rules. */
export function oddServer(
  era: Era,
  offer: Offer,
  switches: readonly string[] = [],
  more: Partial<StdioServerDefinition> = {},
): StdioServerDefinition {
  return stdioServer([serverScript('oddServer'), `--era=${era}`, `--offer=${offer}`, ...switches], more);
}

/** The server whose resources are of every odd kind. */
export function resourceServer(more: Partial<StdioServerDefinition> = {}): StdioServerDefinition {
  return stdioServer([serverScript('resourceServer')], more);
}

export function httpServer(url: string, more: Partial<HttpServerDefinition> = {}): HttpServerDefinition {
  const { name = 'server', origin = ofUser } = more;
  return {
    type: 'http',
    id: serverId(origin, name),
    name,
    origin,
    disabled: false,
    inputs: [],
    url,
    headers: {},
    ...more,
  };
}

/** The server that asks for a language model; of 2025-11-25 without the switch `--modern`. */
export const samplingServer = serverWith('samplingServer');

/** The server that has you open addresses; see its switches. */
export const addressServer = serverWith('addressServer');

/** The server that keeps to no order; see its switches. */
export const unrulyServer = serverWith('unrulyServer');

/** The server that waits and says things, of either era. */
export function talkingServer(
  era: 'legacy' | 'modern',
  more: Partial<StdioServerDefinition> = {},
): StdioServerDefinition {
  return stdioServer([serverScript('talkingServer'), `--${era}`], more);
}

/** The server whose tools run as tasks; `capability` is what it declares, instead of all of `tasks`. */
export function taskServer(
  capability?: object,
  more: Partial<StdioServerDefinition> = {},
): StdioServerDefinition {
  const switches = capability === undefined ? [] : [`--tasks=${JSON.stringify(capability)}`];
  return stdioServer([serverScript('taskServer'), ...switches], more);
}

/** The same at 2026-07-28, with the extension for tasks. */
export function servedTaskServer(more: Partial<StdioServerDefinition> = {}): StdioServerDefinition {
  return stdioServer([serverScript('taskServer'), '--modern'], more);
}

/** The server that writes any bytes that a call names. */
export function rawServer(more: Partial<StdioServerDefinition> = {}): StdioServerDefinition {
  return stdioServer([serverScript('rawServer')], more);
}
