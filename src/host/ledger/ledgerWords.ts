import { isIdentified, type Door } from '../gate/door.ts';
import type { LedgerEntry, LedgerMethod, LedgerOutcome } from './ledgerEntry.ts';

/** Why a request was let through, or not, in a sentence's words. */
export function decisionWords({ decision, outcome }: Pick<LedgerEntry, 'decision' | 'outcome'>): string {
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
      return 'by your setting mcpHost.tools.confirm, which asks for nothing';
    case 'denied':
      return 'you did not allow it';
    case 'heldBack':
      return 'held back: it is not what you approved, or is not offered';
    case 'invalid':
      return 'not sent: the arguments do not fit the tool';
    case 'withdrawn':
      return outcome === 'failed'
        ? 'none: it failed before one was due'
        : 'none: it was taken back before you had answered';
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
export function endWords({ decision, outcome }: Pick<LedgerEntry, 'decision' | 'outcome'>): string {
  if (outcome === 'refused') {
    switch (decision) {
      case 'denied':
        return 'not allowed';
      case 'heldBack':
        return 'held back';
      case 'invalid':
        return 'wrong arguments';
      default:
        break;
    }
  }
  return outcomeWords(outcome);
}

/** Who asks, in the few words of a row. */
export function doorWords(door: Door): string {
  switch (door.kind) {
    case 'person':
      return 'you';
    case 'agentMode':
      return 'agent mode';
    case 'extension':
      return isIdentified(door) ? door.label : 'an unknown extension';
  }
}

/** What the target of a request is. */
export function targetWords(method: LedgerMethod): 'Tool' | 'Resource' | 'Prompt' {
  switch (method) {
    case 'tools/call':
      return 'Tool';
    case 'resources/read':
      return 'Resource';
    case 'prompts/get':
      return 'Prompt';
  }
}
