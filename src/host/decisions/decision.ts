import type { UnknownRecord } from '../../base/values/record.ts';
import type { ServerId } from '../config/serverDefinition.ts';

export type Answer = 'allow' | 'deny';

/** What you decided about one server. Each kind adds what it decides. */
export interface Decision {
  /** The name of the kind. */
  readonly kind: string;
  /** What the decision is about; a later one with the same key replaces it. */
  readonly key: string;
  readonly serverId: ServerId;
  /** What the server was called when you decided. */
  readonly label: string;
  /** When you decided, in milliseconds since the epoch. */
  readonly at: number;
}

/** A decision as it is kept; `id` names its entry. */
export type KeptDecision<D extends Decision = Decision> = D & { readonly id: string };

/** Tells decisions of one kind about one server apart. */
export type KeyParts = readonly (string | null | readonly string[])[];

/** Everything about one kind of decision; the store knows no kind itself. */
export interface DecisionKind<D extends Decision = Decision> {
  /** Entries are kept under it: it never changes. */
  readonly name: D['kind'];
  /** Whether what an entry has besides the fields of every decision is as this kind writes it. */
  isEntry(fields: UnknownRecord): boolean;
  /** Without it, there is one decision of this kind about each server. */
  keyParts?(decision: D): KeyParts;
  /** Whether it refuses something. */
  isDenial?(decision: D): boolean;
  /** Where two windows decided differently, the decision that gives less counts. */
  generosity?(decision: D): number;
  /** Without words, it is not a decision of yours, and is only kept with them. */
  readonly words?: DecisionWords<D>;
}

/** How "Review Decisions…" shows a decision. */
export interface DecisionWords<D extends Decision = Decision> {
  /** After the server's name, such as "may start". */
  what(decision: D): string;
  /** Which of the decisions it is. */
  detail(decision: D, shown: ShownPlaces): string;
  /** What follows when it is taken back. */
  undone(decision: D): string;
}

/** How the editor shows files. */
export interface ShownPlaces {
  uri(uri: string): string;
  /** The place of a definition's origin. */
  place(place: string): string;
}
