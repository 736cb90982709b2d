/** What breaks the specification of the negotiated revision, or makes a server hard to use. */
export interface Fault {
  /** A clause. */
  readonly text: string;
  /** The page of the specification, as `server/tools`. */
  readonly clause: string;
  /** The revision that is spoken. */
  readonly revision: string;
  /** False for what the specification forbids. */
  readonly isAdvice: boolean;
}

/** What all entries have. */
interface Recorded {
  /** Counted from 1 for each server in this window; none is used twice. */
  readonly number: number;
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** Counted from 1 for each server in this window. */
  readonly session: number;
  /** Whether it is an error, a failed result or a failed request. */
  readonly isFailure: boolean;
  /** Of what the server sent. */
  readonly faults: Fault[];
}

/** What other messages a message belongs to, by their numbers; none if they were not recorded. */
export interface Relation {
  /** A response is for its request, progress for the request that it reports on; a request of a server is within a call. */
  readonly as: 'for' | 'within' | 'cancels';
  /** More than one if only one of them can be meant, and nothing says which. */
  readonly numbers: readonly number[];
}

/** One HTTP request with its response. */
export interface HttpExchange {
  readonly method: string;
  /** Without its query. */
  readonly url: string;
  /** The names in the query: their values may be secret. */
  readonly query: readonly string[];
  /** The request's headers; undefined in place of a value that may be secret. */
  readonly headers: readonly (readonly [name: string, value: string | undefined])[];
  /** As `200 OK`, or why there is no response. */
  readonly outcome: string;
  readonly responseHeaders: HttpExchange['headers'];
  /** Milliseconds until the headers of the response. */
  readonly ms: number;
}

/** A JSON-RPC message as it was sent or received, without what is secret. */
export interface TrafficMessage extends Recorded {
  readonly kind: 'message';
  readonly direction: 'sent' | 'received';
  readonly is: 'request' | 'result' | 'error' | 'notification';
  /** Of a response, the method of its request; undefined if that was not recorded. */
  readonly method: string | undefined;
  /** The name of a tool or prompt, or a URI; of a response, that of its request. */
  readonly target: string | undefined;
  /** On one line; undefined if it is too large to keep. */
  readonly json: string | undefined;
  /** Bytes of its JSON, about. */
  readonly bytes: number;
  readonly relation: Relation | undefined;
  /** Of a response: milliseconds since its request. */
  readonly ms: number | undefined;
  /** What is unusual, as a clause. */
  readonly note: string | undefined;
  /** Of a request: the number of its response. */
  answer?: number;
  /** Of a request. */
  isCancelled?: boolean;
  /** How it was posted, if it was. */
  exchange?: HttpExchange;
}

/** Something between the messages. */
export interface TrafficNote extends Recorded {
  readonly kind: 'stderr' | 'stdout' | 'http' | 'session';
  /** The first line says it; others follow in its document. */
  readonly text: string;
}

export type TrafficEntry = TrafficMessage | TrafficNote;
