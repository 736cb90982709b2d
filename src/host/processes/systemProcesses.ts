import { linuxProcesses } from './linuxProcesses.ts';
import { listedProcesses, listWithPowerShell, listWithPs } from './listedProcesses.ts';
import type { ProcessTable } from './processTable.ts';

/** The table of this system. That by `ps` is tried on Linux; macOS and Windows are untried. */
export function systemProcesses(): ProcessTable {
  switch (process.platform) {
    case 'linux':
    case 'android':
      return linuxProcesses;
    case 'win32':
      return listedProcesses(listWithPowerShell, 'ancestry');
    default:
      return listedProcesses(listWithPs, 'group');
  }
}
