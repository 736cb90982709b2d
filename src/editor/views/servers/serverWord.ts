import { counted } from '../../../base/text/words.ts';
import { isEditable } from '../../../host/config/edit/changeServer.ts';
import { isActive, type ConnectionState, type SignInState } from '../../../host/state/connectionState.ts';
import type { ServerConnection } from '../../../host/connection/serverConnection.ts';
import type { HostServer } from '../../../host/servers/mcpHost.ts';
import { canBeInChat, isInChat, type AgentModeState } from '../../chat/agentModeState.ts';
import type { TreeSources } from './serverNodes.ts';
import { remediesFor, takesToken } from '../../../host/servers/serverRemedies.ts';
import { needsToken } from '../../../host/auth/signInActions.ts';
import { signInWords, stateWords } from '../../../host/connection/stateWords.ts';

/** How long a start has been waiting for its server, in steps of five seconds. */
function startingWord({ since, runner }: StartWaiting, now = Date.now()): string {
  const seconds = Math.floor((now - since) / 5_000) * 5;
  if (seconds < 5) {
    return 'starting…';
  }
  const waited = `starting for ${seconds} s`;
  return runner === undefined ? waited : `${waited} · ${runner} may be downloading`;
}

type StartWaiting = NonNullable<ServerConnection['startWait']>;

/** What a closed row says about a server besides its state. */
export interface ServerFacts {
  readonly tools: number;
  readonly prompts: number;
  readonly resources: number;
  /** Tools that have changed and wait for a review. */
  readonly heldBack: number;
  /** The instructions have changed and wait for a review. */
  readonly areInstructionsHeldBack: boolean;
  /** Folders that are no longer shared, but the server may still use. */
  readonly lingering: number;
  /** Problems of the definition. */
  readonly problems: number;
  /** A list was too long to be read to its end. */
  readonly isCut: boolean;
  /** It keeps reporting that a list has changed. */
  readonly repeatsItself: boolean;
  /** Since when a start has been waiting for the server. */
  readonly startWait?: StartWaiting | undefined;
  /** Whether chat has it. */
  readonly chat: AgentModeState;
}

/**
 * The description of a server's row: what it offers while it runs, otherwise its state; then what needs your
 * attention; last, whether chat has it.
 */
export function serverWord(state: ConnectionState, facts: ServerFacts, now?: number): string {
  return [
    firstWord(state, facts, now),
    // The states of a server that doesn't run say so themselves.
    ...(state.kind === 'running' && state.signIn ? [signInWords(state.signIn).word] : []),
    ...(facts.heldBack > 0 ? [`${facts.heldBack} held back`] : []),
    ...(facts.areInstructionsHeldBack ? ['instructions held back'] : []),
    ...(facts.lingering > 0 ? ['needs a restart'] : []),
    ...(facts.isCut ? ['list cut short'] : []),
    ...(facts.repeatsItself ? ['repeats itself'] : []),
    ...(facts.problems > 0 ? [counted(facts.problems, 'problem')] : []),
    ...(state.kind === 'running' ? chatWord(facts) : []),
  ].join(' · ');
}

/** Also where chat doesn't have the server, so that you see why it finds nothing of it. */
function chatWord({ chat }: ServerFacts): readonly string[] {
  if (chat === 'forbidden') {
    return ["not in chat by the editor's settings"];
  }
  return canBeInChat(chat) ? [isInChat(chat) ? 'in chat' : 'not in chat'] : [];
}

function firstWord(state: ConnectionState, facts: ServerFacts, now?: number): string {
  if (state.kind === 'running') {
    return offeredWord(facts);
  }
  return state.kind === 'starting' && !state.asks && facts.startWait
    ? startingWord(facts.startWait, now)
    : stateWords(state, now).word;
}

function offeredWord({ tools, prompts, resources }: ServerFacts): string {
  if (tools > 0) {
    return counted(tools, 'tool');
  }
  const others = [
    ...(resources > 0 ? [counted(resources, 'resource')] : []),
    ...(prompts > 0 ? [counted(prompts, 'prompt')] : []),
  ];
  return others.length > 0 ? others.join(' · ') : 'running';
}

/**
 * What the menus in package.json ask about a server, as words in any order after `server`: `active` or `idle`, the
 * kind of its state, `editable` when its definition is in a file, `on` or `off` for `disabled` in it, whether chat has
 * it, and something waits for a review, whether you can or did sign in, and what may help it if it failed.
 */
export function serverContext(server: HostServer, { tools, agentMode, accounts }: TreeSources): string {
  const { state, definition } = server.connection;
  const chat = agentMode.stateOf(server);
  return [
    'server',
    isActive(state) ? 'active' : 'idle',
    state.kind,
    ...(isEditable(definition.origin) ? ['editable', definition.disabled ? 'off' : 'on'] : []),
    ...(isInChat(chat) ? ['inChat'] : []),
    ...((chat === 'notGranted' || chat === 'twin') && state.kind === 'running' ? ['notInChat'] : []),
    ...(tools.changes(definition.id) ? ['changed'] : []),
    ...signInContext(state.signIn),
    ...(accounts.accountOf(definition.id) ? ['signedIn'] : []),
    ...(takesToken(definition, accounts.accountOf(definition.id)) ? ['takesToken'] : []),
    ...(definition.inputs.length > 0 ? ['inputs'] : []),
    ...(definition.origin.scope === 'extension' ? ['added'] : []),
    ...remediesFor(server).map(({ kind }) => kind),
  ].join(' ');
}

function signInContext(signIn: SignInState | undefined): readonly string[] {
  switch (signIn?.kind) {
    case undefined:
      return [];
    case 'finding':
      return ['signIn'];
    case 'required':
      return needsToken(signIn) ? ['signIn', 'setKey'] : ['signIn'];
    case 'working':
      return ['signingIn'];
    case 'inBrowser':
      return ['signingIn', 'inBrowser'];
  }
}

/** Servers that the tooltip names; it counts the others. */
const MAX_NAMED = 5;

/**
 * What the status bar says about servers with questions, those that failed, and those that ask for something before they
 * start, and the lines of its tooltip. The last line says what a click does.
 */
export function statusText(
  questions: number,
  failed: readonly string[],
  asking = 0,
): { readonly text: string; readonly lines: readonly string[] } {
  const waiting = questions + asking;
  const counts = [
    ...(waiting > 0 ? [`${waiting} waiting`] : []),
    ...(failed.length > 0 ? [`${failed.length} failed`] : []),
  ];
  const more = failed.length > MAX_NAMED ? ` and ${failed.length - MAX_NAMED} more` : '';
  return {
    text: `MCP: ${counts.join(', ')}`,
    lines: [
      ...(waiting > 0
        ? [waiting === 1 ? '1 server is waiting for you' : `${waiting} servers are waiting for you`]
        : []),
      ...(failed.length > 0 ? [`Failed: ${failed.slice(0, MAX_NAMED).join(', ')}${more}`] : []),
      questions > 0 ? 'Select to review what is waiting' : 'Select to show the servers',
    ],
  };
}
