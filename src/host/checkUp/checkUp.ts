import { unlessAborted } from '../../base/lifetime/cancellation.ts';
import { redacted } from '../../base/logging/redacting.ts';
import { visibleProse } from '../../base/text/visibleText.ts';
import { capitalized, sentence } from '../../base/text/words.ts';
import { remedyFor, type Remedy } from '../connection/failures/remedies.ts';
import { wholeFailure } from '../connection/failures/failureWord.ts';
import { stateWords } from '../connection/stateWords.ts';
import { knowledgeText } from '../documents/serverReport.ts';
import type { StdioServerDefinition } from '../config/serverDefinition.ts';
import type { ServerConnection } from '../connection/serverConnection.ts';
import { secretsOf } from '../launch/readyLaunch.ts';
import { filled, type ResolvedLaunch } from '../launch/resolvedLaunch.ts';
import type { HostServer, McpHost } from '../servers/mcpHost.ts';
import type { IdleState } from '../state/connectionState.ts';
import { addressFinding, proxyFinding, proxyFor } from './addressFindings.ts';
import type { CheckStep, Finding } from './checkStep.ts';
import {
  directoryFinding,
  fileFinding,
  installedFinding,
  isName,
  launchedCommand,
  shellFinding,
} from './commandFindings.ts';
import {
  sessionFinding,
  signInFinding,
  streamFinding,
  tlsFinding,
  transportFinding,
} from './httpFindings.ts';
import { loginShellOf } from './loginShell.ts';
import { nodeFinding } from './nodeFinding.ts';
import { capabilitiesFinding, handshakeFinding, listFinding, pingFinding } from './runningFindings.ts';

export interface CheckUpPorts {
  readonly host: Pick<McpHost, 'hindranceOf' | 'resolve' | 'rootsOf'>;
  /** Where the definition is, in words. */
  readonly place: string;
  /** The proxy in the editor's settings. */
  readonly proxy: string | undefined;
  /** The environment of this process, and your home directory. */
  readonly env: NodeJS.ProcessEnv;
  readonly home: string;
}

/** Runs a step, and reports what it found, if that is anything. */
type Take = <F extends Finding | undefined>(title: string, find: () => F | Promise<F>) => Promise<F>;

/**
 * Goes through what a server needs to start and to work, and reports each step. It starts no server. If the server may
 * not start, it says so and looks up nothing else.
 *
 * @throws CancellationError when the signal aborted.
 */
export async function checkUp(
  server: HostServer,
  ports: CheckUpPorts,
  report: (step: CheckStep) => void,
  signal: AbortSignal,
): Promise<void> {
  const { connection } = server;
  const { definition, state } = connection;
  const secrets: string[] = [];
  const shown = (text: string): string =>
    visibleProse(redacted(text, [...connection.secrets, ...secrets])).text;
  const take: Take = async (title, find) => {
    const began = performance.now();
    const found = await unlessAborted(Promise.resolve(find()), signal);
    if (!found) {
      return found;
    }
    const { outcome, text, advice, action } = found;
    report({
      title,
      outcome,
      text: shown(text),
      ...(advice !== undefined && { advice: shown(advice) }),
      ...(action && { action }),
      ms: Math.round(performance.now() - began),
    });
    return found;
  };
  const defined = `It is defined in ${ports.place}.`;
  await take('Definition', () => ({ outcome: 'ok', text: defined, action: { kind: 'open' } }));
  const hindrance = state.kind === 'running' ? undefined : ports.host.hindranceOf(definition.id);
  await take('Permission to start', () => permissionFinding(server, hindrance));
  if (hindrance) {
    return;
  }
  const launch = ports.host.resolve(definition);
  secrets.push(...secretsOf(launch));
  await take('Variables', () => variablesFinding(launch));
  if (definition.type === 'stdio') {
    await checkCommand(definition, launch, { ...ports, isRunning: state.kind === 'running' }, take, signal);
  } else {
    await checkAddress(filled(launch, definition.url), ports, take, signal);
  }
  await take('Start and handshake', () => startFinding(server));
  await checkHttp(server, take);
  await checkRunning(connection, ports, take, signal);
}

async function checkCommand(
  definition: StdioServerDefinition,
  launch: ResolvedLaunch,
  { env, home, isRunning }: CheckUpPorts & { readonly isRunning: boolean },
  take: Take,
  signal: AbortSignal,
): Promise<void> {
  const launched = launchedCommand(definition, launch);
  if (!launched) {
    return;
  }
  await take('Working directory', () => directoryFinding(launched));
  const { file } = await take('Command', () => fileFinding(launched));
  const args = definition.args.map((text) => filled(launch, text) ?? '');
  if (file !== undefined) {
    await take('Node.js', () => nodeFinding(launched, args, home, signal));
  }
  if (isRunning || !isName(launched.command)) {
    return;
  }
  const places = { env, home, origin: definition.origin };
  const shell = loginShellOf(env);
  const inShell =
    shell !== undefined &&
    (await take('Command in the login shell', () =>
      shellFinding(launched, file, { ...places, shell }, signal),
    ));
  if (file === undefined && !(inShell && inShell.isFound)) {
    await take('Command in known folders', () => installedFinding(launched, places));
  }
}

