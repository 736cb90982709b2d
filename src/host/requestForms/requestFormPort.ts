import type { PagePort } from '../review/pageSession.ts';
import type { ServerSchemas } from '../schemas/schemaCheck.ts';
import type { Logger } from '../../base/logging/logger.ts';
import type { RequestOptions } from '../connection/requests/sendRequest.ts';
import type { KeptFields } from '../../form/keptFields.ts';
import type { Openable } from '../documents/contentSection.ts';
import type { Question } from '../questions/question.ts';
import type { QuestionQueue } from '../questions/questionQueue.ts';
import type { Completing } from './fieldSuggestions.ts';
import type { TakesArguments } from './requestDraft.ts';
import type { SentArguments } from './sentArguments.ts';
import type { ActionView, RemedyName, ResultAction, ToRequestForm } from './requestFormProtocol.ts';
import type { ResultView } from './resultView.ts';

/** What a form is for, as its server lists it now; or why it can't be used. */
export type RequestLook =
  | ({ readonly kind: 'listed' } & ListedRequest)
  | {
      readonly kind: 'missing';
      readonly server: string;
      /** A sentence. */
      readonly reason: string;
      readonly remedies: readonly RemedyName[];
    };

/** A tool, a prompt or a template, as a form shows it. */
export interface ListedRequest {
  readonly server: string;
  /** As the server lists it: the form stays while that is equal. */
  readonly listed: { readonly title?: string | undefined; readonly description?: string | undefined };
  readonly takes: TakesArguments;
  readonly schemas: ServerSchemas;
  readonly logger: Logger;
  /** Who suggests values for its fields. */
  readonly completing?: Completing | undefined;
  /** What is requested with the texts that are entered so far. */
  readonly preview?: (texts: ReadonlyMap<string, string>) => string;
}

/** What a request gave. */
export interface RequestOutcome {
  /** Undefined if there is nothing to show below the form. */
  readonly view: ResultView | undefined;
  /** Such as `Finished`. */
  readonly words: string;
  /** What happened meanwhile, a sentence each. */
  readonly notes: readonly string[];
  readonly actions: readonly ActionView[];
  readonly openables: readonly Openable[];
  readonly open: (openable: Openable) => void;
  readonly use: (action: ResultAction) => void;
}

/** What a form hears of its request. */
export type RequestEvents = Required<Pick<RequestOptions, 'onProgress' | 'onSent'>>;

/** Where a form is shown, and what it can't do itself. */
export interface RequestFormPort extends PagePort<ToRequestForm> {
  /** Everything that waits for you. */
  readonly questions: Pick<QuestionQueue, 'questions' | 'onDidChange'>;
  look(): RequestLook;
  /** @throws as the request does. */
  send(sent: SentArguments, events: RequestEvents, signal: AbortSignal): Promise<RequestOutcome>;
  /** Why a request failed, as a sentence without its end. */
  failure(error: unknown, sent: SentArguments): string;
  /** Proposes these fields the next time; they have no secrets in them. */
  remember(fields: KeptFields): void;
  /** Has you answer a question. */
  review(question: Question): void;
  /** You have answered what `review` has shown: the form can come back. */
  answered(): void;
  /** A request ended while the form was hidden. */
  finished(hasFailed: boolean): void;
  remedy(remedy: RemedyName): void;
}
