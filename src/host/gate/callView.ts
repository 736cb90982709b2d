import { visibleParts } from '../../base/visibleText.ts';
import { callerText, isIdentified, type Caller } from '../ledger/caller.ts';
import { callSpans, type CallAnswer, type CallSpan } from '../questions/callAnswer.ts';
import type { CallQuestion } from '../questions/questionQueue.ts';
import type { ViewContext } from '../questions/viewContext.ts';
import { longText, plain, type LongText, type PanelText } from '../questions/panelText.ts';
import type { CallView } from '../questions/reviewProtocol.ts';

const spanLabels: Readonly<Record<CallSpan, string>> = {
  once: 'Only this time',
  session: 'For this session',
  workspace: 'Always in this workspace',
  always: 'Always',
};

/** A request to a server as the review panel shows it. */
export function callView(question: CallQuestion, { id, placeOf, isRenewed }: ViewContext): CallView {
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
    spans: offeredSpans(question).map((value) => ({ value, label: spanLabels[value] })),
    canRefuseAlways: isIdentified(caller),
    scopes: scopesOf(question).map((value) => ({ value, label: visibleParts(scopeText(question, value)) })),
    hint: visibleParts(hintText(question)),
  };
}

/** The same as plain text. */
export function callViewText(view: CallView): string {
  const { asker, place, warnings, description, claims, resource } = view;
  return [
    ...(asker ? [`Asked by: ${plain(asker)}`] : []),
    `The server is defined in: ${plain(place)}`,
    ...warnings.map((warning) => `Warning: ${plain(warning)}`),
    ...(resource ? [block('Resource', resource)] : []),
    ...view.arguments.map(({ name, value }) => block(name, value)),
    ...(isWithoutArguments(view) ? ['Without arguments'] : []),
    ...description.map((text) => block('The server says', text)),
    ...(claims.length > 0 ? [plain(claims)] : []),
  ].join('\n\n');
}

/** For how long an answer can hold: only once where the caller is not identified. */
export function offeredSpans({ caller, spans }: CallQuestion): readonly CallSpan[] {
  return callSpans.filter((span) => spans.includes(span) && (span === 'once' || isIdentified(caller)));
}

/** What a lasting answer can be about: for resources, only all of them. */
export function scopesOf({ method }: CallQuestion): readonly CallAnswer['scope'][] {
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

function scopeText({ method, server: { label } }: CallQuestion, scope: CallAnswer['scope']): string {
  switch (method) {
    case 'tools/call':
      return scope === 'one' ? 'Only this tool' : `All tools of '${label}'`;
    case 'resources/read':
      return `All resources of '${label}'`;
    case 'prompts/get':
      return scope === 'one' ? 'Only this prompt' : `All prompts of '${label}'`;
  }
}

function claimsText({ claims }: CallQuestion): string {
  return claims.length === 0 ? '' : `The server claims: ${claims.join(' ')} Nobody has checked it.`;
}

/** What the answers mean beyond this request. */
function hintText(question: CallQuestion): string {
  const { caller, method, target, server } = question;
  const spans = offeredSpans(question);
  if (!isIdentified(caller)) {
    return 'Your answer is for this request only, because it is not known who asks.';
  }
  const back = `You can take it back with "Review Decisions…".`;
  if (method !== 'resources/read' && spans.length > 1) {
    return (
      `"Don't Allow" refuses this request only. "Never Allow" refuses what you choose here from now on, ` +
      `whoever asks. What you allow holds for ${callerInSentence(caller)} only. ${back}`
    );
  }
  const what = method === 'resources/read' ? `all resources of '${server.label}'` : `'${target}'`;
  const remembered =
    spans.length > 1
      ? `What you allow holds for ${what}, and for ${callerInSentence(caller)} only; "Never Allow" for whoever asks.`
      : `"Never Allow" refuses ${what} from now on, whoever asks.`;
  return `"Don't Allow" refuses this request only. ${remembered} ${back}`;
}

function callerInSentence(caller: Caller): string {
  const text = callerText(caller);
  return text.charAt(0).toLowerCase() + text.slice(1);
}

/** A string unchanged, anything else as JSON. */
function valueText(value: unknown): string {
  if (typeof value === 'string') {
    return value === '' ? '""' : value;
  }
  return JSON.stringify(value, undefined, 2) ?? String(value);
}

function isWithoutArguments(view: CallView): boolean {
  return view.arguments.length === 0 && !view.resource;
}

function block(name: PanelText | string, value: LongText): string {
  const [title, text] = [typeof name === 'string' ? name : plain(name), plain(value.text)];
  return value.lines > 1 ? `${title}:\n${text}` : `${title}: ${text}`;
}
