import * as vscode from 'vscode';
import type { DisposableStore } from '../base/disposable.ts';
import type { DecisionStore } from '../host/approval/decisionStore.ts';
import type { QuestionQueue } from '../host/approval/questionQueue.ts';
import type { ServerId } from '../host/config/serverDefinition.ts';
import type { RequestInFlight } from '../host/connection/requestsInFlight.ts';
import type { Ledger } from '../host/ledger/ledger.ts';
import type { SamplingSettings } from '../host/sampling/samplingSettings.ts';
import { SamplingBroker } from '../host/sampling/samplingBroker.ts';
import { TokenUsage } from '../host/sampling/tokenUsage.ts';
import { EditorLanguageModels } from './languageModels.ts';
import { KeptModelRecord } from './modelRecord.ts';
import { samplingSettings } from './samplingSettings.ts';
import type { ModelAccessSource } from './views/modelAccess.ts';

/** What model access is built on; servers are there later, and so is what needs them. */
export interface SamplingGround {
  readonly context: Pick<vscode.ExtensionContext, 'globalState' | 'globalStorageUri'>;
  readonly decisions: DecisionStore;
  readonly questions: QuestionQueue;
  readonly ledger: Ledger;
  /** The fingerprint of the launch that runs. */
  readonly launchOf: (id: ServerId) => string | undefined;
  /** Runs a tool again as the person's own click. */
  readonly runAgain: (id: ServerId, request: RequestInFlight) => void;
}

/** Access of servers to the editor's language models, and what it goes by. */
export interface OpenSampling {
  readonly broker: SamplingBroker;
  readonly models: EditorLanguageModels;
  readonly record: KeptModelRecord;
  readonly settings: SamplingSettings;
  readonly access: ModelAccessSource;
  /** Resolves when what was used is on the disk, or cannot be. */
  flush(): Promise<void>;
}

/** Builds the access of all servers to language models; everything of it ends with the store. */
export function openSampling(ground: SamplingGround, store: DisposableStore): OpenSampling {
  const { context, decisions, questions, ledger, launchOf, runAgain } = ground;
  const settings = samplingSettings(vscode.workspace);
  const models = store.add(new EditorLanguageModels());
  const record = new KeptModelRecord(context.globalState, (id) => models.known(id));
  const usage = store.add(
    new TokenUsage(vscode.Uri.joinPath(context.globalStorageUri, 'sampling').fsPath, Date.now),
  );
  const broker = store.add(
    new SamplingBroker({ models, settings, decisions, record, usage, questions, ledger, launchOf, runAgain }),
  );
  const access: ModelAccessSource = {
    onDidChange: broker.onDidChange,
    accessOf: (definition) => broker.accessOf(definition),
    get maxTokensPerDay() {
      return settings.maxTokensPerDay;
    },
  };
  return { broker, models, record, settings, access, flush: () => usage.flush() };
}
