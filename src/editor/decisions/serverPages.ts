import * as vscode from 'vscode';
import { DisposableStore, type Disposable } from '../../base/lifetime/disposable.ts';
import { visibleText } from '../../base/text/visibleText.ts';
import { capitalized } from '../../base/text/words.ts';
import { Gathered } from '../../base/time/gathered.ts';
import { isEditable } from '../../host/config/edit/changeServer.ts';
import type { ServerId } from '../../host/config/serverDefinition.ts';
import type { DecisionStore } from '../../host/decisions/decisionStore.ts';
import { serverReport } from '../../host/documents/serverReport.ts';
import type { Ledger } from '../../host/ledger/ledger.ts';
import {
  ServerPageSession,
  type PageRow,
  type ServerPageAct,
  type ShowServer,
} from '../../host/review/serverPageSession.ts';
import type { HostServer } from '../../host/servers/mcpHost.ts';
import { failureOf } from '../../host/servers/serverRemedies.ts';
import { isActive } from '../../host/state/connectionState.ts';
import { isOffered } from '../../host/tools/hostTool.ts';
import { commandTo, openSetting } from '../commands/commandList.ts';
import { isInChat, type ShownForChat, type Twin } from '../chat/agentModeState.ts';
import { registerCommands, runCommand } from '../commands/commands.ts';
import { onServer, reportFailure } from '../commands/onServer.ts';
import { reportOf, type ReportDependencies } from './serverReport.ts';
import { toolChoices, type ServerToggles } from '../gate/serverToggles.ts';
import { reportingError, tellNoPage } from '../messages/notifications.ts';
import type { NodeOf, ServerNode } from '../nodes/serverNode.ts';
import { PagePanel } from '../review/pagePanel.ts';
import { activityRow } from '../views/activity/activityRows.ts';
import { iconOfError, iconOfWarning, type Row } from '../views/row.ts';
import { check } from '../views/servers/checkedRows.ts';
import { toolTooltip } from '../views/servers/offeredRows.ts';
import { childNodes, serverNode, type TreeSources } from '../views/servers/serverNodes.ts';
import { rowOf } from '../views/servers/serverRows.ts';

/** Milliseconds for which changes are gathered before the page is shown again. */
const SETTLE_MS = 100;
/** Tools, prompts or folders on a page at first, and how many more each time. */
const MANY = 100;
const TAKE_BACK = 'Take Back';
/** Entries of the activity on a page. */
const LATEST = 10;

interface ServerPageContext extends ReportDependencies, TreeSources {
  readonly extensionUri: vscode.Uri;
  readonly decisions: DecisionStore;
  readonly ledger: Pick<Ledger, 'entries' | 'running' | 'workspace' | 'onDidChange'>;
}

/** The page of a server, with everything that the tree has of it, and what it sees. One tab is used for all. */
export class ServerPages implements Disposable {
  readonly #context: ServerPageContext;
  readonly #toggles: ServerToggles;
  readonly #store = new DisposableStore();
  readonly #changing = this.#store.add(new Gathered(SETTLE_MS, () => this.#open?.session.changed()));
  /** What presses and checkboxes of the page do, as it is shown now; by `keyOf`, and by the id of the row. */
  readonly #presses = new Map<string, () => Thenable<unknown> | void>();
  readonly #checks = new Map<string, (isChecked: boolean) => Promise<void>>();
  #open: { readonly panel: PagePanel; readonly session: ServerPageSession } | undefined;
  #id: ServerId | undefined;
  #shown = MANY;
  /** The kind of row that the page shows first when it is shown next. */
  #focus: ServerNode['kind'] | undefined;

