// A process that takes a lock again and again: node lockUser.ts <path> <staleMs> <count> [<work in ms>].
// While it has the lock it creates a file that must not be there, and removes it again. With a count of 0 it prints
// `has` and keeps the lock.
import { open, rm } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { FileLock } from '../../../src/base/files/fileLock.ts';

const [path = '', staleMs = '', count = '0', work = '0'] = process.argv.slice(2);
if (count === '0') {
  await FileLock.take(path, Number(staleMs));
  process.stdout.write('has\n');
  setInterval(() => {}, 1_000);
}
for (let index = 0; index < Number(count); index += 1) {
  const lock = await FileLock.take(path, Number(staleMs));
  await (await open(`${path}-inside`, 'wx')).close();
  await delay(Number(work));
  await rm(`${path}-inside`);
  await lock.release();
}
