import { visibleText } from '../../base/text/visibleText.ts';
import { sentence, cutTo } from '../../base/text/words.ts';
import type { ServerId } from '../config/serverDefinition.ts';
import type { GateSettings } from '../config/settings.ts';
import { HostError } from '../errors/hostError.ts';
import type { AgentGrants } from '../gate/agentGrants.ts';
import { failureForModel } from '../gate/failureForModel.ts';
import type { Gate } from '../gate/gate.ts';
import type { HostTools } from '../gate/hostTools.ts';
import type { Caller } from '../ledger/caller.ts';
import type { HostServer } from '../servers/mcpHost.ts';
import { withoutUserParts } from '../tools/audience.ts';
import { modelResult } from '../tools/modelResult.ts';
import { isOffered, type HostTool } from '../tools/hostTool.ts';
import { tokensOfText } from '../tools/tokenEstimate.ts';
import { ChatIndex } from './chatIndex.ts';
import { callInput, findInput, readInput } from './chatInput.ts';
import { chatParts, linkHelp, type ChatPart } from './chatParts.ts';
import { foundToolsText, nearestToolsText } from './foundTools.ts';

/** How many of the tools that are found a model gets whole, how many by name, and how many an error names. */
const FIRST = 5;
const FOUND = 12;
const NEAREST = 5;

/** Characters of what a model has sent that an error repeats. */
const MAX_REPEATED = 200;

export interface ChatToolsContext {
  /** The servers that chat could get here; a sentence for the model if it can get none. */
  readonly servers: () => readonly HostServer[] | string;
  readonly grants: Pick<AgentGrants, 'isGranted'>;
  readonly tools: Pick<HostTools, 'of'>;
  readonly gate: Gate;
  readonly settings: Pick<GateSettings, 'maxResultTokens'>;
  /** Keeps a text that is too long for a model, and says where you find it. */
  readonly keepWhole: (name: string, text: string) => string;
}

/**
 * The three tools by which any model uses the servers that are in chat: one finds their tools, one calls
 * them, one reads their resources. Every request goes through the gate, and asks there.
 *
 * Inputs are what a model has sent: anything. All methods throw HostError with a message for the model, in sentences,
 * that say what to do; CancellationError.
 */
export class ChatTools {
  readonly #context: ChatToolsContext;
  readonly #index: ChatIndex;

  constructor(context: ChatToolsContext) {
    this.#context = context;
    this.#index = new ChatIndex(context.tools);
  }

  /** The tools that fit a task, with their schemas, as a text. */
  async find(input: unknown): Promise<string> {
    const read = findInput(input);
    if (read.kind === 'flaw') {
      throw new HostError('invalidArguments', read.flaw);
    }
    const servers = this.#servers();
    const { query, server } = read.input;
    const only = server === undefined ? undefined : this.#named(servers, server);
    servers.forEach(({ connection }) => connection.catalogue?.look('tools'));
    const found = await this.#index.find(servers, query, FOUND, only);
    return found.length > 0
      ? foundToolsText(found, FIRST, this.#context.settings.maxResultTokens)
      : `No tool matches these words. Try other words for the same. ${namesText(servers)}`;
  }

  /** Calls a tool through the gate. A failed tool is a result that says so. */
  async call(input: unknown, caller: Caller, signal?: AbortSignal): Promise<readonly ChatPart[]> {
    const servers = this.#servers();
    const read = callInput(input);
    if (read.kind === 'flaw') {
      const nearest = await this.#nearest(servers, JSON.stringify(input) ?? '');
      throw new HostError('invalidArguments', `${read.flaw} ${nearest}`);
    }
    const { tool, args } = read.input;
    const server = await this.#serverOf(servers, read.input.server, tool);
    const { id } = server.connection.definition;
    const { gate, settings, keepWhole } = this.#context;
    try {
      const result = await gate.callTool(caller, id, tool, args, {}, signal);
      const keepText = (text: string): string => keepWhole(tool, text);
      const options = {
        maxTokens: settings.maxResultTokens,
        keepWhole: (text: string) => Promise.resolve(keepText(text)),
      };
      const parts = chatParts(await modelResult(withoutUserParts(result, keepText), options));
      return [...parts, ...linkHelp(parts, server.label)];
    } catch (error) {
      throw await this.#explained(error, servers, server, tool);
    }
  }

  /** Reads a resource through the gate. */
  async read(input: unknown, caller: Caller, signal?: AbortSignal): Promise<readonly ChatPart[]> {
    const servers = this.#servers();
    const read = readInput(input);
    if (read.kind === 'flaw') {
      throw new HostError('invalidArguments', `${read.flaw} ${namesText(servers)}`);
    }
    const { uri } = read.input;
    const server = this.#named(servers, read.input.server);
    const { id } = server.connection.definition;
    const { gate, settings, keepWhole } = this.#context;
    try {
      const { contents } = await gate.readResource(caller, id, uri, undefined, signal);
      const content = contents.map((resource) => ({ type: 'resource' as const, resource }));
      const options = {
        maxTokens: settings.maxResultTokens,
        keepWhole: (text: string) => Promise.resolve(keepWhole('resource', text)),
      };
      return content.length > 0
        ? chatParts(await modelResult({ content }, options))
        : [{ kind: 'text', text: 'The resource is empty.' }];
    } catch (error) {
      throw inSentences(error);
    }
  }

  /** The running servers that you use in chat: a model gets no word of any other. */
  #servers(): readonly HostServer[] {
    const possible = this.#context.servers();
    if (typeof possible === 'string') {
      throw new HostError('notOffered', possible);
    }
    const { grants } = this.#context;
    const servers = possible.filter(
      ({ connection }) => connection.state.kind === 'running' && grants.isGranted(connection.definition.id),
    );
    if (servers.length === 0) {
      throw new HostError(
        'notOffered',
        'No running MCP server is in chat. The user can add one with "Use in Chat" in the view "Servers".',
      );
    }
    return servers;
  }

