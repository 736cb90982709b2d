// A copy of a checkout, as tests make them, has links to what is installed in the checkout: nothing is installed through them.
import { lstatSync } from 'node:fs';
import { join, relative } from 'node:path';
import { root } from '../paths.mjs';

/**
 * Throws if the packages of a folder belong to another checkout, where others use them.
 * @param {string} folder
 */
export function demandOwnPackages(folder) {
  const packages = join(folder, 'node_modules');
  if (lstatSync(packages, { throwIfNoEntry: false })?.isSymbolicLink()) {
    throw new Error(
      `'${relative(root, packages)}' is a link: run 'node test/editor/setup.mjs' in the checkout that it leads to.`,
    );
  }
}
