// Looks at folders as another user would: node lookAs.ts <path>… Prints the kind of what is found, each on a line.
import { LocalDisk } from '../../../src/host/folders/folderDisk.ts';

const disk = new LocalDisk();
for (const path of process.argv.slice(2)) {
  const look = await disk.look(path);
  process.stdout.write(`${look.kind === 'folder' ? 'folder' : look.problem.kind}\n`);
}
