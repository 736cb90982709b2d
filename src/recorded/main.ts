// A recording of the traffic of a server, as a program that answers from it. Its arguments are the path of the file and the
// SHA-256 of its bytes, as they were allowed. It opens no network connection, writes no file, and ends when its input ends.
import { createHash } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { checkSize, readRecording, type Recording } from '../host/traffic/recording.ts';
import { serveLines } from '../sample/serveLines.ts';
import { RecordedServer } from './recordedServer.ts';

const [file = '', sha256] = process.argv.slice(2);

function read(): Recording {
  checkSize(statSync(file).size);
  const bytes = readFileSync(file);
  if (createHash('sha256').update(bytes).digest('hex') !== sha256) {
    throw new Error('it has changed: add the recording again to run what it is now');
  }
  return readRecording(bytes.toString('utf8'));
}

try {
  const server = new RecordedServer(read(), (line) => process.stdout.write(line));
  serveLines((line) => server.receive(line));
} catch (error) {
  process.stderr.write(`Error: ${file}: ${error instanceof Error ? error.message : String(error)}.\n`);
  process.exitCode = 1;
}
