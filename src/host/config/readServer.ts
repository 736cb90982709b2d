import { isRecord } from '../../base/record.ts';
import { nearestName } from './nearestName.ts';
import { ProblemList, type ProblemPlace } from './problemList.ts';
import {
  samplingPolicies,
  serverId,
  type DefinitionOrigin,
  type DefinitionReading,
  type InputDeclaration,
  type RootsProposal,
  type SamplingProposal,
  type ServerDefinition,
  type ToolsProposal,
} from './serverDefinition.ts';
import { expandableTexts, variablesIn, type PlacedText } from './variables.ts';

/** The fields that a definition may have, by what it starts. */
export const serverFields = {
  common: ['type', 'disabled', 'autoStart', 'timeout', 'roots', 'tools', 'sampling'],
  stdio: ['command', 'args', 'env', 'envFile', 'cwd'],
  http: ['url', 'headers', 'oauth'],
} as const;

/** Reads one definition of a layer that declares these inputs. */
export function readServer(
  origin: DefinitionOrigin,
  name: string,
  value: unknown,
  inputs: ReadonlyMap<string, InputDeclaration>,
): DefinitionReading {
  const list = new ProblemList(origin, 'servers', name);
  if (name.trim() === '') {
    list.error('A server needs a name.', { path: [name] });
  } else if (isRecord(value)) {
    const definition = new ServerReader(origin, name, value, inputs, list).read();
    if (definition && !list.hasErrors) {
      return { definitions: [definition], problems: list.problems };
    }
  } else {
    list.error('The definition must be an object with "command" or "url".', { path: [name] });
  }
  return { definitions: [], problems: list.problems };
}

class ServerReader {
  readonly #origin: DefinitionOrigin;
  readonly #name: string;
  readonly #value: Readonly<Record<string, unknown>>;
  readonly #inputs: ReadonlyMap<string, InputDeclaration>;
  readonly #problems: ProblemList;

  constructor(
    origin: DefinitionOrigin,
    name: string,
    value: Readonly<Record<string, unknown>>,
    inputs: ReadonlyMap<string, InputDeclaration>,
    problems: ProblemList,
  ) {
    this.#origin = origin;
    this.#name = name;
    this.#value = value;
    this.#inputs = inputs;
    this.#problems = problems;
  }

  read(): ServerDefinition | undefined {
    const type = this.#type();
    if (!type) {
      return undefined;
    }
    const misspelt = this.#checkFields(type);
    const definition = type === 'stdio' ? this.#stdio(misspelt) : this.#http(type, misspelt);
    if (!definition) {
      return undefined;
    }
    const used = this.#checkVariables(definition);
    return { ...definition, inputs: [...this.#inputs.values()].filter(({ id }) => used.has(id)) };
  }

  #type(): ServerDefinition['type'] | undefined {
    const type = this.#get('type') ?? (this.#has('url') ? 'http' : 'stdio');
    if (type === 'stdio' || type === 'http' || type === 'sse') {
      return type;
    }
    // The specification's own name of the transport, which other tools accept.
    if (type === 'streamable-http' && this.#origin.format === 'mcpJson') {
      return 'http';
    }
    return this.#error('"type" must be "stdio", "http" or "sse".', ['type']);
  }

  #stdio(misspelt: ReadonlySet<string>): ServerDefinition | undefined {
    const command = this.#string('command');
    if (!command && !misspelt.has('command')) {
      if (this.#has('command')) {
        return command === '' ? this.#error('"command" must not be empty.', ['command']) : undefined;
      }
      return this.#missing('command', '"command" is missing: write the program that starts the server.');
    }
    const cwd = this.#string('cwd');
    const envFile = this.#string('envFile');
    return {
      ...this.#base(),
      type: 'stdio',
      command: command ?? '',
      args: this.#strings('args', this.#get('args')) ?? [],
      env: this.#record('env'),
      ...(envFile && { envFile }),
      ...(cwd && { cwd }),
    };
  }

