import { isWritten, testAll } from './pumped.ts';

suite('No text of a server takes more than linear time', () => {
  testAll((source) => !isWritten(source));
});
