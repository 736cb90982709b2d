import * as vscode from 'vscode';
import type { DisposableStore } from '../../base/lifetime/disposable.ts';
import type { KeptByServer } from '../../host/config/keptByServer.ts';
import type { McpHost } from '../../host/servers/mcpHost.ts';
import { MissedRequests } from '../../host/sampling/review/missedRequests.ts';
import type { SamplingParts } from '../../host/sampling/samplingAccess.ts';
import { SamplingBroker } from '../../host/sampling/samplingBroker.ts';
import { TokenUsage } from '../../host/sampling/tokenUsage.ts';
import { EditorLanguageModels } from './editorLanguageModels.ts';
import { KeptModelRecord } from './modelRecord.ts';
import { samplingSettings } from './samplingSettings.ts';
import { ServerLog } from '../servers/serverLog.ts';

/**
 * Builds model access for all servers, until the store is disposed. It needs the host as soon as there is a server, and
 * the host needs it.
 */
export function openSampling(
  context: Pick<vscode.ExtensionContext, 'globalState' | 'globalStorageUri'>,
  host: () => McpHost,
  parts: Pick<SamplingParts, 'decisions' | 'questions' | 'ledger' | 'runAgain'>,
  store: DisposableStore,
) {
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
      ...parts,
      models,
      settings,
      record,
      usage,
      missed,
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
  /** What is allowed for the session, and what was used today. */
  const kept: KeptByServer = {
    copy: async (from, { id }) => {
      access.decisions.copySession(from, id);
      await usage.refresh();
      usage.add(id, usage.today(from));
    },
    forget: (id) => access.decisions.forgetSession(id),
  };
  /** Saves what was used, after the last server has stopped; resolves when that is done or has failed. */
  const close = async (): Promise<void> => {
    await usage.flush();
    usage.dispose();
  };
  return { broker, missed, models, record, settings, access, kept, close };
}
