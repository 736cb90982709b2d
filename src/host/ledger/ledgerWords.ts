import { URI } from 'vscode-uri';
import { counted } from '../../base/words.ts';
import { callerText, isIdentified } from './caller.ts';
import type {
  LedgerCaller,
  LedgerEntry,
  LedgerMethod,
  LedgerOutcome,
  SamplingFigures,
} from './ledgerEntry.ts';

/** How a request ended, and of which kind it was; without a method, one of those that are asked of a server. */
type Ended = Pick<LedgerEntry, 'decision' | 'outcome'> & Partial<Pick<LedgerEntry, 'method'>>;

/** Why a request was let through, or not, in a sentence's words. */
export function decisionWords({ decision, outcome, method }: Ended): string {
  const isSampling = method === 'sampling/createMessage';
  switch (decision) {
    case 'person':
      return 'by your own click';
    case 'asked':
      return 'you were asked, and allowed it';
    case 'remembered':
      return 'by an earlier answer of yours';
    case 'delegated':
      return 'agent mode asks by its own settings';
    case 'trusted':
      return 'it only reads, says the server, whose claims you trust';
    case 'unasked':
      return isSampling
        ? 'nobody was asked: your setting mcpHost.sampling.policy, or its definition, allows it'
        : 'by your setting mcpHost.tools.confirm, which asks for nothing';
    case 'denied':
      return 'you did not allow it';
    case 'heldBack':
      return 'held back: it has changed since you approved it, or you do not offer it';
    case 'invalid':
      return isSampling
        ? 'not sent: the request does not follow the protocol'
        : 'not sent: the arguments do not fit the tool';
    case 'limited':
      return method === 'completion/complete'
        ? 'not sent: suggestions are asked for too often'
        : 'not sent: it is over one of your limits';
    case 'prepared':
      return 'you approved it before, and ran the tool again';
    case 'withdrawn':
      return outcome === 'failed'
        ? 'none: it failed before you were asked'
        : 'none: it was withdrawn before you answered';
  }
}

/** What became of a request, as the filter names it. */
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

/** The same of one entry, where a refusal says which it was. */
export function endWords({ decision, outcome, method }: Ended): string {
  if (outcome === 'cancelled' && method === 'sampling/createMessage') {
    // Whoever cancelled it, the server has gone without an answer.
    return decision === 'withdrawn' ? 'unanswered' : 'not delivered';
  }
  if (outcome === 'refused') {
    switch (decision) {
      case 'denied':
        return 'not allowed';
      case 'heldBack':
        return 'held back';
      case 'invalid':
        return method === 'sampling/createMessage' ? 'wrong request' : 'wrong arguments';
      case 'limited':
        return 'over a limit';
      default:
        break;
    }
  }
  return outcomeWords(outcome);
}

/** Who asks, in the few words of a row. */
export function callerWords(caller: LedgerCaller): string {
  switch (caller.kind) {
    case 'person':
      return 'you';
    case 'agentMode':
      return 'agent mode';
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

/** What a request for a model came to, such as "about 120 tokens sent, about 80 received, edited by you". */
export function figuresWords({ inputTokens, outputTokens, isEdited }: SamplingFigures): string {
  const sent = inputTokens === 0 ? 'nothing sent' : `about ${counted(inputTokens, 'token')} sent`;
  const received = outputTokens === 0 ? 'nothing received' : `about ${number(outputTokens)} received`;
  return `${sent}, ${received}${isEdited ? ', edited by you' : ''}`;
}

function number(value: number): string {
  return value.toLocaleString('en');
}

/** What a workspace is called in a row, by its `LedgerEntry.workspace`. */
export function workspaceWords(workspace: string | undefined): string {
  if (workspace === undefined || workspace === '') {
    return workspace === undefined ? 'an unknown workspace' : 'a window without a folder';
  }
  const name = URI.parse(workspace).path.split('/').findLast(Boolean) ?? workspace;
  return name.replace(/\.code-workspace$/, '');
}

/** How many requests an entry stands for, such as "12 requests"; nothing for one. */
export function countWords({ count = 1 }: Pick<LedgerEntry, 'count'>): readonly string[] {
  return count === 1 ? [] : [counted(count, 'request')];
}

/** What the target of a request is. */
export function targetWords(method: LedgerMethod): 'Tool' | 'Resource' | 'Prompt' | 'Suggestion' | 'Model' {
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
  }
}
