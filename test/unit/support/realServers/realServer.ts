import type { CompleteRequestParams } from '@modelcontextprotocol/client';
import type { ProtocolEra } from '../../../../src/host/state/connectionState.ts';

/**
 * A server that was published, and what it has; for the latest revision one of ours on the SDK that was published.
 * What a server does not have is an empty list.
 */
export interface RealServer {
  readonly name: string;
  readonly era: ProtocolEra;
  readonly revision: string;
  /** The package of the SDK that it loads, with its version. */
  readonly sdk: string;
  readonly ways: readonly Way[];
  readonly lists: {
    readonly tools: readonly string[];
    readonly resources: readonly string[];
    readonly templates: readonly string[];
    readonly prompts: readonly string[];
  };
  readonly calls: readonly Call[];
  /** A tool that tells how far it is, and how one sees that the server hears of its cancellation. */
  readonly slow: { readonly tool: string; readonly cancelled: Sign };
  /** A tool that asks for a language model. */
  readonly sampling: { readonly tool: string; readonly asks: string; readonly gives: string };
  readonly reads: readonly { readonly uri: string; readonly gives: string }[];
  readonly prompts: readonly {
    readonly name: string;
    readonly args: Readonly<Record<string, string>>;
    readonly gives: readonly string[];
  }[];
  readonly completions: readonly {
    readonly params: CompleteRequestParams;
    readonly gives: readonly string[];
  }[];
  /** A tool that gives the roots, and the messages by which the server confirms a second one. */
  readonly roots: readonly { readonly tool: string; readonly logs: readonly string[] }[];
}

/** How a server is started and reached, and what it does over that transport only. */
export interface Way {
  readonly name: string;
  /** The script and its arguments. */
  readonly program: readonly string[];
  readonly reach:
    | { readonly type: 'stdio' }
    | { readonly type: 'http' | 'sse'; readonly path: '/mcp' | '/sse' };
  /** Of five steps, the last one that certainly arrives before the answer. */
  readonly lastStep: number;
  /** How one sees that it hears of a client that leaves. */
  readonly left: readonly Sign[];
  /** A resource of which it says that it has changed when a tool is called. */
  readonly updates: readonly { readonly uri: string; readonly tool: string }[];
  /** Those of which it says so every few seconds. */
  readonly clockUpdates: readonly string[];
  /** Messages for the log that it has sent by the time that it was called. */
  readonly logs: readonly string[];
}

/** What can be seen of a server from outside: its end, what it prints, or a message that is sent to it. */
export type Sign = 'exits' | { readonly prints: string } | { readonly isSent: string };

export interface Call {
  readonly tool: string;
  readonly args?: Readonly<Record<string, unknown>>;
  /** Each block in one line; see `shown`. */
  readonly gives: readonly string[];
  readonly structured?: unknown;
}

/** What the published servers print at a DELETE of their session. */
export const deleted: Sign = { prints: 'Received session termination request for session' };

type More = Partial<Pick<Way, 'lastStep' | 'left' | 'updates' | 'clockUpdates' | 'logs'>>;

const usual = { lastStep: 5, left: [], updates: [], clockUpdates: [], logs: [] } as const;

export function stdio(program: readonly string[], more: More = {}): Way {
  return { ...usual, name: 'stdio', program, reach: { type: 'stdio' }, ...more };
}

export function streamableHttp(program: readonly string[], more: More = {}): Way {
  const reach = { type: 'http', path: '/mcp' } as const;
  return { ...usual, name: 'Streamable HTTP', program, reach, ...more };
}

/** The two ways by which this host comes to a server that speaks HTTP+SSE and nothing else. */
export function httpWithSse(program: readonly string[], more: More = {}): readonly Way[] {
  const way = { ...usual, program, ...more };
  return [
    { ...way, name: 'HTTP+SSE', reach: { type: 'sse', path: '/sse' } },
    { ...way, name: 'HTTP+SSE as the fallback', reach: { type: 'http', path: '/sse' } },
  ];
}
