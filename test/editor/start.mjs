// `npm start`: opens the demo workspace in a VS Code with this extension. `--web` uses the browser even where a
// desktop VS Code could be used.
import { handOver } from './handOver.mjs';
import { setUp } from './setup.mjs';

try {
  setUp({ tests: false });
  process.exitCode = await handOver('test/editor/start.ts');
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