  #http(type: 'http' | 'sse', misspelt: ReadonlySet<string>): ServerDefinition | undefined {
    const url = this.#string('url');
    if (!url && !misspelt.has('url')) {
      const message = '"url" is missing: write the address of the server.';
      if (this.#has('url')) {
        return url === '' ? this.#error(message, ['url']) : undefined;
      }
      return this.#missing('url', message);
    }
    // With a variable in it, it is an address only once the server is about to start.
    if (url && !isHttpUrl(url) && variablesIn(url, this.#origin.format).length === 0) {
      return this.#error(`"url" must be an http: or https: address; "${url}" is not.`, ['url']);
    }
    const oauth = this.#get('oauth');
    return {
      ...this.#base(),
      type,
      url: url ?? '',
      headers: this.#record('headers'),
      ...(oauth !== undefined && { oauth }),
    };
  }

  #base() {
    const autoStart = this.#boolean('autoStart');
    const timeout = this.#timeout();
    const roots = this.#roots();
    const tools = this.#tools();
    const sampling = this.#sampling();
    return {
      id: serverId(this.#origin, this.#name),
      name: this.#name,
      origin: this.#origin,
      disabled: this.#boolean('disabled') ?? false,
      inputs: [],
      ...(roots !== undefined && { roots }),
      ...(tools !== undefined && { tools }),
      ...(sampling !== undefined && { sampling }),
      ...(autoStart !== undefined && { autoStart }),
      ...(timeout !== undefined && { timeout }),
    };
  }

  /** Reports fields that there are not; gives those that were probably meant, and are not there. */
  #checkFields(type: ServerDefinition['type']): ReadonlySet<string> {
    const known: readonly string[] = [
      ...serverFields.common,
      ...(type === 'stdio' ? serverFields.stdio : serverFields.http),
    ];
    const free = known.filter((field) => !this.#has(field));
    const misspelt = new Set<string>();
    for (const field of Object.keys(this.#value).filter((one) => !known.includes(one))) {
      const what = `"${field}" is not a field of ${type === 'stdio' ? 'a stdio' : 'an HTTP'} server`;
      const isOfOtherType = [...serverFields.stdio, ...serverFields.http].some((one) => one === field);
      const meant = isOfOtherType ? undefined : nearestName(field, free);
      if (meant === undefined) {
        this.#problems.warning(`${what}.`, this.#place([field], this.#removal()));
        continue;
      }
      const place = this.#place([field], { fix: { kind: 'rename', to: meant } });
      const message = `${what}: did you mean "${meant}"?`;
      misspelt.add(meant);
      if (meant === 'command' || meant === 'url') {
        this.#problems.error(message, place);
      } else {
        this.#problems.warning(message, place);
      }
    }
    return misspelt;
  }

  /** What stands in a `.mcp.json` may be another tool's, which still needs it. */
  #removal(): ProblemPlace {
    return this.#origin.format === 'settings' ? { fix: { kind: 'remove' } } : {};
  }

