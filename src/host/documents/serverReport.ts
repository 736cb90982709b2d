import { socketAddress } from '../addresses/serverAddress.ts';
import { visibleText } from '../../base/text/visibleText.ts';
import { accountLines, type ShownAccount } from '../auth/accountText.ts';
import type { ServerDefinition } from '../config/serverDefinition.ts';
import { longText, type LongText } from '../questions/panelText.ts';
import { transports } from '../config/transports.ts';
import { capabilitiesFor } from '../connection/answerServer.ts';
import type { ElicitationMode } from '../connection/elicitationSource.ts';
import type { ConnectionState } from '../state/connectionState.ts';
import type { RootsKnowledge } from '../roots/rootsKnowledge.ts';
import { isHeldBack, isShown } from '../tools/toolSummary.ts';
import { isForApps, isForModels, type HostTool } from '../tools/hostTool.ts';
import { proseLines, toolLines } from '../tools/toolText.ts';
import { accessSentence } from '../sampling/accessText.ts';
import type { ModelAccess } from '../sampling/accessPolicy.ts';
import { basisText, listedNames } from '../roots/rootsSummary.ts';
import type { RootCandidate, RootsView } from '../roots/rootsView.ts';
import { isSameRoots, pathOf, type WorkspaceFolder } from '../folders/sharedRoot.ts';
import { launchPathText, type LaunchPath } from '../launch/question/launchPaths.ts';

/** How many names of one kind are listed; the others are counted. */
const MAX_NAMES = 500;

/** What models may see of a server. */
interface SeenTools {
  readonly all: readonly HostTool[];
  /** As a model gets them. */
  readonly instructions: string | undefined;
  /** What is held back, in a few words. */
  readonly heldBack: string | undefined;
  readonly isTrusted: boolean;
  /** Whether the editor's agent mode can use the server, in a few words. */
  readonly agentMode: string;
}

/** Everything that is known about what one server sees. */
export interface ServerReport {
  readonly definition: ServerDefinition;
  /** Where its definition is, in words. */
  readonly place: string;
  readonly state: ConnectionState;
  /** The state in a few words. */
  readonly status: string;
  readonly roots: RootsView;
  readonly knowledge: Pick<RootsKnowledge, 'hasAsked' | 'lastListed' | 'mayStillUse'>;
  readonly workingDirectory: string;
  readonly launchPaths: readonly LaunchPath[];
  /** The names in its `envFile`; undefined when it can't be read now. */
  readonly envFileNames: readonly string[] | undefined;
  /** The account that its requests carry; undefined without one, and for a program. */
  readonly account: ShownAccount | undefined;
  /** The names of the variables that every server process gets. */
  readonly inheritedNames: readonly string[];
  readonly access: ModelAccess;
  /** Whether sampling was declared to it; undefined while it does not run. */
  readonly isSamplingOffered: boolean | undefined;
  /** How it can ask you, as declared to it now or when it starts; empty if it can't. */
  readonly elicitationModes: readonly ElicitationMode[];
  /** What is known of its tools; undefined while it does not run. */
  readonly tools: SeenTools | undefined;
  /** The text of a time in milliseconds since the epoch. */
  readonly when: (at: number) => string;
}

/** A part of what a server sees. */
export interface ReportSection {
  readonly title: string;
  readonly text: LongText;
}

/**
 * What one server sees, for readers who don't know roots. It has names only, never the value of a
 * variable, a header or an argument, which may be a secret; nothing in it is invisible.
 */
export function serverReport(report: ServerReport): readonly ReportSection[] {
  return [
    section('Definition and state', [
      `Defined in: ${report.place}`,
      `State: ${report.status}`,
      transports[report.definition.type].reach,
    ]),
    section('Folders shared with it (roots)', toldLines(report)),
    section('Folders not shared with it', untoldLines(report.roots)),
    section('What its launch reveals', launchLines(report)),
    ...(report.definition.type === 'stdio' ? [] : [section('Your account', signInLines(report))]),
    section('What MCP Host offers it', offerLines(report)),
    section('What models may see of it', modelLines(report)),
    ...offeredSections(report),
  ];
}

function section(title: string, lines: readonly string[]): ReportSection {
  return { title, text: longText(lines.map(visibleText).join('\n')) };
}

