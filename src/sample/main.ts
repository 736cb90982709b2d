// The sample server that comes with this extension, as a program: it speaks over its standard input and
// output, opens no network connection, writes no file, and ends when its input ends.
import { SampleServer } from './sampleServer.ts';
import { serveLines } from './serveLines.ts';

const server = new SampleServer((line) => process.stdout.write(line));
serveLines((line) => server.receive(line));
