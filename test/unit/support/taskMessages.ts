import type { ServerConnection } from '../../../src/host/connection/serverConnection.ts';
import type { Message } from '../../fixtures/servers/peer/scriptedPeer.ts';
import { textOf } from './connectionBed.ts';
import { untilSeen } from './until.ts';

/** The messages that a server of tasks has got, by its own tool. */
export async function seen(connection: ServerConnection): Promise<readonly Message[]> {
  return JSON.parse(await textOf(connection.callTool('seen', {}))) as Message[];
}

/** The methods about tasks that a server has been asked. */
export async function taskMethods(connection: ServerConnection): Promise<readonly string[]> {
  const all = await seen(connection);
  return all.flatMap(({ method }) => (method?.startsWith('tasks/') ? [method] : []));
}

export async function untilAsked(connection: ServerConnection, method: string): Promise<void> {
  await untilSeen(async () => (await taskMethods(connection)).includes(method), `'${method}' is asked`);
}
