// A recording of the traffic of a server, as a program that answers from it. Its arguments are the path of the file and the
// SHA-256 of its bytes, as they were allowed. It opens no network connection, writes no file, and ends when its input ends.
import { readRecording, type Recording } from '../host/traffic/recording.ts';
import { recordingFile } from '../host/traffic/recordingFile.ts';
import { serveLines } from '../sample/serveLines.ts';
import { RecordedServer } from './recordedServer.ts';

const [file = '', allowed] = process.argv.slice(2);

async function read(): Promise<Recording> {
  const { text, hash } = await recordingFile(file);
  if (hash !== allowed) {
    throw new Error('it has changed: add the recording again to run what it is now');
  }
  return readRecording(text);
}

read().then(
  (recording) => {
    const server = new RecordedServer(recording, (line) => process.stdout.write(line));
    serveLines((line) => server.receive(line));
  },
  (error: unknown) => {
    process.stderr.write(`Error: ${file}: ${error instanceof Error ? error.message : String(error)}.\n`);
    process.exitCode = 1;
  },
);
