// `npm start`: opens the demo workspace in a VS Code with this extension. `--web` uses the browser even where a
// desktop VS Code could be used.
import { chooseEditorHere } from './chosenEditor.mjs';
import { handOver } from './handOver.mjs';
import { setUp } from './setup.mjs';

try {
  const { kind, text } = chooseEditorHere(process.argv.includes('--web'));
  console.log(text);
  await setUp(kind === 'desktop' ? 'build' : 'browser');
  process.exitCode = await handOver('node', ['test/editor/start.ts', kind]);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
