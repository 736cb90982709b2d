import { isRecord } from '../../base/values/record.ts';
import { fieldsOf, launchFields, otherFields, type ServerKind } from './fields.ts';
import { ownValue, readFields, reportMissing, type Complain, type Field } from './fieldTypes.ts';
import { nearestName } from './nearestName.ts';
import { ProblemList } from './problemList.ts';
import {
  serverId,
  type DefinitionOrigin,
  type DefinitionReading,
  type InputDeclaration,
  type ServerDefinition,
} from './serverDefinition.ts';
import { expandableTexts, variablesIn, type PlacedText } from './variables.ts';

/** Reads one definition of a layer that declares these inputs. */
export function readServer(
  origin: DefinitionOrigin,
  name: string,
  value: unknown,
  inputs: ReadonlyMap<string, InputDeclaration>,
): DefinitionReading {
  const list = new ProblemList(origin, 'servers', name);
  if (name.trim() === '') {
    list.error('A server needs a name.', [name]);
  } else if (isRecord(value)) {
    const definition = new ServerReader(origin, name, value, list).read(inputs);
    if (definition && !list.hasErrors) {
      return { definitions: [definition], problems: list.problems };
    }
  } else {
    list.error('The definition must be an object with "command" or "url".', [name]);
  }
  return { definitions: [], problems: list.problems };
}

class ServerReader {
  readonly #origin: DefinitionOrigin;
  readonly #name: string;
  readonly #value: Readonly<Record<string, unknown>>;
  readonly #problems: ProblemList;

  constructor(
    origin: DefinitionOrigin,
    name: string,
    value: Readonly<Record<string, unknown>>,
    problems: ProblemList,
  ) {
    this.#origin = origin;
    this.#name = name;
    this.#value = value;
    this.#problems = problems;
  }

  /** The definition. It is valid only if there are no errors: required fields may be missing. */
  read(inputs: ReadonlyMap<string, InputDeclaration>): ServerDefinition | undefined {
    const type = this.#type();
    if (!type) {
      return undefined;
    }
    this.#checkNames(type === 'stdio' ? type : 'http');
    const base = {
      id: serverId(this.#origin, this.#name),
      name: this.#name,
      origin: this.#origin,
      inputs: [],
      ...readFields(otherFields.all, this.#value, this.#error),
    };
    const definition: ServerDefinition =
      type === 'stdio'
        ? { ...base, type, ...readFields(launchFields.stdio, this.#value, this.#error) }
        : {
            ...base,
            type,
            ...readFields({ ...launchFields.http, ...otherFields.http }, this.#value, this.#error),
          };
    const used = this.#checkVariables(definition, inputs);
    return { ...definition, inputs: [...inputs.values()].filter(({ id }) => used.has(id)) };
  }

  #type(): ServerDefinition['type'] | undefined {
    const type = ownValue(this.#value, 'type') ?? (this.#has('url') ? 'http' : 'stdio');
    if (type === 'stdio' || type === 'http' || type === 'sse') {
      return type;
    }
    // The protocol's own name of the transport, which other tools accept.
    if (type === 'streamable-http' && this.#origin.format === 'mcpJson') {
      return 'http';
    }
    return this.#error('"type" must be "stdio", "http" or "sse".', ['type']);
  }

  /** Reports unknown fields, and required ones that are missing and not only misspelt. */
  #checkNames(kind: ServerKind): void {
    const fields = fieldsOf(kind);
    const others = fieldsOf(kind === 'stdio' ? 'http' : 'stdio');
    const missing = Object.entries(fields).filter(([field]) => !this.#has(field));
    const misspelt = new Set<string>();
    for (const field of Object.keys(this.#value).filter((one) => !Object.hasOwn(fields, one))) {
      const what = `"${field}" is not a field of ${kind === 'stdio' ? 'a stdio' : 'an HTTP'} server`;
      const meant = Object.hasOwn(others, field) ? undefined : meantField(field, missing);
      if (meant === undefined) {
        this.#problems.warning(`${what}.`, [this.#name, field], { kind: 'remove' });
        continue;
      }
      misspelt.add(meant);
      const severity = fields[meant]?.required === undefined ? 'warning' : 'error';
      this.#problems[severity](`${what}: did you mean "${meant}"?`, [this.#name, field], {
        kind: 'rename',
        to: meant,
      });
    }
    reportMissing(fields, this.#value, this.#error, misspelt);
  }

  /** Reports unknown variables and inputs that are not declared; gives the ids of the inputs that are used. */
  #checkVariables(
    definition: ServerDefinition,
    inputs: ReadonlyMap<string, InputDeclaration>,
  ): ReadonlySet<string> {
    const used = new Set<string>();
    for (const { path, text } of expandableTexts(definition)) {
      for (const variable of this.#knownVariables({ path, text })) {
        if (variable.kind !== 'input') {
          continue;
        }
        used.add(variable.id);
        if (!inputs.has(variable.id)) {
          const where = this.#origin.format === 'settings' ? '"mcpHost.inputs"' : '"inputs"';
          this.#error(`The input "${variable.id}" is not declared in the ${where} of this file.`, path, {
            kind: 'declareInput',
            id: variable.id,
          });
        }
      }
    }
    const { roots = [] } = definition;
    for (const [index, text] of (typeof roots === 'string' ? [] : roots).entries()) {
      const path = ['roots', index];
      if (this.#knownVariables({ path, text }).some(({ kind }) => kind === 'input')) {
        this.#error('"roots" cannot contain an input: write a path.', path);
      }
    }
    return used;
  }

  #knownVariables({ path, text }: PlacedText) {
    return variablesIn(text, this.#origin.format).filter((variable) => {
      if (variable.kind === 'unknown') {
        this.#error(`\${${variable.text}} is not a variable: ${variable.advice}`, path);
        return false;
      }
      return true;
    });
  }

  #has(field: string): boolean {
    return Object.hasOwn(this.#value, field);
  }

  readonly #error: Complain = (message, path = [], fix) =>
    this.#problems.error(message, [this.#name, ...path], fix);
}

function meantField(written: string, fields: readonly (readonly [string, Field])[]): string | undefined {
  const isAlias = (alias: string): boolean => alias.toLowerCase() === written.toLowerCase();
  const [found] = fields.find(([, { aliases = [] }]) => aliases.some(isAlias)) ?? [];
  return (
    found ??
    nearestName(
      written,
      fields.map(([name]) => name),
    )
  );
}
