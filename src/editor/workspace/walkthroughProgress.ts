import { DisposableStore, type Disposable } from '../../base/lifetime/disposable.ts';
import type { DecisionStore } from '../../host/decisions/decisionStore.ts';
import { grantDecisionKind } from '../../host/gate/agentGrants.ts';
import { launchDecisionKind } from '../../host/launch/question/launchDecision.ts';
import type { Ledger } from '../../host/ledger/ledger.ts';
import type { McpHost } from '../../host/servers/mcpHost.ts';
import { sampleId } from '../../host/added/addedDefinitions.ts';
import type { ContextKeys } from './contextKeys.ts';

export interface WalkthroughSources {
  readonly host: McpHost;
  readonly decisions: DecisionStore;
  readonly ledger: Pick<Ledger, 'entries' | 'onDidChange'>;
  /** Whether this editor has an agent mode that takes servers. */
  readonly agentMode: { readonly isAvailable: boolean };
}

/** Sets what the steps of the walkthrough wait for: a tick means that you have done it. */
export class WalkthroughProgress implements Disposable {
  readonly #sources: WalkthroughSources;
  readonly #keys: Pick<ContextKeys, 'set'>;
  readonly #store = new DisposableStore();
  /** A tool has run before: the entries need not be searched again. */
  #hasRunTool = false;

  constructor(sources: WalkthroughSources, keys: Pick<ContextKeys, 'set'>) {
    this.#sources = sources;
    this.#keys = keys;
    const { host, decisions, ledger } = sources;
    const update = (): void => this.#update();
    this.#store.add(host.onDidChangeServers(update));
    this.#store.add(decisions.onDidChange(update));
    // Each call changes the ledger several times.
    this.#store.add(ledger.onDidChange(() => this.#updateHasRunTool()));
    this.#store.add(host.onDidChangeServer(({ state }) => state.kind === 'running' && this.#update()));
    this.#update();
  }

  dispose(): void {
    this.#store.dispose();
  }

  #update(): void {
    const { host, decisions, agentMode } = this.#sources;
    const ids = host.servers.map(({ connection }) => connection.definition.id);
    this.#updateHasRunTool();
    this.#keys.set(
      'mcpHost.hasOwnServer',
      ids.some((id) => id !== sampleId),
    );
    this.#keys.set('mcpHost.isSampleRunning', host.server(sampleId)?.connection.state.kind === 'running');
    this.#keys.set(
      'mcpHost.hasAllowedLaunch',
      decisions.allOf(launchDecisionKind).some(({ answer }) => answer === 'allow'),
    );
    this.#keys.set('mcpHost.hasAgentMode', agentMode.isAvailable);
    this.#keys.set('mcpHost.hasAgentGrant', decisions.allOf(grantDecisionKind).length > 0);
  }

  #updateHasRunTool(): void {
    this.#hasRunTool ||= this.#sources.ledger.entries.some(
      ({ method, outcome }) => method === 'tools/call' && (outcome === 'done' || outcome === 'toolError'),
    );
    this.#keys.set('mcpHost.hasRunTool', this.#hasRunTool);
  }
}
