import type { UnknownRecord } from '../../base/values/record.ts';
import { visibleParts, visibleText } from '../../base/text/visibleText.ts';
import { callerKey, callerText, isIdentified, type Caller } from '../ledger/caller.ts';
import type { CallMethod } from '../ledger/ledgerEntry.ts';
import { longText, plain, type LongText, type PanelText } from '../questions/panelText.ts';
import {
  askInDialog,
  type AskingServer,
  type Question,
  type QuestionKind,
  type QuestionView,
} from '../questions/question.ts';

const callSpans = ['once', 'session', 'workspace', 'always'] as const;
/** For this request, until the window closes, in this workspace, or everywhere. */
export type CallSpan = (typeof callSpans)[number];

/** Whether a request can go to a server: of a model, or of another extension. */
export interface CallQuestion extends Question<CallAnswer> {
  readonly server: AskingServer;
  readonly caller: Caller;
  readonly method: CallMethod;
  /** The tool or prompt by its name, or the URI of the resource. */
  readonly target: string;
  /** What the server says about it. */
  readonly title?: string;
  readonly description?: string;
  /** As the server will get them. */
  readonly args?: Readonly<Record<string, unknown>>;
  /** What deserves a second look, a sentence each. */
  readonly warnings: readonly string[];
  /** What the server claims about the tool, a sentence each; nobody has checked it. */
  readonly claims: readonly string[];
  /** For how long an answer can be remembered; only `once` where you are asked each time. */
  readonly spans: readonly CallSpan[];
}

/** `scope` is this tool or prompt, or everything of that kind that the server has. */
export type CallAnswer =
  | { readonly answer: 'run'; readonly span: CallSpan; readonly scope: 'one' | 'server' }
  | { readonly answer: 'refuse'; readonly span: 'once' | 'always'; readonly scope: 'one' | 'server' };

/** The answers that are about this request alone. */
export const onceAnswers = {
  allow: { answer: 'run', span: 'once', scope: 'one' },
  refuse: { answer: 'refuse', span: 'once', scope: 'one' },
} as const satisfies Readonly<Record<string, CallAnswer>>;

export interface CallView extends QuestionView {
  readonly kind: 'call';
  /** The extension that asks, as the editor names it: any extension can have the same label. */
  readonly asker?: PanelText;
  /** Where the server is defined. */
  readonly place: PanelText;
  readonly warnings: readonly PanelText[];
  /** What the server says about it: its title and description. */
  readonly description: readonly LongText[];
  /** What the server claims about it, and that nobody has checked that; empty without claims. */
  readonly claims: PanelText;
  /** The URI of the resource to read. */
  readonly resource?: LongText;
  readonly arguments: readonly { readonly name: PanelText; readonly value: LongText }[];
  /** Other ways to allow it than once; none where an answer can't be remembered. */
  readonly allow: readonly CallChoice[];
  /** Other ways to refuse it than once; none where it is not known who asks: nobody could be refused the next time. */
  readonly refuse: readonly CallChoice[];
  /** What the answers mean beyond this request. */
  readonly hint: PanelText;
}

/** An answer that is remembered. */
export interface CallChoice {
  readonly answer: CallAnswer;
  /** Such as `Allow 'echo' for this session`. */
  readonly label: PanelText;
}

const spanTexts: Readonly<Record<CallSpan, string>> = {
  once: 'this time',
  session: 'for this session',
  workspace: 'always in this workspace',
  always: 'always',
};

