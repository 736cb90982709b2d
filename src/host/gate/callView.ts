import { visibleParts } from '../../base/visibleText.ts';
import { doorText, isIdentified, type Door } from '../ledger/door.ts';
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
  const { server, door, method, target, warnings, args = {}, title, description } = question;
  return {
    kind: 'call',
    id,
    title: visibleParts(callTitle(question)),
    isRenewed,
    ...(door.kind === 'extension' && isIdentified(door) && { asker: visibleParts(door.id) }),
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
    canRefuseAlways: isIdentified(door),
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

/** For how long an answer can hold: once, where it is not known who would get it the next time. */
export function offeredSpans({ door, spans }: CallQuestion): readonly CallSpan[] {
  return callSpans.filter((span) => spans.includes(span) && (span === 'once' || isIdentified(door)));
}

/** Whether an answer that is remembered can be about this one alone: of resources there is no such. */
export function scopesOf({ method }: CallQuestion): readonly CallAnswer['scope'][] {
  return method === 'resources/read' ? ['server'] : ['one', 'server'];
}

function callTitle({ door, method, target, server: { label } }: CallQuestion): string {
  switch (method) {
    case 'tools/call':
      return `${doorText(door)} wants to run '${target}' on '${label}'`;
    case 'resources/read':
      return `${doorText(door)} wants to read a resource of '${label}'`;
    case 'prompts/get':
      return `${doorText(door)} wants the prompt '${target}' of '${label}'`;
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
  const { door, method, target, server } = question;
  const spans = offeredSpans(question);
  if (!isIdentified(door)) {
    return 'Your answer is for this request only, because it is not known who asks.';
  }
  const back = `You can take it back with "Review Decisions…".`;
  if (method !== 'resources/read' && spans.length > 1) {
    return (
      `"Don't Allow" refuses this request only. "Never Allow" refuses what you choose here from now on, ` +
      `whoever asks. What you allow holds for ${doorInSentence(door)} only. ${back}`
    );
  }
  const what = method === 'resources/read' ? `all resources of '${server.label}'` : `'${target}'`;
  const remembered =
    spans.length > 1
      ? `What you allow holds for ${what}, and for ${doorInSentence(door)} only; "Never Allow" for whoever asks.`
      : `"Never Allow" refuses ${what} from now on, whoever asks.`;
  return `"Don't Allow" refuses this request only. ${remembered} ${back}`;
}

function doorInSentence(door: Door): string {
  const text = doorText(door);
  return text.charAt(0).toLowerCase() + text.slice(1);
}

/** A string as it is, anything else as JSON. */
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
