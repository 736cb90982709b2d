// A host that can be killed: node guardedHost.ts <folder>. Prints the process ids of its two servers and of grandchildren,
// one of them outside the group of its server. None of them reacts to anything; once its input has ended, and everything with it, its log, and "closed".
import { text } from 'node:stream/consumers';
import type { ServerConnection } from '../../../src/host/connection/serverConnection.ts';
import { GuardedProcesses } from '../../../src/host/processes/guardedProcesses.ts';
import { ConnectionBed, textOf } from './connectionBed.ts';
import { legacyServer } from './definitions.ts';
import { guardScript } from './processGroups.ts';
import { RecordingLogger } from './recordingLogger.ts';

const [folder = ''] = process.argv.slice(2);
const bed = new ConnectionBed();
const logger = new RecordingLogger();
const processes = new GuardedProcesses({ guard: guardScript, folder }, logger);
const [first, second] = [server(), server()];
await first.start();
const grandchildren = [
  Number(await textOf(first.callTool('spawn', {}))),
  ...(process.platform === 'linux'
    ? [Number(await textOf(first.callTool('spawn', { where: 'outside' })))]
    : []),
];
// The guard is there by now: what starts after it must not keep its pipe open.
await second.start();
console.log(JSON.stringify([...bed.pids, ...grandchildren]));
await text(process.stdin);
await Promise.all([first.close(), second.close()]);
await processes.close();
await bed.close();
console.log(JSON.stringify(logger.lines));
console.log('closed');

function server(): ServerConnection {
  return bed.connection(legacyServer(['--stubborn']), { processes });
}
