import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import { DisposableStore, type Disposable } from '../../base/lifetime/disposable.ts';
import { changeSummary, changeText, varyingPart } from '../../host/gate/pins/changeText.ts';
import type { HostTools } from '../../host/gate/hostTools.ts';
import type { ServerChanges } from '../../host/gate/pins/serverChanges.ts';
import type { HostServer, McpHost } from '../../host/servers/mcpHost.ts';
import { registerCommands } from '../commands/commands.ts';
import { onServer } from '../commands/onServer.ts';
import type { ContextKeys } from '../workspace/contextKeys.ts';
import { fileName } from '../documents/documentStore.ts';
import { VIEW_SCHEME, type ViewDocuments } from '../documents/viewDocuments.ts';
import { inNotification, oneLine } from '../messages/plainText.ts';
import { confirmDone, reportingError } from '../messages/notifications.ts';

export interface ChangeReviewDependencies {
  readonly host: McpHost;
  readonly tools: HostTools;
  readonly viewDocuments: ViewDocuments;
  readonly contextKeys: ContextKeys;
}

/** An open comparison, and exactly what it shows. */
interface ChangeReview {
  readonly server: HostServer;
  readonly shown: ServerChanges;
  readonly before: vscode.Uri;
  readonly now: vscode.Uri;
}

/** "Review Change": shows what has changed about a server in the editor's diff, and takes your answer. */
export class ChangeReviews implements Disposable {
  readonly #dependencies: ChangeReviewDependencies;
  readonly #store = new DisposableStore();
  /** By the document on the right side. */
  readonly #reviews = new Map<string, ChangeReview>();

