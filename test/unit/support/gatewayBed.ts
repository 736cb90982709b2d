import assert from 'node:assert/strict';
import { Client, StreamableHTTPClientTransport, type ClientOptions } from '@modelcontextprotocol/client';
import type { ServerDefinition } from '../../../src/host/config/serverDefinition.ts';
import { Gateway, type GatewayEndpoint } from '../../../src/host/gateway/gateway.ts';
import type { ListenerLimits } from '../../../src/host/gateway/loopbackListener.ts';
import type { LedgerEntry } from '../../../src/host/ledger/ledgerEntry.ts';
import { RecordingLedger } from './gateBed.ts';
import { RecordingLogger } from './recordingLogger.ts';
import { ToolsBed } from './toolsBed.ts';
import { until } from './until.ts';

export type Era = 'legacy' | 'modern';

/** A host whose servers are served again, with clients that reach them there. */
export class GatewayBed extends ToolsBed {
  readonly logger = new RecordingLogger();
  /** What was asked for through the gate, and what became of it. */
  readonly recorded = new RecordingLedger();
  override readonly gate = this.gateWith(this.recorded);
  /** What ran before, for the gateway; `load` adds those of earlier windows. */
  readonly past: LedgerEntry[] = [];
  readonly earlier: LedgerEntry[] = [];
  /** What was too long for a model. */
  readonly kept: string[] = [];
  readonly gateway: Gateway;
  readonly #clients: Client[] = [];

  constructor(limits: Partial<ListenerLimits> = {}, ceiling?: number) {
    super();
    this.gateway = new Gateway({
      host: this.host,
      tools: this.tools,
      gate: this.gate,
      grants: this.grants,
      settings: this.gateSettings,
      ledger: {
        entries: this.past,
        load: () => Promise.resolve().then(() => void this.past.push(...this.earlier.splice(0))),
      },
      logger: this.logger,
      clientVersion: '0.0.0',
      keepWhole: (_server, tool, text) => Promise.resolve(`${tool} ${this.kept.push(text)}`),
      limits,
      ...(ceiling !== undefined && { ceiling }),
    });
  }

  /** Runs a server until it is granted, compared and served. */
  async serve(definition: ServerDefinition): Promise<GatewayEndpoint> {
    await this.gateway.start();
    await this.runCompared(definition);
    await this.grants.grant(definition.id, true);
    await this.untilServed(definition);
    return this.endpoint(definition);
  }

  untilServed({ id }: ServerDefinition): Promise<void> {
    return until(
      () => this.gateway.endpoints.some(({ serverId }) => serverId === id),
      'the server is served',
      this.gateway.onDidChangeEndpoints,
    );
  }

  endpoint({ id }: ServerDefinition): GatewayEndpoint {
    return this.gateway.endpoints.find(({ serverId }) => serverId === id) ?? assert.fail('it is not served');
  }

  async client({ url, headers }: GatewayEndpoint, era: Era, options: ClientOptions = {}): Promise<Client> {
    const client = new Client(
      { name: 'editor', version: '1.0.0' },
      { versionNegotiation: { mode: 'auto' }, ...options },
    );
    this.#clients.push(client);
    await client.connect(
      new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }),
      era === 'legacy' ? { prior: { kind: 'legacy' } } : {},
    );
    assert.equal(client.getProtocolEra(), era);
    return client;
  }

  override async close(): Promise<void> {
    await Promise.all(this.#clients.map((client) => client.close()));
    await this.gateway.close();
    await super.close();
  }
}
