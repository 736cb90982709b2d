import type { Tool } from '@modelcontextprotocol/client';
import type { UnknownRecord } from '../../base/values/record.ts';
import { visibleParts } from '../../base/text/visibleText.ts';
import type { Logger } from '../../base/logging/logger.ts';
import { initiallyEntered } from '../../form/enteredValue.ts';
import type { Entered, FormField, ObjectField } from '../../form/formField.ts';
import {
  enteredByName,
  hasSecret,
  keptFields,
  withKeptFields,
  type KeptFields,
} from '../../form/keptFields.ts';
import { readField, type FieldProblem } from '../../form/readField.ts';
import { messageOf } from '../errors/hostError.ts';
import { checkForm } from '../forms/checkForm.ts';
import { formOf } from '../forms/formOf.ts';
import { printJson } from '../json/readableText.ts';
import { argumentSteps, wholeStep } from '../schemas/argumentSteps.ts';
import { prepareCheck } from '../schemas/checkArguments.ts';
import { commentedSkeleton } from '../schemas/commentedSkeleton.ts';
import { placedProblems, problemsInJson, type TextProblem } from '../schemas/jsonProblems.ts';
import type { PreparedSchema, ServerSchemas } from '../schemas/schemaCheck.ts';
import { argumentsText, enteredArguments, problemView, readWhole } from './argumentsText.ts';
import type { EditView, TextProblemView } from './requestFormProtocol.ts';

/** What a draft begins with: fields that were entered before, or the arguments of a call. */
export interface DraftStart {
  readonly fields?: KeptFields | undefined;
  readonly args?: UnknownRecord | undefined;
  /** What was written as JSON. */
  readonly json?: string | undefined;
  /** They are those of the last call, and said to be. */
  readonly isProposed?: boolean;
}

/** Arguments as they may be sent, or the problems of what is entered. */
export type ReadDraft =
  | {
      readonly kind: 'args';
      readonly args: UnknownRecord;
      /** Arguments whose values are never stored, and the texts in them. */
      readonly secrets: ReadonlySet<string>;
      readonly secretTexts: readonly string[];
    }
  | { readonly kind: 'problems'; readonly problems: readonly FieldProblem[] }
  | { readonly kind: 'textProblems'; readonly problems: readonly TextProblemView[] };

/** What takes arguments: a tool, or a prompt or a template as if it were one. */
export type TakesArguments = Pick<Tool, 'name' | 'inputSchema'>;

/** What a draft is of, and how it is checked. */
interface DraftOf {
  readonly takes: TakesArguments;
  readonly logger: Logger;
  readonly schemas: ServerSchemas;
}

/** The arguments of one request while you enter them, in fields or as JSON. */
export class RequestDraft {
  readonly form: FormField;
  readonly #tool: TakesArguments;
  readonly #logger: Logger;
  readonly #schemas: ServerSchemas;
  readonly #secretNames: ReadonlySet<string>;
  #entered: Entered;
  /** What is written; undefined while the form is shown. */
  #json: string | undefined;
  #isProposed: boolean;

  constructor(
    { takes: tool, logger, schemas }: DraftOf,
    { fields, args, json, isProposed = false }: DraftStart,
  ) {
    this.#tool = tool;
    this.#schemas = schemas;
    this.#logger = logger;
    this.form = formOf(tool.inputSchema);
    this.#entered = fields ? withKeptFields(this.form, fields) : initiallyEntered(this.form);
    this.#isProposed = isProposed && (args !== undefined || Object.keys(fields ?? {}).length > 0);
    const fromForm = this.#object?.fields.filter(hasSecret).map(({ name }) => name) ?? [];
    const fromSteps = argumentSteps(tool.inputSchema).flatMap((step) =>
      step.kind === 'text' && step.isSecret && step.argument !== undefined ? [step.argument] : [],
    );
    this.#secretNames = new Set([...fromForm, ...fromSteps]);
    if (!this.#object) {
      const written = typeof this.#entered === 'string' ? this.#entered : '';
      this.#json = json ?? (args ? printJson(args) : written || this.#skeleton);
    } else if (json !== undefined) {
      this.#json = json;
    } else if (args) {
      this.#enterArguments(this.#object, args);
    }
  }

