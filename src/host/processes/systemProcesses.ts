import { linuxProcesses } from './linuxProcesses.ts';
import { listedProcesses, listWithPowerShell, listWithPs } from './listedProcesses.ts';
import type { ProcessTable } from './processTable.ts';

/** The table of this system. The one by `ps` is tested on Linux only, and the one for Windows not at all. */
export function systemProcesses(): ProcessTable {
  switch (process.platform) {
    case 'linux':
    case 'android':
      return linuxProcesses();
    case 'win32':
      return listedProcesses(listWithPowerShell, 'ancestry');
    default:
      return listedProcesses(listWithPs, 'group');
  }
}
