import type { CompleteRequestParams } from '@modelcontextprotocol/client';
import { visibleText } from '../../base/text/visibleText.ts';
import { fitToSuggest, noSuggestions, type Suggestions } from '../completion/suggestions.ts';
import type { CallTarget } from './callDecisions.ts';
import type { ServerId } from '../config/serverDefinition.ts';
import type { ServerConnection } from '../connection/serverConnection.ts';
import { HostError } from '../errors/hostError.ts';
import { textBounds } from '../json/bounds.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { LedgerDecision } from '../ledger/ledgerEntry.ts';
import type { ItemKind } from '../tools/pinnedItem.ts';
import type { CallAdmission, RequestToAdmit } from './callAdmission.ts';
import { endOf, errorFor } from './refusals.ts';

/** How many requests a server gets in so many milliseconds; those beyond are refused. */
const MOST = 30;
const WINDOW_MS = 10_000;

/** Requests of callers for suggestions: nobody is asked, few go out in a time, and they are written down in sums. */
export class GatedCompletions {
  readonly #admission: CallAdmission;
  readonly #ledger: Ledger;
  /** When each server was asked lately. */
  readonly #asked = new Map<ServerId, readonly number[]>();

  constructor(admission: CallAdmission, ledger: Ledger) {
    this.#admission = admission;
    this.#ledger = ledger;
  }

  /** Completes as decided on getting the prompt, or reading the resource. @throws as `Gate.complete`. */
  async ask(
    request: Omit<RequestToAdmit, 'target' | 'list' | 'decided'>,
    params: CompleteRequestParams,
  ): Promise<Suggestions> {
    const { caller, id, label, signal } = request;
    const { target, list, decided } = completed(params);
    const about = { caller, serverId: id, server: label, method: 'completion/complete', target } as const;
    const since = Date.now();
    let asked: { readonly connection: ServerConnection; readonly decision: LedgerDecision } | undefined;
    try {
      const { connection, verdict } = this.#admission.check({ ...request, target, list, decided });
      if (verdict.kind === 'ask') {
        throw new HostError(
          'denied',
          `there are no suggestions for '${visibleText(target)}' while each request has to be confirmed`,
        );
      }
      if (params.argument.value.length > textBounds.typed) {
        return noSuggestions;
      }
      if (!this.#take(id)) {
        const problem = 'suggestions are requested too often. Try again in a few seconds.';
        this.#ledger.count(about, { decision: 'limited', outcome: 'refused', problem }, { since });
        return noSuggestions;
      }
      const { decision } = verdict;
      asked = { connection, decision };
      const received = await connection.complete(params, signal);
      const end = { decision, outcome: 'done' } as const;
      this.#ledger.count(about, end, { since, sent: params, received }, connection.secrets);
      return fitToSuggest(received);
    } catch (error) {
      const end = endOf(error, asked?.decision, caller);
      this.#ledger.count(about, end, { since, ...(asked && { sent: params }) }, asked?.connection.secrets);
      throw errorFor(error, caller, label);
    }
  }

  #take(id: ServerId): boolean {
    const now = Date.now();
    const recent = (this.#asked.get(id) ?? []).filter((at) => now - at < WINDOW_MS);
    const isLeft = recent.length < MOST;
    this.#asked.set(id, isLeft ? [...recent, now] : recent);
    return isLeft;
  }
}

/** What is completed, as decisions on it are kept. */
function completed({ ref }: CompleteRequestParams): {
  readonly target: string;
  readonly list: ItemKind;
  readonly decided: CallTarget;
} {
  return ref.type === 'ref/prompt'
    ? { target: ref.name, list: 'prompts', decided: { kind: 'prompt', name: ref.name } }
    : { target: ref.uri, list: 'templates', decided: { kind: 'resource' } };
}
