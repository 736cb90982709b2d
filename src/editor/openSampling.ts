import * as vscode from 'vscode';
import type { DisposableStore } from '../base/disposable.ts';
import type { DecisionStore } from '../host/decisions/decisionStore.ts';
import type { ServerId } from '../host/config/serverDefinition.ts';
import type { RequestInFlight } from '../host/connection/requests/requestsInFlight.ts';
import type { Ledger } from '../host/ledger/ledger.ts';
import type { KeptByServer } from '../host/config/keptByServer.ts';
import type { McpHost } from '../host/servers/mcpHost.ts';
import type { SamplingSettings } from '../host/config/samplingSettings.ts';
import { MissedRequests } from '../host/sampling/missedRequests.ts';
import { SamplingBroker } from '../host/sampling/samplingBroker.ts';
import { TokenUsage } from '../host/sampling/tokenUsage.ts';
import { EditorLanguageModels } from './languageModels.ts';
import { KeptModelRecord } from './modelRecord.ts';
import { samplingSettings } from './samplingSettings.ts';
import { ServerLog } from './servers/serverLog.ts';
import type { ModelAccessSource } from './views/servers/serverNodes.ts';
import type { QuestionQueue } from '../host/questions/questionQueue.ts';

/** What model access is built on. */
export interface SamplingGround {
  readonly context: Pick<vscode.ExtensionContext, 'globalState' | 'globalStorageUri'>;
  readonly decisions: DecisionStore;
  readonly questions: QuestionQueue;
  readonly ledger: Ledger;
  /** The host is built on model access: it is there as soon as a server is. */
  readonly host: () => McpHost;
  /** Runs a tool again as the person's own click. */
  readonly runAgain: (id: ServerId, request: RequestInFlight) => void;
}

/** Access of servers to the editor's language models, and what it goes by. */
export interface OpenSampling {
  readonly broker: SamplingBroker;
  /** Requests that ended before they had an answer. */
  readonly missed: MissedRequests;
  readonly models: EditorLanguageModels;
  readonly record: KeptModelRecord;
  readonly settings: SamplingSettings;
  readonly access: ModelAccessSource;
  /** What holds for the session, and what was used today. */
  readonly kept: KeptByServer;
  /** Ends the books on what was used, after the last server; resolves when they are on the disk, or cannot be. */
  close(): Promise<void>;
}

/** Builds the access of all servers to language models; everything of it ends with the store. */
export function openSampling(ground: SamplingGround, store: DisposableStore): OpenSampling {
  const { context, decisions, questions, ledger, host, runAgain } = ground;
  const settings = samplingSettings(vscode.workspace);
  const models = store.add(new EditorLanguageModels());
  const record = new KeptModelRecord(context.globalState, (id) => models.known(id));
  const usage = new TokenUsage(
    vscode.Uri.joinPath(context.globalStorageUri, 'sampling').fsPath,
    Date.now,
    store.add(new ServerLog('Model Access')),
  );
  // A model may be answering still: what it has said by its end counts, too.
  store.add({ dispose: () => void usage.flush() });
  const missed = new MissedRequests();
  const broker = store.add(
    new SamplingBroker({
      models,
      settings,
      decisions,
      record,
      usage,
      questions,
      missed,
      ledger,
      runAgain,
      launchOf: (id) => host().runningLaunchOf(id),
      nextLaunchOf: (definition) => host().launchOf(definition),
      isTold: (id) => host().server(id)?.connection.isSamplingOffered,
      log: (id, ...line) =>
        host()
          .server(id)
          ?.connection.logger.log(...line),
      secretsOf: (id) => host().server(id)?.connection.secrets ?? [],
    }),
  );
  const access: ModelAccessSource = {
    onDidChange: (listener) => broker.onDidChange(listener),
    accessOf: (definition) => broker.accessOf(definition),
    get maxTokensPerDay() {
      return settings.maxTokensPerDay;
    },
  };
  const kept: KeptByServer = {
    copy: async (from, { id }) => {
      broker.copySession(from, id);
      await usage.refresh();
      usage.add(id, usage.today(from));
    },
    forget: (id) => broker.forgetSession(id),
  };
  const close = async (): Promise<void> => {
    await usage.flush();
    usage.dispose();
  };
  return { broker, missed, models, record, settings, access, kept, close };
}
