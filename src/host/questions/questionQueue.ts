import { toDisposable, type Disposable } from '../../base/disposable.ts';
import { Emitter } from '../../base/event.ts';
import type { ServerDefinition, ServerId } from '../config/serverDefinition.ts';
import type { CallAnswer, CallSpan } from './callAnswer.ts';
import type { Door } from '../ledger/door.ts';
import type { CallMethod } from '../ledger/ledgerEntry.ts';
import type { ShownVariable } from '../launch/launchVariables.ts';
import type { SharedRoot } from '../folders/sharedRoot.ts';
import type { OfferedFile } from '../launch/question/watchedFiles.ts';
import type { SamplingReview } from '../sampling/samplingReview.ts';

/** Whether a server may be launched as its definition says, and what it may see of the workspace. */
export interface LaunchQuestion {
  readonly kind: 'launch';
  readonly definition: ServerDefinition;
  /** What the server is called before the person. */
  readonly label: string;
  readonly workingDirectory: string;
  /** What is unusual for an honest server, a sentence each. */
  readonly warnings: readonly string[];
  /** What is worth knowing, a sentence each. */
  readonly notes: readonly string[];
  /** What is different from the launch that was allowed last, a sentence each; empty for a new server. */
  readonly changes: readonly string[];
  /** Where each variable leads that decides over the launch. */
  readonly variables?: readonly ShownVariable[];
  /** What the launch tells the server of the workspace, whatever is shared: a line for each path. */
  readonly tells?: readonly string[];
  /** The folders that may be shared as roots, and whether they are proposed. */
  readonly folders: readonly OfferedFolder[];
  /** What is shared without asking, where the person's definition or settings have decided that. */
  readonly sharing?: DecidedSharing;
  /** The files of the launch whose changes may ask again. */
  readonly files?: readonly OfferedFile[];
}

export interface DecidedSharing {
  readonly basis: 'definition' | 'setting';
  readonly roots: readonly SharedRoot[];
}

export interface OfferedFolder extends SharedRoot {
  readonly isProposed: boolean;
}

/**
 * What the person said to a launch; `roots` are the URIs of the folders to share, `files` the paths of those whose
 * changes ask again: without them, those that are proposed.
 */
export type LaunchAnswer =
  | { readonly answer: 'allow'; readonly roots: readonly string[]; readonly files?: readonly string[] }
  | { readonly answer: 'deny' };

/** A server as a question names it. */
export interface AskingServer {
  readonly definition: ServerDefinition;
  /** What the server is called before the person. */
  readonly label: string;
}

/** Which folders servers may see that have asked for them and about which nothing is decided. */
export interface RootsQuestion {
  readonly kind: 'roots';
  /** At least one; all of them were offered these folders. */
  readonly servers: readonly AskingServer[];
  readonly folders: readonly OfferedFolder[];
}

/** What the person said to servers that asked for folders: the URIs to share, or nothing for now. */
export type RootsAnswer =
  { readonly answer: 'share'; readonly roots: readonly string[] } | { readonly answer: 'notNow' };

/** Whether a request may go to a server: of a model, or of another extension. */
export interface CallQuestion {
  readonly kind: 'call';
  readonly server: AskingServer;
  readonly door: Door;
  readonly method: CallMethod;
  /** The tool or prompt by its name, or the URI of the resource. */
  readonly target: string;
  /** What the server says of it. */
  readonly title?: string;
  readonly description?: string;
  /** As the server will get them. */
  readonly args?: Readonly<Record<string, unknown>>;
  /** What deserves a second look, a sentence each. */
  readonly warnings: readonly string[];
  /** What the server claims of the tool, a sentence each; nobody has checked it. */
  readonly claims: readonly string[];
  /** For how long an answer can be remembered; `once` alone where the person is asked each time. */
  readonly spans: readonly CallSpan[];
}

/**
 * Whether a server's request goes to a language model, and what of the answer goes back. It takes several steps, which
 * are acts on `review`; it is withdrawn when that has come to an end.
 */
export interface SamplingQuestion {
  readonly kind: 'sampling';
  readonly server: AskingServer;
  readonly review: SamplingReview;
}

export type Question = LaunchQuestion | RootsQuestion | CallQuestion | SamplingQuestion;

/** What the person can say to each kind of question. */
interface Answers {
  readonly launch: LaunchAnswer;
  readonly roots: RootsAnswer;
  readonly call: CallAnswer;
  readonly sampling: never;
}

export type AnswerTo<Q extends Question> = Answers[Q['kind']];

/** The servers that a question is about. */
export function serversOf(question: Question): readonly AskingServer[] {
  switch (question.kind) {
    case 'launch':
      return [question];
    case 'roots':
      return question.servers;
    case 'call':
    case 'sampling':
      return [question.server];
  }
}

/** How many servers wait for an answer. */
export function waitingServers(questions: readonly Question[]): number {
  return new Set(questions.flatMap(serversOf).map(({ definition }) => definition.id)).size;
}

export function isAbout(question: Question, id: ServerId): boolean {
  return serversOf(question).some(({ definition }) => definition.id === id);
}

interface Entry {
  readonly question: Question;
  // A method, because an entry takes the answers of its own kind of question only: `ask` sees to that.
  answered(answer: AnswerTo<Question>): void;
}

/**
 * The one queue of everything that the person is asked. A question stays until it is answered or
 * withdrawn; looking away from it is no answer.
 */
export class QuestionQueue {
  readonly #entries: Entry[] = [];
  readonly #onDidChange = new Emitter<void>();
  readonly onDidChange = this.#onDidChange.event;

  get questions(): readonly Question[] {
    return this.#entries.map(({ question }) => question);
  }

  /** Adds a question; disposing the result withdraws it, after which it is never answered. */
  ask<Q extends Question>(question: Q, answered: (answer: AnswerTo<Q>) => void): Disposable {
    this.#entries.push({ question, answered });
    this.#onDidChange.fire();
    return toDisposable(() => this.#take(question));
  }

  /** Gives the person's answer; false when the question was withdrawn meanwhile. */
  answer<Q extends Question>(question: Q, answer: AnswerTo<Q>): boolean {
    const entry = this.#take(question);
    entry?.answered(answer);
    return entry !== undefined;
  }

  #take(question: Question): Entry | undefined {
    const index = this.#entries.findIndex((entry) => entry.question === question);
    const [entry] = index < 0 ? [] : this.#entries.splice(index, 1);
    if (entry) {
      this.#onDidChange.fire();
    }
    return entry;
  }
}
