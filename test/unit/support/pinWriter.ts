// A window that acknowledges tools one after the other: node pinWriter.ts <folder> <subject> <names…>.
import { withAcknowledged } from '../../../src/host/gate/pins/serverChanges.ts';
import { PinStore, type PinSubject } from '../../../src/host/gate/pins/pinStore.ts';

const [folder = '', subject = '', ...names] = process.argv.slice(2);
const store = new PinStore(folder);
for (const name of names) {
  await store.change(JSON.parse(subject) as PinSubject, (pins) => withAcknowledged(pins, [name]));
}
store.dispose();