  constructor(context: ServerPageContext, toggles: ServerToggles) {
    this.#context = context;
    this.#toggles = toggles;
    this.#store.add(
      registerCommands({
        openServer: onServer(context.host, {
          placeholder: 'Select a server to open',
          run: (server) => this.#show(server),
        }),
        useInChat: onServer(context.host, {
          placeholder: 'Select a server to use in chat',
          accepts: (server) =>
            server.connection.state.kind === 'running' && !isInChat(context.agentMode.stateOf(server)),
          run: (server) => this.#show(server, 'agentMode'),
        }),
      }),
    );
  }

  dispose(): void {
    this.#open?.panel.dispose();
    this.#store.dispose();
  }

  #show(server: HostServer, focus?: ServerNode['kind']): void {
    this.#focus = focus;
    this.#id = server.connection.definition.id;
    this.#shown = MANY;
    if (this.#open?.panel.isOpen) {
      this.#open.panel.reveal();
      this.#changing.now();
      return;
    }
    const panel = new PagePanel(this.#context.extensionUri, 'overview', 'MCP Server');
    const session = new ServerPageSession({
      post: (message) => {
        panel.title = message.title;
        panel.post(message);
      },
      view: () => this.#view(),
      act: (act) => this.#act(act),
      failed: () => {
        panel.dispose();
        void tellNoPage('The page of the server');
      },
    });
    this.#open = { panel, session };
    this.#follow(panel);
    panel.load(session);
  }

  /** Shows what changes as long as the panel is open. */
  #follow(panel: PagePanel): void {
    const { host, tools, agentMode, access, accounts, decisions, ledger } = this.#context;
    const events = [
      host.onDidChangeServers,
      host.onDidChangeServer,
      host.roots.onDidChange,
      tools.onDidChange,
      agentMode.onDidChange,
      access.onDidChange,
      accounts.onDidChange,
      decisions.onDidChange,
      ledger.onDidChange,
    ] as readonly ((listener: () => void) => Disposable)[];
    events.forEach((event) => panel.add(event(() => this.#changing.soon())));
  }

  #view(): ShowServer {
    this.#presses.clear();
    this.#checks.clear();
    const server = this.#id === undefined ? undefined : this.#context.host.server(this.#id);
    if (!server) {
      return {
        type: 'show',
        title: 'MCP Server',
        state: 'This server is gone.',
        buttons: [],
        rows: [],
        activity: [],
        decisions: [],
        sees: [],
      };
    }
    const { label, description = '' } = rowOf(serverNode(server), this.#context);
    const { ledger } = this.#context;
    const below = childNodes(this.#context, serverNode(server), this.#shown);
    const focused = below.find(({ kind }) => kind === this.#focus);
    this.#focus = undefined;
    const latest = ledger.entries.filter(({ serverId }) => serverId === this.#id).slice(0, LATEST);
    return {
      type: 'show',
      title: label,
      state: description,
      buttons: this.#buttonsOf(server),
      rows: below.map((node) => this.#rowOf(node)),
      ...(focused && { focus: this.#rowIdOf(focused) }),
      activity: latest.map((entry, index) => {
        const id = `activity ${index}`;
        return this.#drawn(id, activityRow({ kind: 'entry', id, entry }, ledger.workspace), [], []);
      }),
      decisions: this.#decisionsAbout(server.connection.definition.id),
      sees: serverReport(reportOf(server, this.#context)),
    };
  }

  #buttonsOf(server: HostServer): readonly string[] {
    const { state, definition } = server.connection;
    const { id } = definition;
    const commands = [
      ...(state.kind === 'awaitingApproval' ? [commandTo('reviewQuestions', 'Review…', id)] : []),
      isActive(state) ? commandTo('stopServer', 'Stop', id) : commandTo('startServer', 'Start', id),
      ...(isActive(state) ? [commandTo('restartServer', 'Restart', id)] : []),
      ...(isEditable(definition.origin) ? [commandTo('editServer', 'Edit…', id)] : []),
      commandTo('showLog', 'Show Log', id),
      commandTo('showTraffic', 'Show Traffic', id),
      ...(failureOf(server) ? [commandTo('checkUp', 'Check Up…', id)] : []),
    ];
    commands.forEach((command) => this.#presses.set(keyOf(undefined, command.title), () => run(command)));
    return commands.map(({ title }) => title);
  }

  #rowOf(node: ServerNode): PageRow {
    const drawn = rowOf(node, this.#context);
    if (node.kind === 'agentMode') {
      return this.#chatRow(node, drawn);
    }
    const row = node.kind === 'tool' ? { ...drawn, tooltip: toolTooltip(node, this.#context) } : drawn;
    const children = row.children ? childNodes(this.#context, node, this.#shown) : [];
    const choices = node.kind === 'tools' ? this.#choicesOf(node.server) : [];
    const shown = this.#drawn(node.id, row, actionsOf(node, this.#context), [
      ...choices,
      ...children.map((child) => this.#rowOf(child)),
    ]);
    this.#checks.set(node.id, (isChecked) => check(node, isChecked, this.#toggles));
    if (node.kind === 'more') {
      this.#presses.set(keyOf(node.id), () => {
        this.#shown += MANY;
        this.#changing.now();
      });
    }
    return shown;
  }

  /** Its box uses the server in chat, and stands above what that means: what isn't shown isn't agreed to. */
  #chatRow(node: NodeOf<'agentMode'>, row: Row): PageRow {
    const { agentMode, tools } = this.#context;
    const { server } = node;
    const { id } = server.connection.definition;
    const key = this.#rowIdOf(node);
    const shown: ShownForChat = {
      tools: tools
        .of(id)
        .filter(isOffered)
        .map(({ tool }) => tool.name),
      twin: agentMode.twinOf(server),
    };
    this.#checks.set(key, (isUsed) =>
      isUsed
        ? reportFailure(server, 'could not be used in chat', () => agentMode.use(server, shown))
        : runCommand('removeFromChat', id),
    );
    const drawn = this.#drawn(key, row, actionsOf(node, this.#context), []);
    return row.checkbox && !row.checkbox.isChecked
      ? { ...drawn, meaning: agentMode.meaningOf(server) }
      : drawn;
  }

  /** The id of a row on the page. A row that means something else is another row: no click on the one before counts. */
  #rowIdOf(node: ServerNode): string {
    const twin = node.kind === 'agentMode' ? this.#context.agentMode.twinOf(node.server) : undefined;
    return twin ? JSON.stringify([node.id, twin]) : node.id;
  }

  /** What you can choose for all tools of a server. */
  #choicesOf(server: HostServer): readonly PageRow[] {
    const { id } = server.connection.definition;
    return toolChoices.map((choice) => {
      const { label, meaning } = choice;
      const key = `choice ${label}`;
      this.#checks.set(key, (isChosen) => this.#toggles.choose(server, choice, isChosen));
      const checkbox = { isChecked: choice.isChosen(this.#context.tools, id), label, tooltip: meaning };
      return { ...this.#drawn(key, { label, checkbox }, [], []), meaning };
    });
  }

  /** What you decided about a server, the latest first. */
  #decisionsAbout(id: ServerId): readonly PageRow[] {
    const { decisions } = this.#context;
    return decisions
      .allAbout(id)
      .toSorted((one, other) => other.at - one.at)
      .flatMap((decision) => {
        const words = decisions.wordsOf(decision);
        if (!words) {
          return [];
        }
        const key = `decision ${decision.id}`;
        this.#presses.set(keyOf(key, TAKE_BACK), () =>
          reportingError('This decision could not be taken back', () => decisions.forget(decision.id)),
        );
        const label = capitalized(visibleText(words.what(decision)));
        const description = new Date(decision.at).toLocaleString();
        const row = { label, description, tooltip: words.undone(decision) };
        return [{ ...this.#drawn(key, row, [], []), actions: [TAKE_BACK] }];
      });
  }

  #drawn(id: string, row: Row, actions: readonly vscode.Command[], rows: readonly PageRow[]): PageRow {
    const { label, description = '', tooltip = '', icon, command, checkbox } = row;
    if (command) {
      this.#presses.set(keyOf(id), () => run(command));
    }
    actions.forEach((action) => this.#presses.set(keyOf(id, action.title), () => run(action)));
    return {
      id,
      label,
      description,
      tooltip,
      isWarning: icon === iconOfWarning || icon === iconOfError,
      ...(command && { opens: command.title }),
      ...(checkbox && { checkbox }),
      actions: actions.map(({ title }) => title),
      rows,
    };
  }

  async #act(act: ServerPageAct): Promise<void> {
    if (act.type === 'check') {
      await this.#checks.get(act.id)?.(act.isChecked);
      this.#changing.now(); // what was not done is shown as it was
    } else {
      await this.#presses.get(keyOf(act.id, act.action))?.();
    }
  }
}

/** By what a press is found: a row, one of its actions, or a button. */
function keyOf(id: string | undefined, action?: string): string {
  return JSON.stringify([id, action]);
}

/** What can be done with a row besides what a click on it does. */
function actionsOf(node: ServerNode, { tools, access, agentMode }: TreeSources): readonly vscode.Command[] {
  if (!('server' in node)) {
    return [];
  }
  const { definition, state } = node.server.connection;
  const { id } = definition;
  switch (node.kind) {
    case 'tools':
      return tools.changes(id) ? [commandTo('reviewToolChanges', 'Review Change', id)] : [];
    case 'lingering':
      return [commandTo('restartServer', 'Restart', id)];
    case 'roots':
      return [commandTo('manageRoots', 'Manage Folders…', id)];
    case 'modelAccess':
      return [
        commandTo('setModelAccess', 'Set Model Access…', id),
        commandTo('chooseModels', 'Choose Language Models…'),
        ...(state.kind === 'running' && !access.accessOf(definition).isOffered
          ? [commandTo('restartServer', 'Restart', id)]
          : []),
      ];
    case 'agentMode': {
      const [setting, twin] = [agentMode.settingAgainst(node.server), agentMode.twinOf(node.server)];
      return [...(setting === undefined ? [] : [openSetting(setting)]), ...(twin ? [openTwin(twin)] : [])];
    }
    case 'account':
      return [
        ...(node.account.kind === 'token' ? [commandTo('setKey', 'Set Token…', id)] : []),
        commandTo('signOut', 'Sign Out', id),
      ];
    default:
      return [];
  }
}

/** Where the same server is that chat has without MCP Host. */
function openTwin({ file }: Twin): vscode.Command {
  return file === undefined
    ? { title: "Show the Editor's Servers", command: 'workbench.mcp.listServer' }
    : { title: 'Open File', command: 'vscode.open', arguments: [vscode.Uri.parse(file)] };
}

function run({ command, arguments: given = [] }: vscode.Command): Thenable<unknown> {
  return vscode.commands.executeCommand(command, ...(given as readonly unknown[]));
}
