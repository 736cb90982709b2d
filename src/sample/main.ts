// The sample server that comes with this extension, as a program: it speaks over its standard input and
// output, opens no network connection, writes no file, and ends when its input ends.
import { SampleServer } from './sampleServer.ts';

const server = new SampleServer((line) => process.stdout.write(line));
let rest = '';
process.stdin.setEncoding('utf8');
process.stdin.on('data', (chunk: string) => {
  // Not with readline: it would also end a line at U+2028, which JSON may contain.
  const lines = (rest + chunk).split('\n');
  rest = lines.pop() ?? '';
  lines.filter((line) => line.trim() !== '').forEach((line) => server.receive(line));
});
process.stdin.on('end', () => process.exit());
// Nobody reads the output any longer.
process.stdout.on('error', () => process.exit());
