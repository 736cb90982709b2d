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
import { commandTo } from '../commands/commandList.ts';
import { registerCommand } from '../commands/commands.ts';
import { onServer } from '../commands/onServer.ts';
import { reportOf, type ReportDependencies } from './serverReport.ts';
import { toolChoices, type ServerToggles } from '../gate/serverToggles.ts';
import { reportingError, tellNoPage } from '../messages/notifications.ts';
import type { ServerNode } from '../nodes/serverNode.ts';
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
  readonly #commands = new Map<string, vscode.Command>();
  /** What the page itself does, and what a checkbox does of a row that is no row of the tree. */
  readonly #presses = new Map<string, () => Promise<void>>();
  readonly #checks = new Map<string, (isChecked: boolean) => Promise<void>>();
  readonly #nodes = new Map<string, ServerNode>();
  #open: { readonly panel: PagePanel; readonly session: ServerPageSession } | undefined;
  #id: ServerId | undefined;
  #shown = MANY;

  constructor(context: ServerPageContext, toggles: ServerToggles) {
    this.#context = context;
    this.#toggles = toggles;
    this.#store.add(
      registerCommand(
        'openServer',
        onServer(context.host, {
          placeholder: 'Select a server to open',
          run: (server) => this.#show(server),
        }),
      ),
    );
  }

  dispose(): void {
    this.#open?.panel.dispose();
    this.#store.dispose();
  }

  #show(server: HostServer): void {
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
    [this.#commands, this.#presses, this.#checks, this.#nodes].forEach((known) => known.clear());
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
    const latest = ledger.entries.filter(({ serverId }) => serverId === this.#id).slice(0, LATEST);
    return {
      type: 'show',
      title: label,
      state: description,
      buttons: this.#buttonsOf(server),
      rows: childNodes(this.#context, serverNode(server), this.#shown).map((node) => this.#rowOf(node)),
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
      ...(failureOf(server) ? [commandTo('checkUp', 'Check Up…', id)] : []),
    ];
    commands.forEach((command) => this.#commands.set(keyOf(undefined, command.title), command));
    return commands.map(({ title }) => title);
  }

  #rowOf(node: ServerNode): PageRow {
    this.#nodes.set(node.id, node);
    const drawn = rowOf(node, this.#context);
    const row = node.kind === 'tool' ? { ...drawn, tooltip: toolTooltip(node, this.#context) } : drawn;
    const children = row.children ? childNodes(this.#context, node, this.#shown) : [];
    const choices = node.kind === 'tools' ? this.#choicesOf(node.server) : [];
    return this.#drawn(node.id, row, actionsOf(node, this.#context), [
      ...choices,
      ...children.map((child) => this.#rowOf(child)),
    ]);
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
        this.#presses.set(keyOf(key, TAKE_BACK), () => decisions.forget(decision.id));
        const label = capitalized(visibleText(words.what(decision)));
        const description = new Date(decision.at).toLocaleString();
        const row = { label, description, tooltip: words.undone(decision) };
        return [{ ...this.#drawn(key, row, [], []), actions: [TAKE_BACK] }];
      });
  }

  #drawn(id: string, row: Row, actions: readonly vscode.Command[], rows: readonly PageRow[]): PageRow {
    const { label, description = '', tooltip = '', icon, command, checkbox } = row;
    if (command) {
      this.#commands.set(keyOf(id), command);
    }
    actions.forEach((action) => this.#commands.set(keyOf(id, action.title), action));
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
    const node = act.id === undefined ? undefined : this.#nodes.get(act.id);
    if (act.type === 'check') {
      await (node ? check(node, act.isChecked, this.#toggles) : this.#checks.get(act.id)?.(act.isChecked));
      this.#changing.now(); // what was not done is shown as it was
    } else if (node?.kind === 'more' && act.action === undefined) {
      this.#shown += MANY;
      this.#changing.now();
    } else if (this.#presses.has(keyOf(act.id, act.action))) {
      await reportingError('This decision could not be taken back', async () =>
        this.#presses.get(keyOf(act.id, act.action))?.(),
      );
    } else {
      const { command, arguments: given = [] } = this.#commands.get(keyOf(act.id, act.action)) ?? {};
      if (command !== undefined) {
        await vscode.commands.executeCommand(command, ...(given as readonly unknown[]));
      }
    }
  }
}

/** By what a command is found: a row, one of its actions, or a button. */
function keyOf(id: string | undefined, action?: string): string {
  return JSON.stringify([id, action]);
}

/** What can be done with a row besides what a click on it does. */
function actionsOf(node: ServerNode, { tools, access }: TreeSources): readonly vscode.Command[] {
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
    case 'account':
      return [
        ...(node.account.kind === 'token' ? [commandTo('setKey', 'Set Token…', id)] : []),
        commandTo('signOut', 'Sign Out', id),
      ];
    default:
      return [];
  }
}