  constructor(dependencies: ChangeReviewDependencies) {
    this.#dependencies = dependencies;
    const { host, tools } = dependencies;
    this.#store.add(
      registerCommands({
        reviewToolChanges: onServer(host, {
          placeholder: 'Select a server to review its changes',
          accepts: ({ connection }) => tools.changes(connection.definition.id) !== undefined,
          run: (server) => this.#show(server),
        }),
        acceptToolChanges: this.#on((review) => this.#accept(review), 'Accept'),
        keepToolsBlocked: this.#on((review) => this.#keepBlocked(review)),
        letToolTextVary: this.#on(
          (review) => this.#letVary(review),
          'Hide This Text from Models, Ignore Its Changes',
        ),
      }),
    );
    const update = (): void => this.#update();
    this.#store.add(tools.onDidChange(update));
    this.#store.add(vscode.window.tabGroups.onDidChangeTabs(update));
    this.#store.add(vscode.window.tabGroups.onDidChangeTabGroups(update));
  }

  dispose(): void {
    this.#store.dispose();
  }

  async #show(server: HostServer, instead?: ChangeReview): Promise<void> {
    const changes = this.#dependencies.tools.changes(server.connection.definition.id);
    if (!changes) {
      void vscode.window.showInformationMessage(
        inNotification(`Server '${server.label}' has no changes to review.`),
      );
      return;
    }
    await this.#close(instead);
    const { before, now } = this.#reviewShowing(changes) ?? this.#add(server, changes);
    await Promise.all([before, now].map(openAsResult));
    const title = `${oneLine(server.label, 60)}: As Approved ↔ Now`;
    await vscode.commands.executeCommand('vscode.diff', before, now, title, { preview: false });
    this.#update();
  }

  /** The comparison that shows exactly these changes; its tab may still be opening. */
  #reviewShowing(changes: ServerChanges): ChangeReview | undefined {
    const { viewDocuments } = this.#dependencies;
    const isKept = (uri: vscode.Uri): boolean => viewDocuments.bytesOf(uri) !== undefined;
    return [...this.#reviews.values()].find(
      ({ shown, before, now }) =>
        shown.serverId === changes.serverId && isSame(shown, changes) && isKept(before) && isKept(now),
    );
  }

  #add(server: HostServer, shown: ServerChanges): ChangeReview {
    const { viewDocuments } = this.#dependencies;
    const text = changeText(shown);
    // Random, so that only a button of the comparison itself can name it.
    const folder = `${fileName(server.label)} ${randomUUID()}`;
    const before = viewDocuments.keep(`${folder}/As approved.txt`, Buffer.from(text.before));
    const now = viewDocuments.keep(`${folder}/Now.txt`, Buffer.from(text.now));
    const review = { server, shown, before, now };
    this.#reviews.set(now.toString(), review);
    return review;
  }

  async #accept(review: ChangeReview): Promise<void> {
    const { shown, server } = review;
    if (await this.#isStill(review)) {
      const said = `Accepted: ${changeSummary(shown)} of '${server.label}'`;
      await this.#decide(review, said, () => this.#dependencies.tools.accept(shown));
    }
  }

  async #letVary(review: ChangeReview): Promise<void> {
    const { shown, server } = review;
    const part = varyingPart(shown);
    if (part && (await this.#isStill(review))) {
      const said = `Models keep the approved text: ${changeSummary(part)} of '${server.label}'`;
      await this.#decide(review, said, () => this.#dependencies.tools.letVary(part));
    }
  }

  async #keepBlocked(review: ChangeReview): Promise<void> {
    await this.#close(review);
    confirmDone(`Still held back: ${changeSummary(review.shown)} of '${review.server.label}'`);
  }

  /** True while the comparison is up to date; if not, you see the latest change. */
  async #isStill(review: ChangeReview): Promise<boolean> {
    const { server, shown } = review;
    const changes = this.#dependencies.tools.changes(shown.serverId);
    if (changes && isSame(changes, shown)) {
      return true;
    }
    if (changes) {
      void vscode.window.showWarningMessage(
        inNotification(
          `Server '${server.label}' has changed again. The comparison now shows the latest change.`,
        ),
      );
      await this.#show(server, review);
    } else {
      await this.#close(review);
      void vscode.window.showInformationMessage(
        inNotification(`Server '${server.label}' no longer has changes to review.`),
      );
    }
    return false;
  }

  /** Then shows what has changed since, or what may not vary. */
  async #decide(review: ChangeReview, said: string, act: () => Promise<void>): Promise<void> {
    const { server, shown } = review;
    if (!(await reportingError(`Your answer about server '${server.label}' could not be kept`, act))) {
      return;
    }
    confirmDone(said);
    await this.#close(review);
    if (this.#dependencies.tools.changes(shown.serverId)) {
      await this.#show(server);
    }
  }

  async #close(review: ChangeReview | undefined): Promise<void> {
    if (!review) {
      return;
    }
    this.#reviews.delete(review.now.toString());
    const tabs = vscode.window.tabGroups.all
      .flatMap(({ tabs }) => tabs)
      .filter((tab) => reviewUri(tab)?.toString() === review.now.toString());
    await vscode.window.tabGroups.close(tabs);
    this.#update();
  }

  /**
   * Runs on the comparison whose button you press; without one on that in the active editor, after a dialog if `yes` names
   * its button: models and other extensions can run commands, too.
   */
  #on(run: (review: ChangeReview) => Promise<void>, yes?: string): (uri?: unknown) => Promise<void> {
    return async (uri) => {
      const pressed = uri instanceof vscode.Uri ? this.#reviewOf(uri) : undefined;
      const review = pressed ?? this.#inFront();
      if (review) {
        if (pressed || yes === undefined || (await isConfirmed(review, yes))) {
          await run(review);
        }
      } else {
        void vscode.window.showInformationMessage(
          'This change is no longer open for review. Review the change again.',
        );
      }
    };
  }

  #inFront(): ChangeReview | undefined {
    const uri = reviewUri(vscode.window.tabGroups.activeTabGroup.activeTab);
    return uri && this.#reviewOf(uri);
  }

  #reviewOf(uri: vscode.Uri): ChangeReview | undefined {
    return this.#reviews.get(uri.toString());
  }

  #update(): void {
    const { host, tools, contextKeys } = this.#dependencies;
    const review = this.#inFront();
    contextKeys.set('mcpHost.isChangeReview', review !== undefined);
    contextKeys.set('mcpHost.canLetVary', review !== undefined && varyingPart(review.shown) !== undefined);
    contextKeys.set(
      'mcpHost.hasToolChanges',
      host.servers.some(({ connection }) => tools.changes(connection.definition.id) !== undefined),
    );
  }
}

async function isConfirmed({ shown, server }: ChangeReview, yes: string): Promise<boolean> {
  const message = `${yes}: ${changeSummary(shown)} of '${oneLine(server.label, 60)}'?`;
  return (await vscode.window.showWarningMessage(message, { modal: true }, yes)) === yes;
}

/** The right side of a comparison that MCP Host may have opened. */
function reviewUri(tab: vscode.Tab | undefined): vscode.Uri | undefined {
  const input = tab?.input;
  return input instanceof vscode.TabInputTextDiff && input.modified.scheme === VIEW_SCHEME
    ? input.modified
    : undefined;
}

/** As a result, whose long lines wrap and whose links are not followed. */
async function openAsResult(uri: vscode.Uri): Promise<void> {
  const document = await vscode.workspace.openTextDocument(uri, { encoding: 'utf8' });
  await vscode.languages.setTextDocumentLanguage(document, 'mcp-host-result');
}

function isSame(one: ServerChanges, other: ServerChanges): boolean {
  const [left, right] = [changeText(one), changeText(other)];
  return left.before === right.before && left.now === right.now;
}
