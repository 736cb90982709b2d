import assert from 'node:assert/strict';
import type { ServerConnection } from '../../../src/host/connection/serverConnection.ts';
import { textOf } from './connectionBed.ts';
import { malformedLines } from './malformedLines.ts';

const LINES_AT_ONCE = 500;

/**
 * Has a raw server write so many malformed lines, cut anywhere into chunks by the pipe, and asks it for
 * something after each lot: an exception outside of the connection fails the test that this is part of.
 */
export async function floodWith(connection: ServerConnection, count: number, seed: number): Promise<void> {
  for (let written = 0; written < count; written += LINES_AT_ONCE) {
    const lines = malformedLines(LINES_AT_ONCE, seed + written);
    const bytes = Buffer.concat(lines.flatMap((line) => [line, Buffer.from('\n')]));
    await connection.callTool('write', { bytes: bytes.toString('base64') });
    assert.equal(await textOf(connection.callTool('echo', { text: `${written}` })), `${written}`);
  }
  assert.equal(Reflect.get({}, 'polluted'), undefined);
}
