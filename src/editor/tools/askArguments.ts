import * as vscode from 'vscode';
import type {
  ArgumentStep,
  BooleanStep,
  ChoiceStep,
  JsonStep,
  ListStep,
} from '../../host/schemas/argumentSteps.ts';
import type { ArgumentCheck } from '../../host/schemas/checkArguments.ts';
import { commentedSkeleton } from '../../host/schemas/commentedSkeleton.ts';
import { indentJson } from '../../host/json/indentJson.ts';
import { problemsInJson, type TextProblem } from '../../host/schemas/jsonProblems.ts';
import {
  expectation,
  readPicked,
  readTyped,
  typedText,
  type TypedValue,
} from '../../host/schemas/typedValue.ts';
import type { EditDocuments } from './editDocuments.ts';
import { inNotification, inQuickInput, oneLine } from '../messages/plainText.ts';
import { askList } from './askList.ts';
import { type Frame, askPick, askText, inputButton } from '../quickInput/quickInputs.ts';

/** Longer JSON opens in an editor at once. */
const MAX_BOX_CHARACTERS = 200;

const editButton = inputButton('edit', 'Edit in an Editor');
const runButton = inputButton('run-all', 'Run Now, Without This and the Following Arguments');

export interface ArgumentsRequest {
  readonly title: string;
  readonly tool: string;
  readonly steps: readonly ArgumentStep[];
  readonly check: ArgumentCheck;
  /** The tool's schema, to resolve references and describe each part. */
  readonly inputSchema: unknown;
  /** What was entered for this call so far. */
  readonly entered: Map<string | undefined, unknown>;
  /** What was entered for this tool before, without secrets; undefined for what was left out. */
  readonly remembered: Map<string | undefined, unknown>;
  readonly canGoBack: boolean;
  /** Where to begin, and what to fix there. */
  readonly from: number;
  readonly problem: string | undefined;
}

export type ArgumentsAnswer = 'done' | 'back' | 'cancelled';

type StepAnswer = TypedValue | { readonly kind: 'back' | 'cancelled' | 'run' };

/** Asks for a tool's arguments step by step, into `entered`. You can go back and forth. */
export async function askArguments(
  request: ArgumentsRequest,
  editDocuments: EditDocuments,
): Promise<ArgumentsAnswer> {
  const { steps, entered, remembered } = request;
  let { problem } = request;
  for (let index = request.from; ;) {
    const step = steps[index];
    if (!step) {
      return 'done';
    }
    const canRun = step.argument !== undefined && steps.slice(index).every(isOptional);
    const frame: Frame = {
      title: request.title,
      step: index + 1,
      totalSteps: steps.length,
      canGoBack: index > 0 || request.canGoBack,
      buttons: canRun ? [runButton] : [],
      problem: problem === undefined ? undefined : inQuickInput(problem),
    };
    problem = undefined;
    const answer = await askStep(step, frame, request, editDocuments);
    switch (answer.kind) {
      case 'value':
        entered.set(step.argument, answer.value);
        if (step.kind !== 'text' || !step.isSecret) {
          remembered.set(step.argument, answer.value);
        }
        index += 1;
        break;
      case 'omitted':
        entered.delete(step.argument);
        remembered.set(step.argument, undefined);
        index += 1;
        break;
      case 'problem':
        problem = answer.message;
        break;
      case 'run':
        steps.slice(index).forEach(({ argument }) => entered.delete(argument));
        return 'done';
      case 'back':
        if (index === 0) {
          return 'back';
        }
        index -= 1;
        break;
      case 'cancelled':
        return 'cancelled';
    }
  }
}

function isOptional({ whenEmpty }: ArgumentStep): boolean {
  return whenEmpty === 'omit';
}

function askStep(
  step: ArgumentStep,
  frame: Frame,
  request: ArgumentsRequest,
  editDocuments: EditDocuments,
): Promise<StepAnswer> {
  switch (step.kind) {
    case 'boolean':
    case 'choice':
      return askChoice(step, frame, request);
    case 'list':
      return askItems(step, frame, request);
    case 'text':
    case 'number':
    case 'json':
      return askTyped(step, frame, request, editDocuments);
  }
}

interface ChoiceItem extends vscode.QuickPickItem {
  /** Undefined leaves the argument out. */
  readonly value: unknown;
}

async function askChoice(
  step: BooleanStep | ChoiceStep,
  frame: Frame,
  request: ArgumentsRequest,
): Promise<StepAnswer> {
  const isMany = step.kind === 'choice' && step.isMany;
  const choices: readonly ChoiceItem[] =
    step.kind === 'boolean'
      ? [true, false].map((value) => ({ label: String(value), value }))
      : step.choices.map(({ label, value }) => ({ label: inQuickInput(label), value }));
  const leaveOut: ChoiceItem = {
    label: step.whenEmpty === 'null' ? 'null' : 'Leave Out',
    description: 'The argument is optional',
    value: undefined,
  };
  const items = isMany || step.whenEmpty === 'refuse' ? choices : [...choices, leaveOut];
  const start = startOf(step, request);
  const starts: readonly unknown[] = isMany && Array.isArray(start) ? start : [start];
  const isPicked = ({ value }: ChoiceItem): boolean =>
    starts.some((one) => JSON.stringify(one) === JSON.stringify(value));
  const answer = await askPick(frame, {
    items,
    picked: items.filter(isPicked),
    placeholder: promptOf(step),
    isMany,
  });
  switch (answer.kind) {
    case 'accepted': {
      const values = answer.value.map(({ value }) => value).filter((value) => value !== undefined);
      return checked(
        step,
        step.kind === 'choice' ? readPicked(step, values) : readSwitch(step, values),
        request,
      );
    }
    case 'pressed':
      return { kind: 'run' };
    case 'back':
    case 'cancelled':
      return answer;
  }
}

