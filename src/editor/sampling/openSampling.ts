import * as vscode from 'vscode';
import type { DisposableStore } from '../../base/lifetime/disposable.ts';
import type { DecisionStore } from '../../host/decisions/decisionStore.ts';
import type { QuestionQueue } from '../../host/questions/questionQueue.ts';
import type { ServerId } from '../../host/config/serverDefinition.ts';
import type { RequestInFlight } from '../../host/connection/requests/requestsInFlight.ts';
import type { Ledger } from '../../host/ledger/ledger.ts';
import type { KeptByServer } from '../../host/config/keptByServer.ts';
import type { McpHost } from '../../host/servers/mcpHost.ts';
import type { SamplingSettings } from '../../host/sampling/samplingSettings.ts';
import { MissedRequests } from '../../host/sampling/review/missedRequests.ts';
import type { SamplingAccess } from '../../host/sampling/samplingAccess.ts';
import { SamplingBroker } from '../../host/sampling/samplingBroker.ts';
import { TokenUsage } from '../../host/sampling/tokenUsage.ts';
import { EditorLanguageModels } from './editorLanguageModels.ts';
import { KeptModelRecord } from './modelRecord.ts';
import { samplingSettings } from './samplingSettings.ts';
import { ServerLog } from '../servers/serverLog.ts';

/** What model access needs. */
export interface SamplingGround {
  readonly context: Pick<vscode.ExtensionContext, 'globalState' | 'globalStorageUri'>;
  readonly decisions: DecisionStore;
  readonly questions: QuestionQueue;
  readonly ledger: Ledger;
  /** The host needs model access itself: it exists as soon as a server does. */
  readonly host: () => McpHost;
  /** Runs a tool again, as a click of yours. */
  readonly runAgain: (id: ServerId, request: RequestInFlight) => void;
}

/** Model access, and what decides about it. */
export interface OpenSampling {
  readonly broker: SamplingBroker;
  /** Requests that ended before they had an answer. */
  readonly missed: MissedRequests;
  readonly models: EditorLanguageModels;
  readonly record: KeptModelRecord;
  readonly settings: SamplingSettings;
  readonly access: SamplingAccess;
  /** What is allowed for the session, and what was used today. */
  readonly kept: KeptByServer;
  /** Saves what was used, after the last server has stopped; resolves when that is done or has failed. */
  close(): Promise<void>;
}

/** Builds model access for all servers, until the store is disposed. */
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
  // A model may still be answering: what it has used by then counts as well.
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
  const { access } = broker;
  const kept: KeptByServer = {
    copy: async (from, { id }) => {
      access.decisions.copySession(from, id);
      await usage.refresh();
      usage.add(id, usage.today(from));
    },
    forget: (id) => access.decisions.forgetSession(id),
  };
  const close = async (): Promise<void> => {
    await usage.flush();
    usage.dispose();
  };
  return { broker, missed, models, record, settings, access, kept, close };
}
