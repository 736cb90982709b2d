// Runs the program of the conformance suite once for each message of its parent, a command line, and answers with its exit
// code. Loading the packages that the suite imports takes longer than most scenarios.
import { pathToFileURL } from 'node:url';
import { conformanceProgram } from '../editor/paths.mjs';

/** What is thrown where the suite would exit. */
const exit = new Error('The suite exits.');
const endProcess = process.exit.bind(process);
let runs = 0;

async function exitCodeOf(parameters: readonly string[]): Promise<number> {
  const exited = Promise.withResolvers<number>();
  process.argv = [process.execPath, conformanceProgram, ...parameters];
  process.exit = (code) => {
    exited.resolve(Number(code ?? 0)); // the first one counts: the suite takes what is thrown here for a failure
    throw exit;
  };
  runs += 1;
  // The module is another one each time: it reads the command line when it is loaded, and its scenarios keep state.
  await import(`${pathToFileURL(conformanceProgram).href}?${runs}`);
  return exited.promise;
}

process.on('unhandledRejection', (reason) => {
  if (reason !== exit) {
    throw reason;
  }
});
process.on('message', (parameters: readonly string[]) => {
  void exitCodeOf(parameters).then((code) => process.send?.(code));
});
process.once('disconnect', () => endProcess());
