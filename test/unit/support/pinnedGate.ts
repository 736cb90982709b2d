import path from 'node:path';
import { Emitter } from '../../../src/base/lifetime/event.ts';
import { DisposableStore, type Disposable } from '../../../src/base/lifetime/disposable.ts';
import { AgentGrants } from '../../../src/host/gate/agentGrants.ts';
import { CallDecisions } from '../../../src/host/gate/callDecisions.ts';
import { Gate } from '../../../src/host/gate/gate.ts';
import { Ledger } from '../../../src/host/ledger/ledger.ts';
import type { ToolsBed } from './toolsBed.ts';

/** The gate over tools that are truly pinned, with a ledger on the disk. */
export class PinnedGate implements Disposable {
  readonly gate: Gate;
  readonly grants: AgentGrants;
  readonly ledger: Ledger;
  readonly #store = new DisposableStore();

  constructor(bed: ToolsBed) {
    const { host, tools, questions } = bed;
    const settings = {
      confirm: 'byTrust',
      maxResultTokens: 10_000,
      isGatewayOn: true,
      storesContent: false,
      onDidChange: new Emitter<void>().event,
    } as const;
    const grants = this.#store.add(new AgentGrants(bed.decisions));
    const workspace = { folders: [] };
    const decisions = this.#store.add(new CallDecisions(bed.decisions, workspace));
    const ledger = this.#store.add(new Ledger(path.join(bed.bed.directory, 'activity'), settings));
    this.grants = grants;
    this.ledger = ledger;
    this.gate = new Gate({ host, tools, grants, decisions, questions, settings, workspace, ledger });
  }

  dispose(): void {
    this.#store.dispose();
  }
}