  /** True if it takes no arguments. */
  get isEmpty(): boolean {
    return this.#object?.fields.length === 0;
  }

  /** Whether it is edited as JSON. */
  get isJson(): boolean {
    return this.#json !== undefined;
  }

  /** What is entered in the fields of texts, by their names and in their order, without secrets and without empty ones. */
  get texts(): ReadonlyMap<string, string> {
    const within = typeof this.#entered === 'string' ? [] : this.#entered;
    const texts = (this.#object?.fields ?? []).map((field, index) => {
      const text = field.kind === 'text' && !hasSecret(field) ? within[index] : undefined;
      return [field.name, typeof text === 'string' ? text : ''] as const;
    });
    return new Map(texts.filter(([, text]) => text !== ''));
  }

  /** Whether a server may suggest values for a field: one for a text that is no secret. */
  isSuggested(name: string): boolean {
    return (
      this.#object?.fields.some((one) => one.name === name && one.kind === 'text' && !one.isSecret) === true
    );
  }

  /** The `texts` of the fields above that of a name. */
  textsBefore(name: string): Readonly<Record<string, string>> {
    const fields = this.#object?.fields ?? [];
    const above = new Set(
      fields
        .slice(
          0,
          fields.findIndex((one) => one.name === name),
        )
        .map((one) => one.name),
    );
    return Object.fromEntries([...this.texts].filter(([one]) => above.has(one)));
  }

  /** What is entered, by the names of fields, to be used in memory only. */
  get everything(): DraftStart {
    return { fields: this.#fields(enteredByName), json: this.#object && this.#json };
  }

  /** What may be stored: nothing that may be a secret. */
  get kept(): { readonly fields: KeptFields; readonly json?: string } {
    const json = this.#object && this.#secretNames.size === 0 ? this.#json : undefined;
    return { fields: this.#fields(keptFields), ...(json !== undefined && { json }) };
  }

  view(has: Pick<Extract<EditView, { kind: 'form' }>, 'hasJson' | 'hasSuggestions'>): EditView {
    if (this.#json === undefined) {
      return {
        kind: 'form',
        form: this.form,
        entered: this.#entered,
        isProposed: this.#isProposed,
        ...has,
      };
    }
    return {
      kind: 'json',
      text: this.#json,
      isWhole: !this.#object,
      hidden: this.#hidden.map(({ label }) => visibleParts(label)),
    };
  }

  enter({ entered, json }: { readonly entered?: Entered; readonly json?: string }): void {
    if (json !== undefined && this.#json !== undefined) {
      this.#json = json;
    } else if (entered !== undefined && this.#json === undefined) {
      this.#entered = entered;
    }
  }

  /** Goes back to what the schema proposes. */
  reset(): void {
    this.#entered = initiallyEntered(this.form);
    this.#isProposed = false;
    this.#json = this.#object ? undefined : this.#skeleton;
  }

  /** From the form to JSON, or back; gives the problems that prevent going back. */
  switch(): readonly TextProblemView[] {
    const form = this.#object;
    if (!form) {
      return [];
    }
    if (this.#json === undefined) {
      this.#json = argumentsText(form, this.#entered);
      return [];
    }
    const json = this.#json;
    const read = readWhole(json);
    if (read.kind === 'problems') {
      return read.problems.map((problem) => problemView(json, problem));
    }
    const back = enteredArguments(form, read.args, this.#entered);
    if ('unfit' in back) {
      const problems = back.unfit.map((argument) => ({
        argument,
        path: [],
        message: `The form can't show '${argument}'. You can still run the tool from here.`,
      }));
      return placedProblems(wholeStep({}), json, problems).map((problem) => problemView(json, problem));
    }
    this.#entered = back.entered;
    this.#json = undefined;
    return [];
  }

  /** Reads and checks what is entered. A schema that can't be used prevents no call: the server checks as well. */
  async read(): Promise<ReadDraft> {
    return this.#json === undefined ? this.#readForm() : this.#readText(this.#json);
  }

  async #readForm(): Promise<ReadDraft> {
    const entered = this.#entered;
    const prepared = await this.#schemas.prepare(this.#tool.inputSchema);
    const checked = await checkForm(this.form, entered, this.#lenient(prepared));
    return checked.kind === 'content' ? this.#argsOf(checked.content) : checked;
  }

  async #readText(json: string): Promise<ReadDraft> {
    const { inputSchema, name } = this.#tool;
    const check = await prepareCheck(this.#schemas, inputSchema, name, this.#logger);
    const hidden = this.#readHidden();
    const problems: readonly TextProblem[] =
      typeof hidden === 'string'
        ? [{ offset: 0, length: 0, message: hidden }]
        : await problemsInJson(wholeStep({}), json, (args) => check({ ...hidden, ...args }));
    const read = readWhole(json);
    if (problems.length > 0 || read.kind === 'problems' || typeof hidden === 'string') {
      const all = problems.length === 0 && read.kind === 'problems' ? read.problems : problems;
      return { kind: 'textProblems', problems: all.map((problem) => problemView(json, problem)) };
    }
    return this.#argsOf({ ...hidden, ...read.args });
  }

  #argsOf(args: UnknownRecord): ReadDraft {
    const secrets = this.#secretNames;
    const secretTexts = [...secrets].flatMap((name) =>
      Object.hasOwn(args, name) ? textsIn(args[name]) : [],
    );
    return { kind: 'args', args, secrets, secretTexts };
  }

  #lenient(prepared: PreparedSchema): PreparedSchema {
    const giveUp = (reason: string): void =>
      this.#logger.log('warn', `The arguments of '${this.#tool.name}' are not checked: ${reason}`);
    if (prepared.kind === 'unusable') {
      giveUp(prepared.reason);
    }
    return {
      kind: 'ready',
      check: async (value) => {
        try {
          return prepared.kind === 'ready' ? await prepared.check(value) : undefined;
        } catch (error) {
          giveUp(messageOf(error));
          return undefined;
        }
      },
    };
  }

  get #object(): ObjectField | undefined {
    return this.form.kind === 'object' ? this.form : undefined;
  }

  get #skeleton(): string {
    return commentedSkeleton(wholeStep(this.#tool.inputSchema), this.#tool.inputSchema);
  }

  /** Fields that are only in the form. */
  get #hidden(): readonly FormField[] {
    return this.#object?.fields.filter(hasSecret) ?? [];
  }

  /** The values of what is only in the form, or what is wrong with one. */
  #readHidden(): UnknownRecord | string {
    const within = typeof this.#entered === 'string' ? [] : this.#entered;
    const values: [string, unknown][] = [];
    for (const [index, field] of (this.#object?.fields ?? []).entries()) {
      const read = hasSecret(field) ? readField(field, within[index] ?? '') : undefined;
      if (read?.kind === 'value') {
        values.push([field.name, read.value]);
      } else if (read?.kind === 'problems' && !this.#isWritten(field.name)) {
        return `'${field.label}' is entered in the form: ${read.problems[0]?.message ?? ''}`;
      }
    }
    return Object.fromEntries(values);
  }

  #isWritten(name: string): boolean {
    const read = readWhole(this.#json ?? '');
    return read.kind === 'args' && Object.hasOwn(read.args, name);
  }

  #enterArguments(form: ObjectField, args: UnknownRecord): void {
    const kept = Object.fromEntries(Object.entries(args).filter(([name]) => !this.#secretNames.has(name)));
    const read = enteredArguments(form, kept, this.#entered);
    if ('entered' in read) {
      this.#entered = read.entered;
    } else {
      this.#json = printJson(kept);
    }
  }

  #fields(select: typeof keptFields): KeptFields {
    if (!this.#object) {
      return select(this.form, this.#json ?? '');
    }
    const read = this.#json === undefined ? undefined : readWhole(this.#json);
    const back = read?.kind === 'args' && enteredArguments(this.#object, read.args, this.#entered);
    return select(this.form, back && 'entered' in back ? back.entered : this.#entered);
  }
}

function textsIn(value: unknown): readonly string[] {
  if (typeof value === 'object' && value !== null) {
    return Object.values(value).flatMap(textsIn);
  }
  return typeof value === 'string' || typeof value === 'number' ? [String(value)] : [];
}