function toldLines({ roots, knowledge, state }: ServerReport): readonly string[] {
  const { shared } = roots;
  return [
    'A server can ask for this list to know where to work. The list informs the server and does not confine it.',
    '',
    ...(shared.length === 0 ? ['None.'] : shared.map((root) => `- ${root.name}: ${pathOf(root)}`)),
    '',
    basisText(roots),
    knowledgeText(roots, knowledge, state),
    ...(knowledge.mayStillUse.length > 0
      ? [`It may still use ${namesOf(knowledge.mayStillUse)} until it is restarted.`]
      : []),
  ];
}

/** What the server knows about its list. */
export function knowledgeText(
  { shared }: RootsView,
  { hasAsked, lastListed = [] }: ServerReport['knowledge'],
  state: ConnectionState,
): string {
  if (state.kind !== 'running') {
    return 'It is not running. It can ask for the list when it runs.';
  }
  if (!hasAsked) {
    return 'It has not asked for the list since its start, so it does not know what you share.';
  }
  if (isSameRoots(lastListed, shared)) {
    return 'It has asked for the list, and got this one.';
  }
  const answered = `It has asked for the list, and last got: ${namesOf(lastListed)}.`;
  return state.era === 'legacy'
    ? `${answered} It was notified of a change since then, and has not asked again.`
    : `${answered} At its revision it is not notified of changes: it asks again when it needs the list.`;
}

function namesOf(roots: readonly WorkspaceFolder[]): string {
  return listedNames(roots.map(({ name }) => name)) || 'no folder';
}

function untoldLines(view: RootsView): readonly string[] {
  const untold = view.candidates.filter(({ root }) => !view.shared.some(({ uri }) => uri === root.uri));
  const lines = [
    ...untold.map((candidate) => `- ${placeOf(candidate)}: ${reasonOf(view, candidate)}`),
    ...view.leftOut.map(({ name, uri }) => `- ${name} (${uri}): It is not on a disk that a server can read.`),
  ];
  return lines.length > 0 ? lines : ['None: every folder of this workspace is shared with it.'];
}

function placeOf({ root }: RootCandidate): string {
  return root.uri.startsWith('file:') ? `${root.name} (${pathOf(root)})` : root.name;
}

function reasonOf({ basis }: RootsView, { isChosen, problem }: RootCandidate): string {
  if (problem) {
    return problem.message;
  }
  if (isChosen) {
    return 'It has not been checked yet.';
  }
  switch (basis) {
    case 'person':
      return 'You have not shared it.';
    case 'definition':
      return "The server's definition does not name it.";
    case 'setting':
      return 'Your setting mcpHost.roots.default shares no folder.';
    case 'undecided':
      return 'You have not decided yet.';
  }
}

function launchLines(report: ServerReport): readonly string[] {
  const { definition, workingDirectory, inheritedNames } = report;
  const paths = report.launchPaths.map(launchPathText);
  const told =
    paths.length > 0
      ? ['Paths of this workspace, whether you share them or not:', ...paths.map((path) => `- ${path}`)]
      : ['No path of this workspace, according to its definition.'];
  return definition.type === 'stdio'
    ? [
        `Working directory: ${workingDirectory}`,
        ...told,
        named('Environment variables of its definition', Object.keys(definition.env)),
        ...(definition.envFile === undefined ? [] : [envFileText(report)]),
        named('Environment variables that every server gets', inheritedNames.toSorted()),
      ]
    : [
        addressText(definition.url),
        ...told,
        named('Headers of its definition', Object.keys(definition.headers)),
      ];
}

/** As whom it is used. Nothing of a token is in it. */
function signInLines({ account, when }: ServerReport): readonly string[] {
  return account
    ? [...accountLines(account, when), 'Each request carries a token of this account (not shown).']
    : ['Not signed in: its requests carry only the headers of its definition.'];
}

function envFileText({ envFileNames }: ServerReport): string {
  return envFileNames
    ? named('Environment variables of its envFile', envFileNames)
    : "Environment variables of its envFile: the file can't be read now.";
}

/** Without its path and query, which may hold a key. */
export function addressText(url: string): string {
  const { socketPath } = socketAddress(url) ?? {};
  if (socketPath !== undefined) {
    return `Address: the socket ${socketPath} (the rest is not shown)`;
  }
  const { protocol, host } = URL.parse(url) ?? {};
  return host === undefined
    ? 'Address: not known before it starts'
    : `Address: ${protocol ?? ''}//${host} (the rest is not shown)`;
}

