import type { ServerId } from '../config/serverDefinition.ts';
import type { SamplingPolicy } from '../config/samplingSettings.ts';
import type { GivenInputs } from '../launch/fingerprint.ts';
import type { LaunchSnapshot } from '../launch/question/launchSnapshot.ts';
import type { WatchedFile } from '../launch/question/watchedFiles.ts';

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
  /** While one of them is not as it was then, the launch is asked about again. */
  readonly files?: readonly WatchedFile[];
  /** Where inputs stand in what is fixed: the launch that they have made of it. Absent before its first start. */
  readonly completed?: CompletedLaunch;
}

/** A launch with what was given for its inputs. */
export interface CompletedLaunch {
  readonly fingerprint: string;
  readonly given: GivenInputs;
}

/** A folder inside one of the workspace's that was added to what a server may see. */
interface SubfolderChoice {
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
interface PreferenceDecision {
  readonly kind: 'preference';
  readonly key: string;
  readonly serverId: ServerId;
  readonly label: string;
  readonly at: number;
}

/** That the sample server is in the list of servers. */
interface SampleDecision {
  readonly kind: 'sample';
  readonly key: string;
  readonly serverId: ServerId;
  readonly label: string;
  readonly at: number;
}

/** Which of a server's tools are exposed: all, none or what the definition says, with exceptions. */
export interface ExposureDecision {
  readonly kind: 'exposure';
  readonly key: string;
  readonly serverId: ServerId;
  readonly label: string;
  readonly basis: 'definition' | 'all' | 'none';
  /** Names of tools for which the opposite holds. */
  readonly except: readonly string[];
  /** Tools that come later are shown before the person has seen them; absent, they are held back. */
  readonly newTools?: 'offered';
  readonly at: number;
}

/** That a server is offered to the editor's agent mode, which asks for each call by its own settings. */
interface GrantDecision {
  readonly kind: 'grant';
  readonly key: string;
  readonly serverId: ServerId;
  readonly label: string;
  readonly at: number;
}

/** That what a server claims of its tools (`annotations`) is believed, as long as its launch is this one. */
interface TrustDecision {
  readonly kind: 'trust';
  readonly key: string;
  readonly serverId: ServerId;
  readonly label: string;
  /** Of the launch. */
  readonly fingerprint: string;
  readonly at: number;
}

/**
 * That what a server showed of itself was pinned: no word of the person's, but kept with theirs, so that pins that are
 * gone are known to be lost.
 */
interface PinnedDecision {
  readonly kind: 'pinned';
  readonly key: string;
  readonly serverId: ServerId;
  readonly label: string;
  /** Of the launch. */
  readonly fingerprint: string;
  readonly at: number;
}

/** Your answer to requests of one caller to one server. */
export interface CallDecision {
  readonly kind: 'call';
  readonly key: string;
  readonly answer: Answer;
  readonly span: 'workspace' | 'always';
  readonly serverId: ServerId;
  readonly label: string;
  /** `callerKey` and `callerText` of the caller, by the names that files have had since the first version. */
  readonly door: string;
  readonly doorText: string;
  /** One tool or prompt by its name, all tools, all resources or all prompts. */
  readonly target: CallTarget;
  /** Of the launch that was running: with another one an `allow` counts no more, a `deny` does. */
  readonly fingerprint: string;
  /** The URIs of the workspace's folders, for the span `workspace`: it holds where there are no others. */
  readonly folders?: readonly string[];
  readonly at: number;
}

/** What the person said of a server's access to language models, for each occasion on which it may ask. */
export interface SamplingDecision {
  readonly kind: 'sampling';
  readonly key: string;
  readonly serverId: ServerId;
  readonly label: string;
  /** While it works on a request of ours, and by itself; what is not said follows the settings. */
  readonly inCall?: SamplingPolicy;
  readonly unasked?: SamplingPolicy;
  /** Of the launch that was running: with another one `allow` and `session` count as `ask`. */
  readonly fingerprint: string;
  readonly at: number;
}

/** What a decision on requests is about; without a name, everything of that kind. */
export interface CallTarget {
  readonly kind: 'tool' | 'resource' | 'prompt';
  readonly name?: string;
}

export type Decision =
  | LaunchDecision
  | RootsDecision
  | PreferenceDecision
  | SampleDecision
  | ExposureDecision
  | GrantDecision
  | TrustDecision
  | PinnedDecision
  | CallDecision
  | SamplingDecision;

/** A decision as it is kept; `id` names its entry. */
export type KeptDecision = Decision & { readonly id: string };

/** What the person decided themselves. */
export type PersonDecision = Exclude<Decision, PinnedDecision>;
