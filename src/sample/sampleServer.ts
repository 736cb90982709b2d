import { errorCodes, isJson, Peer, RpcError, type Json } from './peer.ts';
import { prompts, samplePrompt, topicsFor } from './prompts.ts';
import { Resources, resources, templates } from './resources.ts';
import { runTool, tools } from './tools.ts';

/** The revisions that this server speaks, the latest first. Earlier ones have batches, which it does not. */
const revisions = ['2025-11-25', '2025-06-18'] as const;

const VERSION = '1.0.0';

/** A small server of the Model Context Protocol that shows what a server can do. */
export class SampleServer {
  readonly #peer: Peer;
  readonly #resources: Resources;
  /** What the client can do; undefined before `initialize`. */
  #capabilities: Json | undefined;

  /** `write` sends one line to the client. */
  constructor(write: (line: string) => void) {
    this.#peer = new Peer(write, {
      request: (method, params, signal) => this.#answer(method, params, signal),
      // `initialized`, and that folders have changed: they are asked for each time.
      notification: () => {},
    });
    this.#resources = new Resources((uri) => this.#peer.notify('notifications/resources/updated', { uri }));
  }

  receive(line: string): void {
    this.#peer.receive(line);
  }

  #answer(method: string, params: Json, signal: AbortSignal): unknown {
    switch (method) {
      case 'ping':
        return {};
      case 'initialize':
        return this.#initialize(params);
      case 'tools/list':
        return this.#page(params, { tools });
      case 'tools/call':
        return runTool(params['name'], asJson(params['arguments']), {
          resources: this.#resources,
          capabilities: this.#begun(),
          ask: (asked, about) => this.#peer.ask(asked, about, signal),
        });
      case 'resources/list':
        return this.#page(params, { resources });
      case 'resources/templates/list':
        return this.#page(params, { resourceTemplates: templates });
      case 'resources/read':
        this.#begun();
        return this.#resources.read(textOf(params, 'uri'));
      case 'resources/subscribe':
        this.#begun();
        this.#resources.subscribe(textOf(params, 'uri'));
        return {};
      case 'resources/unsubscribe':
        this.#begun();
        this.#resources.unsubscribe(textOf(params, 'uri'));
        return {};
      case 'prompts/list':
        return this.#page(params, { prompts });
      case 'prompts/get':
        this.#begun();
        return samplePrompt(params['name'], asJson(params['arguments']));
      case 'completion/complete':
        this.#begun();
        return this.#complete(params);
      default:
        throw new RpcError(errorCodes.methodNotFound, `This server has no method '${method}'.`);
    }
  }

  /** A revision other than the client's is an offer, which the client may decline (basic/lifecycle). */
  #initialize({ protocolVersion, capabilities }: Json): Json {
    this.#capabilities = asJson(capabilities);
    return {
      protocolVersion: revisions.find((one) => one === protocolVersion) ?? revisions[0],
      capabilities: { tools: {}, resources: { subscribe: true }, prompts: {}, completions: {} },
      serverInfo: { name: 'mcp-host-sample', title: 'Sample Server', version: VERSION },
      instructions:
        'A sample to try MCP with: it lists the shared folders, keeps notes, and asks for a haiku.',
    };
  }

  /** What the client can do; @throws RpcError before it has said so (basic/lifecycle). */
  #begun(): Json {
    if (!this.#capabilities) {
      throw new RpcError(errorCodes.invalidRequest, "The first request must be 'initialize'.");
    }
    return this.#capabilities;
  }

  /** Every list has one page (server/utilities/pagination). */
  #page({ cursor }: Json, list: Json): Json {
    this.#begun();
    if (cursor !== undefined) {
      throw new RpcError(errorCodes.invalidParams, 'There is no page with this cursor.');
    }
    return list;
  }

  /** @throws RpcError for a prompt or template that is not there (server/utilities/completion: -32602). */
  #complete(params: Json): Json {
    const { type, name, uri } = asJson(params['ref']);
    const typed = textOf(asJson(params['argument']), 'value');
    let values: readonly string[];
    if (type === 'ref/prompt' && prompts.some((prompt) => prompt['name'] === name)) {
      values = topicsFor(typed);
    } else if (type === 'ref/resource' && templates.some(({ uriTemplate }) => uriTemplate === uri)) {
      values = this.#resources.numbers.filter((number) => number.startsWith(typed));
    } else {
      throw new RpcError(errorCodes.invalidParams, 'There is nothing to complete for this.');
    }
    return { completion: { values, total: values.length, hasMore: false } };
  }
}

function asJson(value: unknown): Json {
  return isJson(value) ? value : {};
}

function textOf(params: Json, name: string): string {
  const value = params[name];
  if (typeof value !== 'string') {
    throw new RpcError(errorCodes.invalidParams, `The parameter '${name}' must be a text.`);
  }
  return value;
}
