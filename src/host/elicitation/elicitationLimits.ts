import { counted } from '../../base/text/words.ts';
import type { Disposable } from '../../base/lifetime/disposable.ts';
import { afterTimeout, type After } from '../../base/time/clock.ts';
import type { ServerDefinition, ServerId } from '../config/serverDefinition.ts';
import type { DecisionStore } from '../decisions/decisionStore.ts';
import { ElicitationFailure } from '../errors/elicitationFailure.ts';
import { messageOf } from '../errors/hostError.ts';
import type { AskingServer } from '../questions/question.ts';
import { RequestRate } from '../limits/requestRate.ts';
import { elicitationDecisionKind, type ElicitationDecision } from './elicitationDecision.ts';

/** Requests of one server in a minute. */
const MAX_PER_MINUTE = 20;

interface LimitParts {
  readonly decisions: DecisionStore;
  readonly log?: (id: ServerId, level: 'info' | 'warn' | 'error', message: string) => void;
  readonly now?: () => number;
  readonly after?: After;
}

/** Whether a server may ask you: your decision about it, and how often it asks. */
export class ElicitationLimits implements Disposable {
  readonly #parts: LimitParts;
  readonly #now: () => number;
  readonly #rate: RequestRate;
  /** Servers that you refused, until that is saved. */
  readonly #refused = new Set<ServerId>();

  constructor(parts: LimitParts) {
    this.#parts = parts;
    const { now = Date.now, after = afterTimeout } = parts;
    this.#now = now;
    this.#rate = new RequestRate(() => MAX_PER_MINUTE, parts.now ?? (() => performance.now()), after);
  }

  dispose(): void {
    this.#rate.dispose();
  }

  /** Whether a server may ask: unless you decided that it can't. */
  isAllowed({ id }: ServerDefinition): boolean {
    const { decisions } = this.#parts;
    const key = decisions.keyOf(elicitationDecisionKind, id);
    return !this.#refused.has(id) && decisions.get(key) === undefined && !decisions.isUnreadable(key);
  }

  /** The same, with what other windows have decided just now. */
  isStillAllowed(definition: ServerDefinition): boolean {
    const { decisions } = this.#parts;
    decisions.refresh(decisions.keyOf(elicitationDecisionKind, definition.id));
    return this.isAllowed(definition);
  }

  /**
   * Counts a request. `refused` is called once for all that are too many, with the failure to record.
   *
   * @throws ElicitationFailure `limited`, before anything is read, so that a flood costs next to nothing.
   */
  admit(id: ServerId, refused: (failure: ElicitationFailure) => void): void {
    const sentence = `More than ${counted(MAX_PER_MINUTE, 'request')} to you came in a minute, which is the limit.`;
    const flooded = (count: number): void =>
      refused(new ElicitationFailure('limited', `${sentence} ${counted(count, 'request')} not shown.`));
    if (!this.#rate.admit(id, flooded)) {
      throw new ElicitationFailure('limited', sentence);
    }
  }

  /** Keeps your decision that a server can't ask you again. */
  refuse({ definition: { id }, label }: AskingServer): void {
    const { decisions } = this.#parts;
    const decision: ElicitationDecision = {
      kind: 'elicitation',
      key: decisions.keyOf(elicitationDecisionKind, id),
      serverId: id,
      label,
      at: this.#now(),
      answer: 'deny',
    };
    this.#refused.add(id);
    decisions.put(decision).then(
      () => this.#refused.delete(id),
      (error: unknown) =>
        this.#parts.log?.(id, 'error', `Your answer could not be saved: ${messageOf(error)}`),
    );
  }
}
