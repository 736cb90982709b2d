import { isRecord } from '../../../base/values/record.ts';

/** Levels of parameters that are searched, and how many: the rest rarely says what a tool does. */
const MAX_DEPTH = 3;
const MAX_PARAMETERS = 100;

/** The names of a tool's parameters, and their titles, descriptions and choices, each up to `maxLength` characters. */
export function parameterTexts(
  schema: unknown,
  maxLength: number,
): { readonly names: string; readonly texts: string } {
  const names: string[] = [];
  const texts: string[] = [];
  let level: readonly unknown[] = [schema];
  for (let depth = 0; depth < MAX_DEPTH && names.length < MAX_PARAMETERS; depth += 1) {
    const next: unknown[] = [];
    for (const one of level) {
      const properties = isRecord(one) && isRecord(one['properties']) ? one['properties'] : {};
      for (const [name, value] of Object.entries(properties).slice(0, MAX_PARAMETERS)) {
        names.push(name);
        if (isRecord(value)) {
          texts.push(...[value['title'], value['description']].filter((text) => typeof text === 'string'));
          next.push(value, value['items']);
        }
      }
    }
    level = next;
  }
  return {
    names: names.slice(0, MAX_PARAMETERS).join(' ').slice(0, maxLength),
    texts: texts.join(' ').slice(0, maxLength),
  };
}
