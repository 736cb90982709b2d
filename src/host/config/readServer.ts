import { isRecord } from '../../base/values/record.ts';
import { withoutBraces } from './braces.ts';
import { definitionFault } from './definitionFault.ts';
import { translated, type Translation } from './dialects.ts';
import { fieldsOf, launchFields, otherFields } from './fields.ts';
import { ownValue, readFields, reportMissing, type Complain, type Field, type Fields } from './fieldTypes.ts';
import { nearestName } from './nearestName.ts';
import { ProblemList } from './problemList.ts';
import {
  serverId,
  type DefinitionOrigin,
  type DefinitionReading,
  type HttpServerDefinition,
  type InputDeclaration,
  type ServerDefinition,
} from './serverDefinition.ts';
import {
  isInputReference,
  isSecretSignInField,
  secretSignInFields,
  signInFields,
  usersSignInFields,
  withoutUsersFields,
  workspaceRedirectProblem,
} from './signInFields.ts';
import { isTransport, transports } from './transports.ts';
import { expandableTexts, variablesIn, type PlacedText } from './variables.ts';

/** Reads one definition of a layer that declares these inputs. */
export function readServer(
  origin: DefinitionOrigin,
  name: string,
  value: unknown,
  inputs: ReadonlyMap<string, InputDeclaration>,
): DefinitionReading {
  const fault = definitionFault(value, name);
  const list = new ProblemList(origin, 'servers', fault?.path.length === 0 ? undefined : name);
  if (fault) {
    list.error(fault.message, [name, ...fault.path]);
  } else if (name.trim() === '') {
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
  readonly #places: Translation['places'];
  readonly #asksForSandbox: boolean;
  readonly #problems: ProblemList;

  constructor(
    origin: DefinitionOrigin,
    name: string,
    value: Readonly<Record<string, unknown>>,
    problems: ProblemList,
  ) {
    this.#origin = origin;
    this.#name = name;
    this.#problems = problems;
    const read = origin.format === 'mcpJson' ? translated(value) : undefined;
    this.#value = read?.value ?? value;
    this.#places = read?.places ?? new Map();
    this.#asksForSandbox = read?.asksForSandbox ?? false;
    for (const { path, message } of read?.notes ?? []) {
      this.#problems.note(message, [name, ...path]);
    }
  }

  /** The definition. It is valid only if there are no errors: required fields may be missing. */
  read(inputs: ReadonlyMap<string, InputDeclaration>): ServerDefinition | undefined {
    const type = this.#type();
    if (!type) {
      return undefined;
    }
    this.#checkNames(type);
    const base = {
      id: serverId(this.#origin, this.#name),
      name: this.#name,
      origin: this.#origin,
      inputs: [],
      ...readFields(otherFields.all, this.#value, this.#error),
    };
    const definition: ServerDefinition =
      type === 'stdio'
        ? {
            ...base,
            type,
            ...readFields(launchFields.stdio, this.#value, this.#error),
            ...(this.#asksForSandbox && { asksForSandbox: true }),
          }
        : this.#ofThisScope({
            ...base,
            type,
            ...readFields({ ...launchFields.http, ...otherFields.http }, this.#httpValue(), this.#error),
          });
    const used = this.#checkVariables(definition, inputs);
    return { ...definition, inputs: [...inputs.values()].filter(({ id }) => used.has(id)) };
  }

  #type(): ServerDefinition['type'] | undefined {
    const type = ownValue(this.#value, 'type') ?? (this.#has('url') ? 'http' : 'stdio');
    if (isTransport(type)) {
      return type;
    }
    return this.#error('"type" must be "stdio", "http" or "sse".', ['type']);
  }

  /** Reports unknown fields, and required ones that are missing and not only misspelt. */
  #checkNames(type: ServerDefinition['type']): void {
    const { kind, server: whose } = transports[type];
    const fields = fieldsOf(kind);
    const others = { ...fieldsOf('stdio'), ...fieldsOf('http') };
    const misspelt = this.#checkFields(this.#value, { fields, others, whose, path: [] });
    reportMissing(fields, this.#value, this.#error, misspelt);
    const oauth = ownValue(this.#value, 'oauth');
    if (kind === 'http' && isRecord(oauth)) {
      this.#checkFields(oauth, { fields: signInFields, others: {}, whose: '"oauth"', path: ['oauth'] });
    }
  }

  /** Reports unknown fields of an object; gives the known ones that they seem to mean. */
  #checkFields(
    held: Readonly<Record<string, unknown>>,
    { fields, others, whose, path }: FieldsToCheck,
  ): ReadonlySet<string> {
    const missing = Object.entries(fields).filter(([field]) => !Object.hasOwn(held, field));
    const misspelt = new Set<string>();
    for (const field of Object.keys(held).filter((one) => !Object.hasOwn(fields, one))) {
      const where = this.#placeOf([...path, field]);
      const what = `"${where.at(-1) ?? field}" is not a field of ${whose}`;
      const meant = Object.hasOwn(others, field) ? undefined : meantField(field, missing);
      if (meant === undefined) {
        this.#problems.warning(`${what}.`, where, { kind: 'remove' });
        continue;
      }
      misspelt.add(meant);
      const severity = fields[meant]?.required === undefined ? 'warning' : 'error';
      this.#problems[severity](`${what}: did you mean "${meant}"?`, where, { kind: 'rename', to: meant });
    }
    return misspelt;
  }

  /** Without secrets that another program reads beside `oauth`: here they are inputs, and a secret that is missing is asked for. */
  #httpValue(): Readonly<Record<string, unknown>> {
    const oauth = ownValue(this.#value, 'oauth');
    const found = secretSignInFields.filter((field) => {
      const held = isRecord(oauth) ? ownValue(oauth, field) : undefined;
      return this.#places.has(`oauth.${field}`) && !(typeof held === 'string' && isInputReference(held));
    });
    for (const field of found) {
      const where = this.#placeOf(['oauth', field]);
      this.#problems.note(
        `"${where.slice(1).join('.')}" has no effect here: refer to an input, such as "\${input:secret}".`,
        where,
      );
    }
    const kept = Object.entries(isRecord(oauth) ? oauth : {}).filter(
      ([field]) => !found.some((one) => one === field),
    );
    return found.length === 0 ? this.#value : { ...this.#value, oauth: Object.fromEntries(kept) };
  }

  /** Without what a file of a workspace cannot set: it can propose and narrow, and loosen nothing. */
  #ofThisScope(definition: HttpServerDefinition): HttpServerDefinition {
    const { oauth, ...rest } = definition;
    if (!oauth || this.#origin.scope === 'user') {
      return definition;
    }
    for (const field of usersSignInFields.filter((one) => Object.hasOwn(oauth, one))) {
      this.#problems.warning(
        `"oauth.${field}" has no effect here: to use it, define the server in your user settings.`,
        this.#placeOf(['oauth', field]),
        { kind: 'remove' },
      );
    }
    const problem = workspaceRedirectProblem(oauth);
    if (problem !== undefined) {
      this.#error(problem, ['oauth', 'redirectUri']);
    }
    return { ...rest, oauth: withoutUsersFields(oauth) };
  }

  /** Reports unknown variables and inputs that are not declared; gives the ids of the inputs that are used. */
  #checkVariables(
    definition: ServerDefinition,
    inputs: ReadonlyMap<string, InputDeclaration>,
  ): ReadonlySet<string> {
    const used = new Set<string>();
    for (const { path, text } of expandableTexts(definition)) {
      this.#notePlain({ path, text });
      for (const variable of this.#knownVariables({ path, text })) {
        if (variable.kind !== 'input') {
          continue;
        }
        used.add(variable.id);
        const declared = inputs.get(variable.id);
        if (declared && isSecretPath(path) && !(declared.type === 'promptString' && declared.password)) {
          this.#problems.warning(
            `The input "${variable.id}" is for a secret: add "password": true to its declaration.`,
            this.#placeOf(path),
          );
        }
        if (!declared) {
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

  /** Copilot CLI has variables without braces, too. The text may be a secret: no part of it is in the message. */
  #notePlain({ path, text }: PlacedText): void {
    if (this.#origin.format === 'mcpJson' && /\$[A-Za-z_]/.test(withoutBraces(text))) {
      const message =
        'A name after "$" is plain text here, and in Copilot CLI an environment variable: for that write ${NAME}.';
      this.#problems.note(message, this.#placeOf(path));
    }
  }

  #has(field: string): boolean {
    return Object.hasOwn(this.#value, field);
  }

  /** Where a field of the definition is in the file. */
  #placeOf(path: readonly (string | number)[]): readonly (string | number)[] {
    const [first = '', second = '', ...rest] = path;
    const inner = this.#places.get(`${first}.${second}`);
    const outer = this.#places.get(String(first));
    return [this.#name, ...(inner ? [...inner, ...rest] : outer ? [...outer, ...path.slice(1)] : path)];
  }

  readonly #error: Complain = (message, path = [], fix) =>
    this.#problems.error(message, this.#placeOf(path), fix);
}

interface FieldsToCheck {
  readonly fields: Fields;
  /** Those of any kind of server, which mean nothing else here. */
  readonly others: Fields;
  readonly whose: string;
  readonly path: readonly string[];
}

function isSecretPath([first, field]: PlacedText['path']): boolean {
  return first === 'oauth' && isSecretSignInField(String(field));
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
