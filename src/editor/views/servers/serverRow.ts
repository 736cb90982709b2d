import { visibleText } from '../../../base/text/visibleText.ts';
import { capitalized } from '../../../base/text/words.ts';
import { accountSummary } from '../../../host/auth/accountText.ts';
import type { AnyLaunch, ServerDefinition, ServerId } from '../../../host/config/serverDefinition.ts';
import { repeatsText } from '../../../host/connection/lists/listReports.ts';
import type { ConnectionState } from '../../../host/state/connectionState.ts';
import { fullText } from '../../../host/errors/hostError.ts';
import { changeSummary } from '../../../host/gate/pins/changeText.ts';
import type { HostServer } from '../../../host/servers/mcpHost.ts';
import { isHeldBack } from '../../../host/tools/toolSummary.ts';
import { agentModeText, isInChat } from '../../chat/agentModeState.ts';
import { commandTo } from '../../commands/commandList.ts';
import { placeText } from '../../messages/words.ts';
import {
  iconOfAsking,
  iconOfError,
  pictureOf,
  tooltipText,
  SERVER_ICON_BYTES,
  iconOfWarning,
  type Icon,
  type Row,
} from '../row.ts';
import { problemsOf, type TreeSources } from './serverNodes.ts';
import { serverContext, serverWord, type ServerFacts } from './serverWord.ts';
import { stateWords } from '../../../host/connection/stateWords.ts';

/** The row of a server says what matters most; everything else is in its tooltip, or below it. */
export function serverRow(server: HostServer, sources: TreeSources): Row {
  const { state, definition, serverInfo } = server.connection;
  const facts = factsOf(server, sources);
  const picture = state.kind === 'running' ? pictureOf(serverInfo ?? {}, SERVER_ICON_BYTES) : undefined;
  return {
    label: visibleText(server.label),
    description: serverWord(state, facts),
    icon: needsLook(state, facts) ? iconOfWarning : (picture ?? iconOf(state, isInChat(facts.chat))),
    context: serverContext(server, sources),
    tooltip: tooltipText(tooltipLines(server, sources).join('\n')),
    command: commandOf(state, definition.id),
    children: 'closed',
  };
}

/** What a click does for a server that waits for you. */
function commandOf(state: ConnectionState, id: ServerId): Row['command'] {
  switch (state.kind) {
    case 'awaitingApproval':
      return commandTo('reviewQuestions', 'Review', id);
    case 'signInRequired':
      return state.reason.needs === 'token'
        ? commandTo('setKey', 'Set Token…', id)
        : commandTo('signIn', 'Sign In…', id);
    default:
      return undefined;
  }
}

/** What the row of a server says about its tools. */
export function serverMarks(server: HostServer, sources: TreeSources): string {
  return `${serverWord(server.connection.state, factsOf(server, sources), 0)} ${serverContext(server, sources)}`;
}

function factsOf(server: HostServer, { host, tools, agentMode }: TreeSources): ServerFacts {
  const { connection } = server;
  const { catalogue, definition, rootsKnowledge } = connection;
  const listed = tools.of(definition.id);
  const { prompts = [], templates = [], instructions } = tools.changes(definition.id) ?? {};
  return {
    tools: listed.filter(({ lacksTasks }) => !lacksTasks).length,
    prompts: catalogue?.prompts.length ?? 0,
    resources: (catalogue?.resources.length ?? 0) + (catalogue?.resourceTemplates.length ?? 0),
    heldBack: listed.filter(isHeldBack).length + prompts.length + templates.length,
    areInstructionsHeldBack: instructions !== undefined,
    lingering: rootsKnowledge.mayStillUse.length,
    problems: problemsOf(host, definition).length,
    isCut: (catalogue?.cuts ?? []).length > 0,
    repeatsItself: (catalogue?.repeated ?? []).length > 0,
    startWait: connection.startWait,
    chat: agentMode.stateOf(server),
  };
}

function needsLook(
  { kind, signIn }: ConnectionState,
  { heldBack, areInstructionsHeldBack, lingering }: ServerFacts,
): boolean {
  return (
    heldBack > 0 || areInstructionsHeldBack || lingering > 0 || (kind === 'running' && signIn !== undefined)
  );
}

function tooltipLines(server: HostServer, { tools, accounts, agentMode }: TreeSources): readonly string[] {
  const { connection, label } = server;
  const { state, definition, serverInfo, catalogue } = connection;
  const changes = tools.changes(definition.id);
  const account = accounts.accountOf(definition.id);
  return [
    state.kind === 'failed' ? `${label} failed` : `${label}: ${stateWords(state).word}`,
    ...('reason' in state ? [capitalized(fullText(state.reason))] : []),
    ...(state.kind === 'starting' && state.asks ? [state.asks.words] : []),
    ...(serverInfo ? [`Calls itself ${serverInfo.title ?? serverInfo.name} ${serverInfo.version}`] : []),
    ...(state.kind === 'running' ? [`Protocol revision ${state.revision}`] : []),
    ...reachedBy(definition, state),
    ...(account ? [`${account.kind === 'token' ? 'Token' : 'Signed in'}: ${accountSummary(account)}`] : []),
    ...(catalogue ? [`Chat: ${agentModeText(agentMode, server, tools.of(definition.id))}`] : []),
    `Defined in ${placeText(definition.origin)}`,
    ...(changes ? [`Changed since you approved it, and held back: ${changeSummary(changes)}`] : []),
    ...(catalogue?.cuts ?? []).map((cut) => `Not everything is listed: ${cut}`),
    ...(catalogue && catalogue.repeated.length > 0 ? [capitalized(repeatsText(catalogue.repeated))] : []),
  ];
}

/** The address without parts that may have a secret; the command without its arguments. */
function reachedBy(definition: ServerDefinition, state: ConnectionState): readonly string[] {
  const { url, command = '' }: AnyLaunch = definition;
  if (url !== undefined) {
    return [`At ${url.replace(/[?#].*$/s, '').replace(/\/\/[^/]*@/, '//')}`];
  }
  const process = state.kind === 'running' && state.pid !== undefined ? ` (process ${state.pid})` : '';
  return [`Runs ${command}${process}`];
}

const loading: Icon = { name: 'loading~spin' };

/** A row may be too narrow for words: that chat has a running server is seen by its icon, too. */
const iconInChat: Icon = { name: 'comment-discussion', color: 'testing.iconPassed' };

const icons: Readonly<Record<Exclude<ConnectionState['kind'], 'signInRequired'>, Icon>> = {
  running: { name: 'pass-filled', color: 'testing.iconPassed' },
  starting: loading,
  authorizing: loading,
  stopping: loading,
  awaitingApproval: iconOfAsking,
  restricted: { name: 'workspace-untrusted' },
  backingOff: { name: 'history', color: 'list.warningForeground' },
  failed: iconOfError,
  denied: { name: 'circle-slash' },
  forbidden: { name: 'circle-slash' },
  disabled: { name: 'circle-slash', color: 'disabledForeground' },
  stopped: { name: 'circle-outline' },
};

function iconOf(state: ConnectionState, isInChat: boolean): Icon {
  if (state.kind === 'running' && isInChat) {
    return iconInChat;
  }
  if (state.kind === 'signInRequired') {
    return { name: state.reason.needs === 'token' ? 'key' : 'account', color: 'list.warningForeground' };
  }
  return state.kind === 'starting' && state.asks ? iconOfAsking : icons[state.kind];
}