async function checkAddress(
  url: string | undefined,
  { proxy: setting, env }: CheckUpPorts,
  take: Take,
  signal: AbortSignal,
): Promise<void> {
  if (url !== undefined) {
    const proxy = proxyFor(url, setting, env);
    await take('Address', () => addressFinding(url, proxy, signal));
    await take('Proxy', () => proxyFinding(proxy));
    await take('TLS', () => tlsFinding(url, proxy !== undefined, signal));
  }
}

async function checkHttp(server: HostServer, take: Take): Promise<void> {
  const { http, state } = server.connection;
  if (!http || state.kind !== 'running') {
    return;
  }
  await take('Transport', () => transportFinding(http));
  if (state.era === 'legacy') {
    await take('Session', () => sessionFinding(http));
    await take('Event stream', () => streamFinding(http));
  }
  await take('Sign-in', () => signInFinding(server));
}

async function checkRunning(
  connection: ServerConnection,
  { host }: CheckUpPorts,
  take: Take,
  signal: AbortSignal,
): Promise<void> {
  const { catalogue, definition, rootsKnowledge, state } = connection;
  if (state.kind !== 'running' || !catalogue) {
    return;
  }
  await take('Capabilities', () => capabilitiesFinding(connection));
  for (const kind of (['tools', 'resources', 'prompts'] as const).filter((one) => connection.offers(one))) {
    await take(capitalized(kind), () => listFinding(kind, catalogue, signal));
  }
  const folders = knowledgeText(host.rootsOf(definition), rootsKnowledge, state);
  await take('Folders', () => ({ outcome: 'ok', text: folders }));
  await take('Ping', () => pingFinding(connection, signal));
}

function permissionFinding(
  { label, connection: { state } }: HostServer,
  held: IdleState | undefined,
): Finding {
  if (!held) {
    return { outcome: 'ok', text: 'You trust this workspace, and have allowed this launch.' };
  }
  const { predicate, advice } = stateWords(held);
  const remedy =
    held.kind === 'forbidden' && held.reason.setting !== undefined
      ? ({ kind: 'setting', setting: held.reason.setting } as const)
      : undefined;
  const isAsked = held.kind === 'awaitingApproval' && state.kind === 'awaitingApproval';
  return {
    outcome: 'failed',
    text: `'${label}' ${predicate}. Until it may start, nothing else is looked up.`,
    ...(advice !== undefined && { advice }),
    ...(remedy
      ? { action: remedy }
      : held.kind !== 'forbidden' && { action: { kind: isAsked ? 'review' : 'start' } }),
  };
}

function variablesFinding({ definition, meanings, envFileProblem }: ResolvedLaunch): Finding {
  const all = Object.values(meanings);
  const problems = [
    ...all.flatMap((meaning) => {
      if (meaning.kind === 'nothing') {
        return [meaning.problem];
      }
      const isUndeclared = meaning.kind === 'input' && !definition.inputs.some(({ id }) => id === meaning.id);
      return isUndeclared ? [`the input "${meaning.id}" is not declared beside it`] : [];
    }),
    ...(envFileProblem ? [envFileProblem.message] : []),
  ];
  if (problems.length > 0) {
    return {
      outcome: 'failed',
      text: problems.map(sentence).join('\n'),
      advice: 'Set what is missing, or change the definition.',
      action: { kind: 'edit' },
    };
  }
  const inputs = all.flatMap((meaning) => (meaning.kind === 'input' ? [meaning.id] : []));
  const asked = inputs.length === 0 ? '' : ` Inputs are read when it starts: ${inputs.join(', ')}.`;
  return {
    outcome: 'ok',
    text: all.length === 0 ? 'Its definition uses no variables.' : `Each variable has a value.${asked}`,
  };
}

/** How its last start went, in the words of its row. */
function startFinding({ label, connection }: HostServer): Finding {
  const { definition, state } = connection;
  const { predicate, advice } = stateWords(state);
  const text = `'${label}' ${predicate}.`;
  switch (state.kind) {
    case 'running':
      return handshakeFinding(state, connection);
    case 'failed':
    case 'backingOff': {
      const remedy = remedyFor(state.reason, definition);
      return {
        outcome: 'failed',
        text: wholeFailure(state.reason),
        advice: remedy ? remedyWords(remedy) : 'Read its log, which may say more.',
        action: remedy ?? { kind: 'log' },
      };
    }
    case 'signInRequired':
      return { outcome: 'failed', text, ...(advice && { advice }), action: { kind: 'signIn' } };
    case 'stopped':
    case 'disabled':
    case 'denied':
    case 'awaitingApproval':
    case 'forbidden':
    case 'restricted':
      return { outcome: 'skipped', text, ...(advice && { advice }), action: { kind: 'start' } };
    case 'starting':
      return { outcome: 'noted', text: state.asks ? `${text} It asks for this: ${state.asks.words}` : text };
    case 'authorizing':
    case 'stopping':
      return { outcome: 'noted', text };
  }
}

function remedyWords(remedy: Remedy): string {
  switch (remedy.kind) {
    case 'install':
      return `Install ${remedy.program.name}.`;
    case 'setKey':
      return 'Set its token.';
    case 'edit':
      return 'Change its definition.';
    case 'setting':
      return `Change the setting ${remedy.setting}.`;
  }
}
