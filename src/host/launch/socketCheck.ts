import { realpathSync } from 'node:fs';
import path from 'node:path';
import { socketAddress } from '../addresses/serverAddress.ts';
import type { AnyLaunch } from '../config/serverDefinition.ts';
import { HostError } from '../errors/hostError.ts';
import { isInside, isSamePath } from '../folders/rootUri.ts';

/** Names of sockets and pipes that control containers, keys and the session, of which none is an MCP server. */
const control =
  /^(?:docker.*|podman.*|containerd.*|crio|buildkitd|S\.gpg-agent.*|S\.keyboxd|agent\.\d+|openssh-ssh-agent|system_bus_socket)(?:\.sock)?$/i;

/**
 * Checks the socket of a launch, if it has one, right before it is connected to: no link of the workspace may lead
 * elsewhere, and what commands other programs isn't an MCP server.
 *
 * @param workspace The paths of the workspace's folders.
 * @throws HostError `invalidDefinition`
 */
export function checkSocket(
  { url = '' }: AnyLaunch,
  workspace: readonly string[],
  env: NodeJS.ProcessEnv = process.env,
): void {
  const { socketPath } = socketAddress(url) ?? {};
  if (socketPath === undefined) {
    return;
  }
  const real = realPath(socketPath);
  const isControl = [socketPath, real].some(
    (one) => control.test(baseOf(one)) || agentSockets(env).some((agent) => isSamePath(one, agent)),
  );
  if (isControl) {
    throw refusal(socketPath, 'controls other programs and is no MCP server');
  }
  const folder = workspace.find((one) => isInside(socketPath, one));
  const isThroughLink =
    folder !== undefined && !isSamePath(real, path.join(realPath(folder), path.relative(folder, socketPath)));
  if (isThroughLink) {
    throw refusal(socketPath, 'is reached through a link in the workspace; write the path that it leads to');
  }
}

/** The sockets of the agents that this process knows. */
function agentSockets(env: NodeJS.ProcessEnv): readonly string[] {
  const [, bus] = /(?:^|;)unix:path=([^,;]+)/.exec(env['DBUS_SESSION_BUS_ADDRESS'] ?? '') ?? [];
  return [env['SSH_AUTH_SOCK'], env['GPG_AGENT_INFO']?.split(':')[0], bus].filter(
    (one): one is string => one !== undefined && one !== '',
  );
}

function baseOf(place: string): string {
  return place.split(/[\\/]/).at(-1) ?? '';
}

function realPath(place: string): string {
  try {
    return realpathSync.native(place);
  } catch {
    return place;
  }
}

function refusal(place: string, why: string): HostError {
  return new HostError('invalidDefinition', `the socket of its "url", ${place}, ${why}`);
}
