import { getNodeValue } from 'jsonc-parser';
import { canonicalJson } from '../../../base/values/canonicalJson.ts';
import { isRecord } from '../../../base/values/record.ts';
import { rootOf, withoutMark } from './jsonEdits.ts';
import { pathInFile } from './serversFile.ts';

const own = [...pathInFile('settings', 'servers'), ...pathInFile('settings', 'inputs')];

/**
 * True if a text can be that of the settings file that the editor uses: it has settings, and the editor has applied the
 * same value of each of them, and of the definitions and inputs.
 *
 * @param applied the value of a setting that the editor has applied.
 * @param canLack whether the editor may leave out other settings of this file, as those of a machine in a remote window.
 */
export function isAppliedFile(text: string, applied: (name: string) => unknown, canLack: boolean): boolean {
  const settings = settingsOf(text);
  const names = Object.keys(settings);
  const isSame = (name: string): boolean => canonicalJson(settings[name]) === canonicalJson(applied(name));
  const isLeftOut = (name: string): boolean => canLack && applied(name) === undefined;
  return names.some(isSame) && own.every(isSame) && names.every((name) => isSame(name) || isLeftOut(name));
}

function settingsOf(text: string): Readonly<Record<string, unknown>> {
  try {
    const root = rootOf(withoutMark(text));
    const value: unknown = root && getNodeValue(root);
    return isRecord(value) ? value : {};
  } catch {
    return {}; // not valid JSON
  }
}
