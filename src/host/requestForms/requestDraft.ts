import type { Tool } from '@modelcontextprotocol/client';
import type { UnknownRecord } from '../../base/values/record.ts';
import { visibleParts } from '../../base/text/visibleText.ts';
import type { Logger } from '../../base/logging/logger.ts';
import { initiallyEntered, readField } from '../../form/fieldKinds.ts';
import type { Entered, FormField, ObjectField } from '../../form/formField.ts';
import {
  enteredByName,
  hasSecret,
  keptFields,
  withKeptFields,
  type KeptFields,
} from '../../form/keptFields.ts';
import type { FieldProblem } from '../../form/fieldKind.ts';
import { checkForm } from '../forms/checkForm.ts';
import { formOf } from '../forms/formOf.ts';
import { commentedSkeleton } from '../forms/skeleton.ts';
import { printJson } from '../json/readableText.ts';
import { argumentProblems, prepareLenient } from '../schemas/checkArguments.ts';
import type { ServerSchemas } from '../schemas/schemaCheck.ts';
import { argumentsText, enteredArguments } from './argumentsText.ts';
import type { EditView, TextProblemView } from './requestFormProtocol.ts';
import { secretArguments, sentArguments, type SentArguments } from './sentArguments.ts';
import { readWritten, textProblem } from './writtenArguments.ts';

/** What a draft begins with: fields that were entered before, or the arguments of a call. */
export interface DraftStart {
  readonly fields?: KeptFields | undefined;
  readonly args?: UnknownRecord | undefined;
  /** What was written as JSON. */
  readonly json?: string | undefined;
  /** They are those of the last call, and shown as such. */
  readonly isProposed?: boolean;
}

/** Arguments as they may be sent, or the problems of what is entered. */
export type ReadDraft =
  | ({ readonly kind: 'args' } & SentArguments)
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
    this.#secretNames = secretArguments(tool.inputSchema);
    const form = formOf(tool.inputSchema);
    this.form = form.kind === 'object' ? form : { ...form, isSecret: this.#secretNames.size > 0 };
    this.#entered = fields ? withKeptFields(this.form, fields) : initiallyEntered(this.form);
    this.#isProposed = isProposed && (args !== undefined || Object.keys(fields ?? {}).length > 0);
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
    const read = readWritten(json);
    if (read.kind === 'textProblems') {
      return read.problems;
    }
    const back = enteredArguments(form, read.args, this.#entered);
    if ('unfit' in back) {
      return back.unfit.map((argument) => {
        const message = `The form can't show '${argument}'. You can still run the tool from here.`;
        return read.placed({ argument, path: [], message });
      });
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
    const schema = await prepareLenient(this.#schemas, this.#tool, this.#logger);
    const checked = await checkForm(this.form, entered, schema);
    return checked.kind === 'content' ? this.#argsOf(checked.content) : checked;
  }

  async #readText(json: string): Promise<ReadDraft> {
    const read = readWritten(json);
    if (read.kind === 'textProblems') {
      return read;
    }
    const hidden = this.#readHidden(read.args);
    if (typeof hidden === 'string') {
      return { kind: 'textProblems', problems: [textProblem(json, hidden)] };
    }
    const schema = await prepareLenient(this.#schemas, this.#tool, this.#logger);
    const args = { ...hidden, ...read.args };
    const problems = await argumentProblems(schema, this.#tool.inputSchema, args);
    return problems.length > 0
      ? { kind: 'textProblems', problems: problems.map(read.placed) }
      : this.#argsOf(args);
  }

  #argsOf(args: UnknownRecord): ReadDraft {
    return { kind: 'args', ...sentArguments(args, this.#secretNames) };
  }

  get #object(): ObjectField | undefined {
    return this.form.kind === 'object' ? this.form : undefined;
  }

  get #skeleton(): string {
    return commentedSkeleton(this.#tool.inputSchema);
  }

  /** Fields that are only in the form. */
  get #hidden(): readonly FormField[] {
    return this.#object?.fields.filter(hasSecret) ?? [];
  }

  /** The values of what is only in the form, or what is wrong with one that isn't written either. */
  #readHidden(written: UnknownRecord): UnknownRecord | string {
    const within = typeof this.#entered === 'string' ? [] : this.#entered;
    const values: [string, unknown][] = [];
    for (const [index, field] of (this.#object?.fields ?? []).entries()) {
      const read = hasSecret(field) ? readField(field, within[index] ?? '') : undefined;
      if (read?.kind === 'value') {
        values.push([field.name, read.value]);
      } else if (read?.kind === 'problems' && !Object.hasOwn(written, field.name)) {
        return `'${field.label}' is entered in the form: ${read.problems[0]?.message ?? ''}`;
      }
    }
    return Object.fromEntries(values);
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
    const read = this.#json === undefined ? undefined : readWritten(this.#json);
    const back = read?.kind === 'args' && enteredArguments(this.#object, read.args, this.#entered);
    return select(this.form, back && 'entered' in back ? back.entered : this.#entered);
  }
}
