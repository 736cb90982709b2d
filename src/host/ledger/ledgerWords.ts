import { URI } from 'vscode-uri';
import { counted } from '../../base/text/words.ts';
import { callerText, isIdentified } from './caller.ts';
import {
  isOfServer,
  type LedgerCaller,
  type LedgerEntry,
  type LedgerMethod,
  type LedgerOutcome,
  type SamplingFigures,
} from './ledgerEntry.ts';

/** The target of a server's request for an address to be opened; a form has another. */
const ADDRESS = 'address';

/** How a request ended; without a method, a request to a server. */
type Ended = Pick<LedgerEntry, 'decision' | 'outcome'> &
  Partial<Pick<LedgerEntry, 'method' | 'target' | 'task'>>;

/** Why a request was allowed, or not, as the end of a sentence. */
export function decisionWords({ decision, outcome, method, target }: Ended): string {
  const isSampling = method === 'sampling/createMessage';
  switch (decision) {
    case 'person':
      return 'by your own click';
    case 'asked':
      if (method === 'elicitation/create') {
        return target === ADDRESS ? 'you agreed to open it' : 'you filled in the form';
      }
      return 'you were asked, and allowed it';
    case 'remembered':
      return 'by your earlier answer';
    case 'delegated':
      return 'agent mode asks according to its own settings';
    case 'trusted':
      return 'it only reads, according to the server, whose tool labels you trust';
    case 'unasked':
      return isSampling
        ? "you were not asked: your setting mcpHost.sampling.policy, or the server's definition, allows it"
        : 'by your setting mcpHost.tools.confirm, which asks for nothing';
    case 'denied':
      return method === 'elicitation/create' ? 'you declined' : 'you did not allow it';
    case 'heldBack':
      return 'held back: it has changed since you approved it, or you do not offer it';
    case 'invalid':
      return isOfServer(method)
        ? 'not sent: the request does not follow the protocol'
        : 'not sent: the arguments do not fit the tool';
    case 'limited':
      return method === 'completion/complete'
        ? 'not sent: there were too many requests for suggestions'
        : 'not sent: it is over one of your limits';
    case 'prepared':
      return 'you approved it before, and ran the tool again';
    case 'withdrawn':
      return outcome === 'failed'
        ? 'none: it failed before you were asked'
        : 'none: it ended before you answered';
  }
}

/** How a request ended, as the filter names it. */
export function outcomeWords(outcome: LedgerOutcome): string {
  switch (outcome) {
    case 'done':
      return 'done';
    case 'toolError':
      return 'tool error';
    case 'failed':
      return 'failed';
    case 'cancelled':
      return 'cancelled';
    case 'refused':
      return 'refused';
  }
}

/** The same for one entry, with the reason of a refusal. */
export function endWords({ decision, outcome, method, task }: Ended): string {
  if (task === 'gone') {
    return 'gone';
  }
  if (outcome === 'cancelled' && isOfServer(method)) {
    // No matter who cancelled it, the server got no answer.
    return decision === 'withdrawn' ? 'unanswered' : 'not delivered';
  }
  if (outcome === 'refused') {
    switch (decision) {
      case 'denied':
        return method === 'elicitation/create' ? 'declined' : 'not allowed';
      case 'heldBack':
        return 'held back';
      case 'invalid':
        return isOfServer(method) ? 'wrong request' : 'wrong arguments';
      case 'limited':
        return 'over a limit';
      default:
        break;
    }
  }
  return outcomeWords(outcome);
}

/** Who asks, for a row. */
export function callerWords(caller: LedgerCaller): string {
  switch (caller.kind) {
    case 'person':
      return 'you';
    case 'agentMode':
      return 'agent mode';
    case 'chat':
      return caller.isInChat ? 'chat' : 'an unknown model or extension';
    case 'extension':
      return isIdentified(caller) ? caller.label : 'an unknown extension';
    case 'server':
      return 'the server';
  }
}

/** Who asks, in full; see `callerText`. */
export function askerText(caller: LedgerCaller): string {
  return caller.kind === 'server' ? callerWords(caller) : callerText(caller);
}

/** The figures of a request for a model, such as "about 120 tokens sent, about 80 received, edited by you". */
export function figuresWords({ inputTokens, outputTokens, isEdited }: SamplingFigures): string {
  const sent = inputTokens === 0 ? 'nothing sent' : `about ${counted(inputTokens, 'token')} sent`;
  const received = outputTokens === 0 ? 'nothing received' : `about ${number(outputTokens)} received`;
  return `${sent}, ${received}${isEdited ? ', edited by you' : ''}`;
}

function number(value: number): string {
  return value.toLocaleString('en');
}

/** The name of a workspace in a row, by its `LedgerEntry.workspace`. */
export function workspaceWords(workspace: string | undefined): string {
  if (workspace === undefined || workspace === '') {
    return workspace === undefined ? 'an unknown workspace' : 'a window without a folder';
  }
  const name = URI.parse(workspace).path.split('/').findLast(Boolean) ?? workspace;
  return name.replace(/\.code-workspace$/, '');
}

/** How many requests an entry means, such as "12 requests"; empty for one. */
export function countWords({ count = 1 }: Pick<LedgerEntry, 'count'>): readonly string[] {
  return count === 1 ? [] : [counted(count, 'request')];
}

/** The kind of a request's target. */
export function targetWords({
  method,
  target,
}: Pick<LedgerEntry, 'method' | 'target'>): ReturnType<typeof methodWords> | 'Address' {
  return method === 'elicitation/create' && target === ADDRESS ? 'Address' : methodWords(method);
}

/** The kind of a method's target. */
export function methodWords(
  method: LedgerMethod,
): 'Tool' | 'Resource' | 'Prompt' | 'Suggestion' | 'Model' | 'Form' {
  switch (method) {
    case 'tools/call':
      return 'Tool';
    case 'resources/read':
      return 'Resource';
    case 'prompts/get':
      return 'Prompt';
    case 'completion/complete':
      return 'Suggestion';
    case 'sampling/createMessage':
      return 'Model';
    case 'elicitation/create':
      return 'Form';
  }
}