/** The question before a request of a model or another extension. */
export const callQuestions = {
  name: 'call',
  serversOf: ({ server }) => [server],

  view(question, { id, placeOf, isRenewed }): CallView {
    const { server, caller, method, target, warnings, args = {}, title, description } = question;
    return {
      kind: 'call',
      id,
      title: visibleParts(callTitle(question)),
      isRenewed,
      ...(caller.kind === 'extension' && isIdentified(caller) && { asker: visibleParts(caller.id) }),
      place: visibleParts(placeOf(server.definition)),
      warnings: warnings.map(visibleParts),
      description: [title, description].filter((text) => text !== undefined).map(longText),
      claims: visibleParts(claimsText(question)),
      ...(method === 'resources/read' && { resource: longText(target) }),
      arguments: Object.entries(args).map(([name, value]) => ({
        name: visibleParts(name),
        value: longText(valueText(value)),
      })),
      allow: scopesOf(question).flatMap((scope) =>
        offeredSpans(question)
          .filter((span) => span !== 'once')
          .map((span) => ({
            answer: { answer: 'run', span, scope } as const,
            label: visibleParts(`Allow ${scopeText(question, scope)} ${spanTexts[span]}`),
          })),
      ),
      refuse: (isIdentified(caller) ? scopesOf(question) : []).map((scope) => ({
        answer: { answer: 'refuse', span: 'always', scope } as const,
        label: visibleParts(`Never allow ${scopeText(question, scope)}`),
      })),
      hint: visibleParts(hintText(question)),
    };
  },

  text({ asker, place, warnings, description, claims, resource, ...view }: CallView): string {
    return [
      ...(asker ? [`Asked by: ${plain(asker)}`] : []),
      `The server is defined in: ${plain(place)}`,
      ...warnings.map((warning) => `Warning: ${plain(warning)}`),
      ...(resource ? [block('Resource', resource)] : []),
      ...view.arguments.map(({ name, value }) => block(name, value)),
      ...(view.arguments.length === 0 && !resource ? ['Without arguments'] : []),
      ...description.map((text) => block('The server says', text)),
      ...(claims.length > 0 ? [plain(claims)] : []),
    ].join('\n\n');
  },

  /** An answer for once is about this request, and so about this one thing; any other is one that was offered. */
  readAnswer(question, fields): CallAnswer | undefined {
    const given = readCallAnswer(fields);
    if (!given || (given.answer === 'run' && !offeredSpans(question).includes(given.span))) {
      return undefined;
    }
    if (given.span === 'once') {
      return { ...given, scope: 'one' };
    }
    return isIdentified(question.caller) && scopesOf(question).includes(given.scope) ? given : undefined;
  },

  askInDialogs(question, dialogs) {
    const [scope = 'one'] = scopesOf(question);
    return askInDialog<CallAnswer>(dialogs, {
      noun: 'question',
      choices: [
        { title: "Don't Allow", answer: onceAnswers.refuse },
        { title: 'Allow Once', answer: onceAnswers.allow },
        ...(isIdentified(question.caller)
          ? [{ title: 'Never Allow', answer: { answer: 'refuse', span: 'always', scope } } as const]
          : []),
      ],
    });
  },

  /** Who waits, when all requests are of one caller to one server. */
  announcement([first, ...others]) {
    return first && others.every((other) => isOfSameCaller(first, other))
      ? `${callerText(first.caller)} is waiting for your decision about '${first.server.label}'.`
      : undefined;
  },
  isCountedAlone: true,

  answered(question, { answer, span, scope }) {
    const target = targetText(question, span === 'once' ? 'one' : scope);
    const what = `${target} of ${visibleText(question.server.label)}`;
    if (answer === 'run') {
      return `Allowed: ${what}, ${spanTexts[span]}.`;
    }
    return span === 'once' ? `Not allowed: ${what}.` : `Never allowed: ${what}.`;
  },
} as const satisfies QuestionKind<CallQuestion, CallAnswer>;

/** How many characters a request has at most that is asked about on one line. */
const MAX_LINE = 200;

/**
 * A request whole on one line, such as `'echo' on 'everything' with message: "hello"`; undefined where it is longer, has
 * a warning or a character that cannot be seen.
 */