function named(title: string, names: readonly string[]): string {
  const shown = names.slice(0, MAX_NAMES).join(', ');
  const more = names.length > MAX_NAMES ? ` and ${names.length - MAX_NAMES} more` : '';
  return `${title}: ${names.length === 0 ? 'none' : `${shown}${more} (names only; values are not shown)`}`;
}

function offerLines({ state, access, isSamplingOffered, elicitationModes }: ServerReport): readonly string[] {
  const capabilities = capabilitiesFor({
    sampling: isSamplingOffered ?? access.isOffered,
    elicitation: elicitationModes,
  });
  return [
    state.kind === 'running'
      ? `Revision of the protocol: ${state.revision} (${eraText(state.era)})`
      : 'Revision of the protocol: negotiated when it starts',
    `Capabilities declared to it: ${Object.keys(capabilities)
      .map((name) => capabilityText(name, elicitationModes))
      .join(', ')}`,
    `Access to language models: ${accessSentence(access)}`,
  ];
}

function eraText(era: 'legacy' | 'modern'): string {
  return era === 'legacy'
    ? 'it is notified when its folders change'
    : 'it asks for its folders when it needs them, and is not notified when they change';
}

function capabilityText(name: string, modes: readonly ElicitationMode[]): string {
  switch (name) {
    case 'roots':
      return 'roots (it can ask for its folders)';
    case 'sampling':
      return 'sampling (it can ask for a language model)';
    case 'elicitation':
      return `elicitation (it can ask you to ${modes.map((mode) => (mode === 'form' ? 'fill in a form' : 'open an address')).join(', or to ')})`;
    default:
      return name;
  }
}

function modelLines({ tools }: ServerReport): readonly string[] {
  if (!tools) {
    return ['Available when it runs.'];
  }
  const { heldBack, instructions, isTrusted, agentMode } = tools;
  const all = tools.all.filter(isForModels);
  const forApps = tools.all.filter(({ tool }) => isForApps(tool));
  const tasks = tools.all.filter(({ lacksTasks }) => lacksTasks);
  const shown = all.filter(isShown);
  const unchecked = all.filter((tool) => !tool.isExposed && !isHeldBack(tool));
  return [
    `Tools that are on: ${shown.length === all.length ? String(all.length) : `${shown.length} of ${all.length}`}${namesIn(shown)}`,
    ...(unchecked.length > 0 ? [`Off: ${unchecked.length}${namesIn(unchecked)}`] : []),
    ...(forApps.length > 0 ? [`For its own views only: ${forApps.length}${namesIn(forApps)}`] : []),
    ...(tasks.length > 0
      ? [`Only run as tasks, which this server does not run: ${tasks.length}${namesIn(tasks)}`]
      : []),
    ...(heldBack === undefined
      ? []
      : [
          `Held back until you review what has changed or is new: ${heldBack}${namesIn(all.filter(isHeldBack))}`,
        ]),
    `Chat in this editor: ${agentMode}`,
    isTrusted
      ? 'Its tool labels: trusted, for this launch. Tools that it labels read-only run without a question.'
      : 'Its tool labels: not trusted, and without effect.',
    ...(instructions === undefined ? ['Its instructions to models: none'] : []),
    ...(shown.length > 0 || instructions !== undefined
      ? ['Everything that models get of it follows below, word for word.']
      : []),
  ];
}

function namesIn(tools: readonly HostTool[]): string {
  const shown = tools.slice(0, MAX_NAMES).map(({ tool }) => tool.name);
  const more = tools.length > MAX_NAMES ? ` and ${tools.length - MAX_NAMES} more` : '';
  return tools.length === 0 ? '' : ` (${shown.join(', ')}${more})`;
}

/** Everything that a model gets of the server, word for word. */
function offeredSections({ tools }: ServerReport): readonly ReportSection[] {
  if (!tools) {
    return [];
  }
  const shown = tools.all.filter(isShown);
  const texts = shown.slice(0, MAX_NAMES).map(({ offered }) => toolLines(offered).join('\n'));
  const more = shown.length > MAX_NAMES ? [`And ${shown.length - MAX_NAMES} more.`] : [];
  return [
    ...(tools.instructions === undefined
      ? []
      : [
          {
            title: 'Its instructions, as models get them',
            text: longText(proseLines(tools.instructions).join('\n')),
          },
        ]),
    ...(shown.length > 0
      ? [{ title: 'Its tools, as models get them', text: longText([...texts, ...more].join('\n\n')) }]
      : []),
  ];
}
