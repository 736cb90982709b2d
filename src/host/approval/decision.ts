import type { ServerId } from '../config/serverDefinition.ts';
import type { LaunchSnapshot } from './launchSnapshot.ts';

export type Answer = 'allow' | 'deny';

/** What the person said of one launch of one server. */
export interface LaunchDecision {
  readonly kind: 'launch';
  /** What the decision is about; a later one with the same key takes its place. */
  readonly key: string;
  readonly answer: Answer;
  readonly span: 'always';
  readonly serverId: ServerId;
  /** What the server was called before the person. */
  readonly label: string;
  /** Where its definition stands: the place of its origin. */
  readonly place: string;
  /** When it was said, in milliseconds since the epoch. */
  readonly at: number;
  readonly fingerprint: string;
  /** What was shown. */
  readonly snapshot: LaunchSnapshot;
}

/** A folder inside one of the workspace's that was added to what a server may see. */
export interface SubfolderChoice {
  readonly uri: string;
  /** The URI of the workspace's folder that it lies in. */
  readonly within: string;
  readonly isShared: boolean;
}

/** Which folders one server may see; those that are added to a workspace it sees whole, too. */
export interface RootsDecision {
  readonly kind: 'roots';
  readonly key: string;
  readonly serverId: ServerId;
  readonly label: string;
  readonly folders: 'all' | readonly string[];
  /** Every folder about which the person was asked. `all` holds in a workspace that has one of these. */
  readonly offered: readonly string[];
  readonly subfolders?: readonly SubfolderChoice[];
  /** By its URI, the real path that each shared folder had when it was consented to. */
  readonly realPaths?: Readonly<Record<string, string>>;
  readonly at: number;
}

/** That a workspace's definition runs instead of the user's of the same name. */
export interface PreferenceDecision {
  readonly kind: 'preference';
  readonly key: string;
  readonly serverId: ServerId;
  readonly label: string;
  readonly at: number;
}

export type Decision = LaunchDecision | RootsDecision | PreferenceDecision;

/** A decision as it is kept; `id` names its entry. */
export type KeptDecision = Decision & { readonly id: string };