export function callLine({ method, target, server, args = {}, warnings }: CallQuestion): string | undefined {
  const given = Object.entries(args).map(([name, value]) => `${name}: ${JSON.stringify(value)}`);
  const line =
    method === 'resources/read'
      ? `read ${target} of '${server.label}'`
      : `'${target}' on '${server.label}' ${given.length > 0 ? `with ${given.join(', ')}` : 'without arguments'}`;
  return warnings.length === 0 && line.length <= MAX_LINE && visibleText(line) === line ? line : undefined;
}

function isOfSameCaller(one: CallQuestion, other: CallQuestion): boolean {
  return (
    callerKey(one.caller) === callerKey(other.caller) &&
    one.server.definition.id === other.server.definition.id
  );
}

function readCallAnswer({ answer, span: givenSpan, scope }: UnknownRecord): CallAnswer | undefined {
  const span = callSpans.find((one) => one === givenSpan);
  if (!span || (scope !== 'one' && scope !== 'server')) {
    return undefined;
  }
  if (answer === 'run') {
    return { answer, span, scope };
  }
  return answer === 'refuse' && (span === 'once' || span === 'always') ? { answer, span, scope } : undefined;
}

function targetText({ method, target }: CallQuestion, scope: CallAnswer['scope']): string {
  switch (method) {
    case 'tools/call':
      return scope === 'one' ? visibleText(target) : 'all tools';
    case 'resources/read':
      return scope === 'one' ? 'a resource' : 'all resources';
    case 'prompts/get':
      return scope === 'one' ? `the prompt ${visibleText(target)}` : 'all prompts';
  }
}

/** For how long an answer can hold: once where it is not known who asks. */
function offeredSpans({ caller, spans }: CallQuestion): readonly CallSpan[] {
  return callSpans.filter((span) => spans.includes(span) && (span === 'once' || isIdentified(caller)));
}

/** What a remembered answer can be about: for resources only all of them. */
function scopesOf({ method }: CallQuestion): readonly CallAnswer['scope'][] {
  return method === 'resources/read' ? ['server'] : ['one', 'server'];
}

function callTitle({ caller, method, target, server: { label } }: CallQuestion): string {
  switch (method) {
    case 'tools/call':
      return `${callerText(caller)} wants to run '${target}' on '${label}'`;
    case 'resources/read':
      return `${callerText(caller)} wants to read a resource of '${label}'`;
    case 'prompts/get':
      return `${callerText(caller)} wants the prompt '${target}' of '${label}'`;
  }
}

function scopeText({ method, target, server: { label } }: CallQuestion, scope: CallAnswer['scope']): string {
  switch (method) {
    case 'tools/call':
      return scope === 'one' ? `'${target}'` : `all tools of '${label}'`;
    case 'resources/read':
      return `all resources of '${label}'`;
    case 'prompts/get':
      return scope === 'one' ? `'${target}'` : `all prompts of '${label}'`;
  }
}

function claimsText({ claims }: CallQuestion): string {
  return claims.length === 0 ? '' : `The server claims: ${claims.join(' ')} Not verified.`;
}

/** What the answers mean beyond this request. */
function hintText({ caller }: CallQuestion): string {
  return isIdentified(caller)
    ? `What you allow holds for ${callerInSentence(caller)} only, what you never allow for everyone. You can take it back in Review Decisions.`
    : 'Your answer is for this request only, because it is not known who asks.';
}

function callerInSentence(caller: Caller): string {
  const text = callerText(caller);
  return text.charAt(0).toLowerCase() + text.slice(1);
}

/** A string as it is, anything else as JSON. */
function valueText(value: unknown): string {
  if (typeof value === 'string') {
    return value === '' ? '""' : value;
  }
  return JSON.stringify(value, undefined, 2) ?? String(value);
}

function block(name: PanelText | string, value: LongText): string {
  const [title, text] = [typeof name === 'string' ? name : plain(name), plain(value.text)];
  return value.lines > 1 ? `${title}:\n${text}` : `${title}: ${text}`;
}