  #named(servers: readonly HostServer[], name: string): HostServer {
    const found = serverNamed(servers, name);
    if (!found) {
      throw new HostError(
        'notOffered',
        `No running server '${repeated(name)}' is in chat. ${namesText(servers)}`,
      );
    }
    return found;
  }

  /** The server that a call names; without a name, the only one that has the tool. */
  async #serverOf(
    servers: readonly HostServer[],
    name: string | undefined,
    tool: string,
  ): Promise<HostServer> {
    const found =
      name === undefined
        ? servers.filter(({ connection }) => this.#offered(connection.definition.id, tool))
        : [serverNamed(servers, name)].filter((server) => server !== undefined);
    const [server, ...others] = found;
    if (server && others.length === 0) {
      return server;
    }
    const flaw =
      name === undefined
        ? `Give "server": the server of the tool '${repeated(tool)}'.`
        : `No running server '${repeated(name)}' is in chat. ${namesText(servers)}`;
    throw new HostError('notOffered', `${flaw} ${await this.#nearest(servers, `${name ?? ''} ${tool}`)}`);
  }

  /** What failed, with what a model can do about it. */
  async #explained(
    error: unknown,
    servers: readonly HostServer[],
    server: HostServer,
    tool: string,
  ): Promise<unknown> {
    if (!(error instanceof HostError)) {
      return error;
    }
    if (error.code === 'notOffered') {
      const nearest = await this.#nearest(servers, `${server.label} ${tool}`, server);
      return new HostError(error.code, `${sentence(error.message)} ${nearest}`, { cause: error });
    }
    const offered = this.#offered(server.connection.definition.id, tool)?.offered;
    if (error.code === 'invalidArguments' && offered) {
      const schema = JSON.stringify(offered.inputSchema);
      return tokensOfText(schema) <= this.#context.settings.maxResultTokens
        ? new HostError(error.code, `${failureForModel(error)} The schema of its arguments: ${schema}`, {
            cause: error,
          })
        : inSentences(error);
    }
    return inSentences(error);
  }

  /** The tool, if callers may see it. */
  #offered(id: ServerId, name: string): HostTool | undefined {
    return this.#context.tools.of(id).find((one) => one.tool.name === name && isOffered(one));
  }

  async #nearest(servers: readonly HostServer[], words: string, only?: HostServer): Promise<string> {
    const found = await this.#index.find(servers, words, NEAREST, only);
    return nearestToolsText(
      found.length > 0 || !only ? found : await this.#index.find(servers, words, NEAREST),
    );
  }
}

function serverNamed(servers: readonly HostServer[], name: string): HostServer | undefined {
  return (
    servers.find(({ label }) => label === name) ??
    servers.find(({ label }) => label.toLowerCase() === name.trim().toLowerCase())
  );
}

function namesText(servers: readonly HostServer[]): string {
  return `Available servers: ${servers.map(({ label }) => JSON.stringify(label)).join(', ')}.`;
}

function repeated(text: string): string {
  return visibleText(cutTo(text, MAX_REPEATED));
}

/** A failure in sentences that say what to do. */
function inSentences(error: unknown): unknown {
  return error instanceof HostError
    ? new HostError(error.code, failureForModel(error), { cause: error })
    : error;
}
