import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { endLeftProcesses, marked } from '../../editor/leftProcesses.mjs';
import { isAlive } from '../support/until.ts';

/** Starts a process that gets nothing but PATH, as servers do, ignores the end of its input, and outlives its parent. */
const leavesServer = `
  const { spawn } = require('node:child_process');
  const { PATH } = process.env;
  const server = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { detached: true, env: { PATH } });
  process.stdout.write(String(server.pid), () => process.exit());
`;

test('a server that is left behind is found and ended, although it only inherits PATH', async function () {
  if (process.platform !== 'linux') {
    this.skip();
  }
  const mark = randomUUID();
  const parent = spawn(process.execPath, ['-e', leavesServer], {
    env: marked(process.env, mark),
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [pid] = (await once(parent.stdout, 'data')) as [Buffer];
  await once(parent, 'exit');
  assert.equal(isAlive(Number(pid)), true);
  const [command, ...more] = await endLeftProcesses(mark);
  assert.match(command ?? '', /setInterval/);
  assert.deepEqual(more, []);
  assert.equal(isAlive(Number(pid)), false);
});
