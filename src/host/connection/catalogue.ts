import type { Client, Prompt, Resource, ResourceTemplateType, Tool } from '@modelcontextprotocol/client';
import { Coalesced } from '../../base/coalesced.ts';
import { Emitter } from '../../base/event.ts';
import type { Logger } from '../../base/logger.ts';
import { messageOf } from '../hostError.ts';
import type { ListKind } from './session.ts';

/** What the catalogue asks of a client; the SDK's gives each list whole. */
export type CatalogueClient = Pick<
  Client,
  'getServerCapabilities' | 'listTools' | 'listResources' | 'listResourceTemplates' | 'listPrompts'
>;

/** What one server offers, as it was last listed. */
export class Catalogue {
  tools: readonly Tool[] = [];
  resources: readonly Resource[] = [];
  resourceTemplates: readonly ResourceTemplateType[] = [];
  prompts: readonly Prompt[] = [];
  /** True from the first list of tools on, which may be empty. */
  hasListedTools = false;

  readonly #onDidChange = new Emitter<ListKind>();
  readonly onDidChange = this.#onDidChange.event;
  readonly #client: CatalogueClient;
  readonly #logger: Logger;
  readonly #timeout: number;
  readonly #lists = new Coalesced<ListKind>((kind) => this.#listOrSayWhyNot(kind));

  constructor(client: CatalogueClient, logger: Logger, timeout: number) {
    this.#client = client;
    this.#logger = logger;
    this.#timeout = timeout;
  }

  /** Lists what the server has declared (2025-06-18, basic/lifecycle: only negotiated capabilities are used). */
  async refreshAll(): Promise<void> {
    const capabilities = this.#client.getServerCapabilities() ?? {};
    const kinds: readonly ListKind[] = ['tools', 'resources', 'prompts'];
    await Promise.all(kinds.filter((kind) => capabilities[kind]).map((kind) => this.refresh(kind)));
  }

  /**
   * Lists one kind anew. A refresh asked for while one runs is done once after it, so that a flood of
   * notifications costs two lists. A list that fails keeps the old one, and says so in the log.
   */
  refresh(kind: ListKind): Promise<void> {
    return this.#lists.run(kind);
  }

  /** The listing of one kind that is under way; it resolves whether or not it succeeds. */
  listing(kind: ListKind): Promise<void> | undefined {
    return this.#lists.running(kind);
  }

  async #listOrSayWhyNot(kind: ListKind): Promise<void> {
    try {
      await this.#list(kind);
      this.#onDidChange.fire(kind);
    } catch (error) {
      this.#logger.log('error', `The list of ${kind} could not be read: ${messageOf(error)}`);
    }
  }

  async #list(kind: ListKind): Promise<void> {
    const options = { timeout: this.#timeout, cacheMode: 'refresh' } as const;
    switch (kind) {
      case 'tools':
        this.tools = (await this.#client.listTools(undefined, options)).tools;
        this.hasListedTools = true;
        break;
      case 'resources': {
        const [resources, templates] = await Promise.all([
          this.#client.listResources(undefined, options),
          // Many servers with resources know no templates: that costs the templates only.
          this.#client.listResourceTemplates(undefined, options).catch((error: unknown) => {
            this.#logger.log('debug', `There are no resource templates: ${messageOf(error)}`);
            return { resourceTemplates: [] };
          }),
        ]);
        this.resources = resources.resources;
        this.resourceTemplates = templates.resourceTemplates;
        break;
      }
      case 'prompts':
        this.prompts = (await this.#client.listPrompts(undefined, options)).prompts;
        break;
    }
  }
}
