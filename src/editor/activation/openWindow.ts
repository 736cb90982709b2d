import type * as vscode from 'vscode';
import type { DisposableStore } from '../../base/lifetime/disposable.ts';
import { Parts } from '../../base/lifetime/parts.ts';
import { IncreasingTime } from '../../base/time/increasingTime.ts';
import { ResourceReader } from '../../host/resources/resourceReader.ts';
import { noAgentMode } from '../chat/agentModeState.ts';
import { ChatQuestions } from '../chat/chatQuestions.ts';
import { registerAgentMode } from '../chat/registerAgentMode.ts';
import { ViewDocuments } from '../documents/viewDocuments.ts';
import { RequestPanels } from '../requestForms/requestPanels.ts';
import { ReadableResources } from '../resources/readableResources.ts';
import { ResourceUris } from '../resources/resourceUris.ts';
import { Review } from '../review/review.ts';
import { ServerLog } from '../servers/serverLog.ts';
import { ShownAccounts } from '../signIn/shownAccounts.ts';
import { runToolAgain } from '../tools/runTool.ts';
import { ResultDocuments } from '../tools/resultDocuments.ts';
import { ContextKeys } from '../workspace/contextKeys.ts';
import type { openHost } from './openHost.ts';

/** What every part of the window gets. */
export type OpenWindow = ReturnType<typeof openWindow>;

/**
 * Builds what the parts of the window share: documents, panels, resources and agent mode. All of it ends with the store.
 */
export function openWindow(
  { extensionUri, globalState }: Pick<vscode.ExtensionContext, 'extensionUri' | 'globalState'>,
  running: ReturnType<typeof openHost>,
  store: DisposableStore,
) {
  const { host, questions, tools, sampling, signIn, later } = running;
  const { missed, access, record } = sampling;
  const parts = store.add(new Parts(store.add(new ServerLog('Activation'))));
  const viewDocuments = store.add(new ViewDocuments());
  const contextKeys = store.add(new ContextKeys(host, questions));
  const agentMode =
    parts.register('Agent mode', (part) =>
      registerAgentMode({ ...running, viewDocuments }, part, (end) => {
        later.gatewayClosed = end;
      }),
    ) ?? noAgentMode;
  const review = store.add(new Review(questions, viewDocuments, extensionUri, missed, globalState));
  const panels = store.add(new RequestPanels({ host, tools, questions, review, extensionUri }));
  const time = new IncreasingTime();
  later.offerFor = (definition) => agentMode.offerFor(definition);
  later.runAgain = (...again) => runToolAgain({ host, panels }, ...again);
  return {
    ...running,
    missed,
    access,
    record,
    extensionUri,
    parts,
    viewDocuments,
    contextKeys,
    agentMode,
    review,
    chatQuestions: store.add(new ChatQuestions(questions, review)),
    panels,
    results: store.add(new ResultDocuments(viewDocuments, contextKeys)),
    uris: new ResourceUris(host),
    time,
    reader: store.add(new ResourceReader(host, time)),
    readable: store.add(new ReadableResources()),
    accounts: store.add(new ShownAccounts(host, signIn.accounts, contextKeys)),
  };
}
