import { readFileSync } from 'node:fs';

interface Manifest {
  readonly contributes: {
    readonly configuration: readonly { readonly properties: Readonly<Record<string, unknown>> }[];
  };
}

/** The settings of every category that package.json declares, by name. */
export function contributedSettings<T>(): Readonly<Record<string, T>> {
  const text = readFileSync(new URL('../../../package.json', import.meta.url), 'utf8');
  const { contributes } = JSON.parse(text) as Manifest;
  const all = contributes.configuration.flatMap(({ properties }) => Object.entries(properties));
  return Object.fromEntries(all) as Readonly<Record<string, T>>;
}