function readSwitch(step: BooleanStep, [value]: readonly unknown[]): TypedValue {
  if (value !== undefined) {
    return { kind: 'value', value };
  }
  return step.whenEmpty === 'null' ? { kind: 'value', value: null } : { kind: 'omitted' };
}

async function askItems(step: ListStep, frame: Frame, request: ArgumentsRequest): Promise<StepAnswer> {
  const start = startOf(step, request);
  const answer = await askList({
    step,
    frame,
    prompt: promptOf(step),
    start: Array.isArray(start) ? start : [],
    check: (value) => checked(step, { kind: 'value', value }, request),
  });
  if (answer.kind === 'back' && answer.items.length > 0) {
    request.entered.set(step.argument, answer.items);
  }
  return answer;
}

type TypedStep = Exclude<ArgumentStep, BooleanStep | ChoiceStep | ListStep>;

async function askTyped(
  step: TypedStep,
  frame: Frame,
  request: ArgumentsRequest,
  editDocuments: EditDocuments,
): Promise<StepAnswer> {
  const read = (typed: string): Promise<TypedValue> => checked(step, readTyped(step, typed), request);
  const problemOf = async (typed: string): Promise<string | undefined> => {
    const value = await read(typed);
    return value.kind === 'problem' ? value.message : undefined;
  };
  const value = startOf(step, request);
  let text = typedText(step, value);
  // A box has one line, and would join several lines.
  let inEditor =
    step.kind === 'json'
      ? text.length > MAX_BOX_CHARACTERS || (step.accepts !== 'any' && !isOptional(step))
      : step.kind === 'text' && /[\r\n]/.test(text);
  if (!inEditor) {
    const answer = await askText(
      { ...frame, buttons: [...(step.kind === 'number' ? [] : [editButton]), ...frame.buttons] },
      {
        value: text,
        prompt: promptOf(step),
        placeholder: inQuickInput(expectation(step)),
        isPassword: step.kind === 'text' && step.isSecret,
        check: async (typed) => {
          const problem = await problemOf(typed);
          return problem === undefined ? undefined : inQuickInput(problem);
        },
      },
    );
    switch (answer.kind) {
      case 'accepted':
        return await read(answer.value);
      case 'pressed':
        if (answer.button !== editButton) {
          return { kind: 'run' };
        }
        text = answer.typed;
        inEditor = true;
        break;
      case 'back':
      case 'cancelled':
        return answer;
    }
  }
  const subject = step.argument === undefined ? 'the arguments' : `'${step.argument}'`;
  const start = step.kind === 'json' ? jsonToEdit(step, text, request.inputSchema) : text;
  const isSafeJson = step.kind === 'json' && !start.includes('"$schema"');
  if (frame.problem !== undefined) {
    void vscode.window.showErrorMessage(inNotification(frame.problem));
  }
  const edited = await editDocuments.edit({
    // For a JSON document the editor would fetch the schema that it names.
    name: `${step.argument ?? 'arguments'} of ${request.tool}.${isSafeJson ? 'jsonc' : 'txt'}`,
    text: start,
    subject: inNotification(`${subject} of ${request.tool}`),
    canGoBack: frame.canGoBack,
    check: async (typed) =>
      step.kind === 'json'
        ? problemsInJson(step, typed, request.check)
        : wholeProblem(await problemOf(typed), typed),
  });
  return edited.kind === 'text' ? await read(edited.text) : edited;
}

/** A problem of a text as a whole. */
function wholeProblem(message: string | undefined, { length }: string): readonly TextProblem[] {
  return message === undefined ? [] : [{ offset: 0, length, message }];
}

/** What is typed so far, formatted, or a skeleton that says what to write. */
function jsonToEdit(step: JsonStep, typed: string, inputSchema: unknown): string {
  const read = readTyped(step, typed);
  if (read.kind === 'value' && JSON.stringify(read.value) !== JSON.stringify(step.skeleton)) {
    return indentJson(JSON.stringify(read.value));
  }
  const isTyped = typed.trim() !== '' && read.kind !== 'value';
  return isTyped ? typed : commentedSkeleton(step, inputSchema);
}

/** Checks one argument alone against the tool's schema. */
async function checked(
  step: ArgumentStep,
  typed: TypedValue,
  { check }: ArgumentsRequest,
): Promise<TypedValue> {
  const { argument } = step;
  if (typed.kind !== 'value' || argument === undefined) {
    return typed;
  }
  const problems = await check(Object.fromEntries([[argument, typed.value]]));
  const problem = problems.find((one) => one.argument === argument);
  return problem ? { kind: 'problem', message: problem.message } : typed;
}

/** What a step starts with: this call's value, the last one for this tool, the default, or a skeleton. */
function startOf(step: ArgumentStep, { entered, remembered }: ArgumentsRequest): unknown {
  for (const known of [entered, remembered]) {
    if (known.has(step.argument)) {
      return known.get(step.argument);
    }
  }
  return step.initial ?? (step.kind === 'json' && !isOptional(step) ? step.skeleton : undefined);
}

function promptOf(step: ArgumentStep): string {
  if (step.argument === undefined) {
    return 'All arguments, as a JSON object';
  }
  const name = oneLine(step.title ?? step.argument, 80);
  const described = step.description ? `${name}: ${step.description}` : name;
  if (step.kind === 'list') {
    return inQuickInput(described);
  }
  const optional =
    step.kind === 'choice' && step.isMany ? 'optional: select none' : 'optional: leave it empty';
  const isTyped = step.kind !== 'boolean' && (step.kind !== 'choice' || step.isMany);
  return inQuickInput(described) + (isOptional(step) && isTyped ? ` (${optional} to leave it out)` : '');
}