  /** Reports variables and inputs that there are not; gives the ids of the inputs that are referred to. */
  #checkVariables(definition: ServerDefinition): ReadonlySet<string> {
    const used = new Set<string>();
    for (const { path, text } of expandableTexts(definition)) {
      for (const variable of this.#knownVariables({ path, text })) {
        if (variable.kind !== 'input') {
          continue;
        }
        used.add(variable.id);
        if (!this.#inputs.has(variable.id)) {
          const where = this.#origin.format === 'settings' ? '"mcpHost.inputs"' : '"inputs"';
          this.#error(`The input "${variable.id}" is not declared in the ${where} of this file.`, path, {
            fix: { kind: 'declareInput', id: variable.id },
          });
        }
      }
    }
    const { roots = [] } = definition;
    for (const [index, text] of (typeof roots === 'string' ? [] : roots).entries()) {
      const path = ['roots', index];
      if (this.#knownVariables({ path, text }).some(({ kind }) => kind === 'input')) {
        this.#error('An input cannot stand in "roots": write a path.', path);
      }
    }
    return used;
  }

  #knownVariables({ path, text }: PlacedText) {
    return variablesIn(text, this.#origin.format).filter((variable) => {
      if (variable.kind === 'unknown') {
        this.#error(`\${${variable.text}} is no variable: ${variable.advice}`, path);
        return false;
      }
      return true;
    });
  }

  #boolean(field: string): boolean | undefined {
    const found = this.#get(field);
    if (found === undefined || typeof found === 'boolean') {
      return found;
    }
    return this.#error(`"${field}" must be true or false.`, [field]);
  }

  #string(field: string): string | undefined {
    const found = this.#get(field);
    if (found === undefined || typeof found === 'string') {
      return found;
    }
    return this.#error(`"${field}" must be a text.`, [field]);
  }

  #timeout(): number | undefined {
    const found = this.#get('timeout');
    if (found === undefined || (typeof found === 'number' && found > 0)) {
      return found;
    }
    return this.#error('"timeout" must be a number of milliseconds above 0.', ['timeout']);
  }

  #roots(): RootsProposal | undefined {
    const found = this.#get('roots');
    if (found === undefined || found === 'all' || found === 'none' || isTexts(found)) {
      return found;
    }
    return this.#error('"roots" must be "all", "none" or a list of paths.', ['roots']);
  }

  #tools(): ToolsProposal | undefined {
    const found = this.#get('tools');
    if (found === undefined) {
      return undefined;
    }
    if (!isRecord(found)) {
      return this.#error('"tools" must be an object with "include" or "exclude".', ['tools']);
    }
    const unknown = Object.keys(found).filter((field) => field !== 'include' && field !== 'exclude');
    for (const field of unknown) {
      const meant = nearestName(field, ['include', 'exclude']);
      // Without it, more tools would be offered than was meant.
      this.#error(
        `"tools.${field}" is not a field${meant === undefined ? '.' : `: did you mean "${meant}"?`}`,
        ['tools', field],
        meant === undefined ? this.#removal() : { fix: { kind: 'rename', to: meant } },
      );
    }
    const include = this.#strings('tools.include', own(found, 'include'), ['tools', 'include']);
    const exclude = this.#strings('tools.exclude', own(found, 'exclude'), ['tools', 'exclude']);
    return { ...(include && { include }), ...(exclude && { exclude }) };
  }

  #sampling(): SamplingProposal | undefined {
    const found = this.#get('sampling');
    const policy = samplingPolicies.find((one) => one === found);
    return found === undefined || policy !== undefined
      ? policy
      : this.#error('"sampling" must be "ask", "session", "allow" or "deny".', ['sampling']);
  }

  #strings(
    field: string,
    found: unknown,
    path: readonly (string | number)[] = [field],
  ): readonly string[] | undefined {
    if (found === undefined || isTexts(found)) {
      return found;
    }
    return this.#error(`"${field}" must be a list of texts.`, path);
  }

  #record(field: string): Record<string, string> {
    const found = this.#get(field);
    if (found !== undefined && !isRecord(found)) {
      this.#error(`"${field}" must be an object of texts.`, [field]);
    }
    const texts: [string, string][] = [];
    for (const [name, item] of Object.entries(isRecord(found) ? found : {})) {
      if (typeof item === 'string' || typeof item === 'number' || typeof item === 'boolean') {
        texts.push([name, String(item)]);
      } else {
        this.#error(`"${field}.${name}" must be a text.`, [field, name]);
      }
    }
    return Object.fromEntries(texts);
  }

  #has(field: string): boolean {
    return Object.hasOwn(this.#value, field);
  }

  #get(field: string): unknown {
    return own(this.#value, field);
  }

  #missing(field: string, message: string): undefined {
    return this.#error(message, [], { fix: { kind: 'insert', field, value: '' } });
  }

  #error(message: string, path: readonly (string | number)[], place: ProblemPlace = {}): undefined {
    return this.#problems.error(message, this.#place(path, place));
  }

  #place(path: readonly (string | number)[], place: ProblemPlace): ProblemPlace {
    return { path: [this.#name, ...path], ...place };
  }
}

function own(value: Readonly<Record<string, unknown>>, field: string): unknown {
  return Object.hasOwn(value, field) ? value[field] : undefined;
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}

function isHttpUrl(text: string): boolean {
  const url = URL.parse(text);
  return url?.protocol === 'http:' || url?.protocol === 'https:';
}
