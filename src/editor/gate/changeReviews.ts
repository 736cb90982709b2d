import * as vscode from 'vscode';
import { DisposableStore, type Disposable } from '../../base/disposable.ts';
import { changeSummary, changeText, varyingPart } from '../../host/gate/pins/changeText.ts';
import type { HostTools } from '../../host/gate/hostTools.ts';
import type { ServerChanges } from '../../host/gate/pins/serverChanges.ts';
import { messageOf } from '../../host/errors/hostError.ts';
import type { HostServer, McpHost } from '../../host/servers/mcpHost.ts';
import { registerOn } from '../commands/onServer.ts';
import type { ContextKeys } from '../contextKeys.ts';
import { fileName } from '../documents/documentStore.ts';
import { VIEW_SCHEME, type ViewDocuments } from '../documents/viewDocuments.ts';
import { inNotification, oneLine } from '../plainText.ts';

/** Milliseconds for which a quiet confirmation stays in the status bar. */
const CONFIRMATION_MS = 5_000;

export interface ChangeReviewDependencies {
  readonly host: McpHost;
  readonly tools: HostTools;
  readonly viewDocuments: ViewDocuments;
  readonly contextKeys: ContextKeys;
}

/** One comparison that is open, and exactly what it shows. */
interface ChangeReview {
  readonly server: HostServer;
  readonly shown: ServerChanges;
  readonly before: vscode.Uri;
  readonly now: vscode.Uri;
}

/** "Review Change": what has changed of a server's tools in the editor's diff, and what the person says to it. */
export class ChangeReviews implements Disposable {
  readonly #dependencies: ChangeReviewDependencies;
  readonly #store = new DisposableStore();
  /** By the document of the right side. */
  readonly #reviews = new Map<string, ChangeReview>();

  constructor(dependencies: ChangeReviewDependencies) {
    this.#dependencies = dependencies;
    const { host, tools } = dependencies;
    this.#store.add(
      registerOn(host, 'mcpHost.reviewToolChanges', {
        question: 'The changes of which server?',
        accepts: ({ connection }) => tools.changes(connection.definition.id) !== undefined,
        run: (server) => this.#show(server),
      }),
    );
    this.#on('mcpHost.acceptToolChanges', (review) => this.#accept(review));
    this.#on('mcpHost.keepToolsBlocked', (review) => this.#keepBlocked(review));
    this.#on('mcpHost.letToolTextVary', (review) => this.#letVary(review));
    const update = (): void => this.#update();
    this.#store.add(tools.onDidChange(update));
    this.#store.add(vscode.window.tabGroups.onDidChangeTabs(update));
    this.#store.add(vscode.window.tabGroups.onDidChangeTabGroups(update));
  }

  dispose(): void {
    this.#store.dispose();
  }

  async #show(server: HostServer, instead?: ChangeReview): Promise<void> {
    const { tools, viewDocuments } = this.#dependencies;
    const changes = tools.changes(server.connection.definition.id);
    if (!changes) {
      void vscode.window.showInformationMessage(
        inNotification(`No change of server '${server.label}' waits for you.`),
      );
      return;
    }
    await this.#close(instead);
    const text = changeText(changes);
    const folder = `${fileName(server.label)} ${new Date().toTimeString().slice(0, 8).replaceAll(':', '-')}`;
    const before = viewDocuments.keep(`${folder}/As approved.txt`, Buffer.from(text.before));
    const now = viewDocuments.keep(`${folder}/Now.txt`, Buffer.from(text.now));
    this.#reviews.set(now.toString(), { server, shown: changes, before, now });
    await Promise.all([before, now].map(openAsResult));
    const title = `${oneLine(server.label, 60)}: Tools as Approved ↔ Now`;
    await vscode.commands.executeCommand('vscode.diff', before, now, title, { preview: false });
    this.#update();
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
    confirm(`Still held back: ${changeSummary(review.shown)} of '${review.server.label}'`);
  }

  /** True while what is shown is what there is; if not, the person is shown that. */
  async #isStill(review: ChangeReview): Promise<boolean> {
    const { server, shown } = review;
    const changes = this.#dependencies.tools.changes(shown.serverId);
    if (changes && isSame(changes, shown)) {
      return true;
    }
    if (changes) {
      void vscode.window.showWarningMessage(
        inNotification(`Server '${server.label}' has changed again. This is what it says now.`),
      );
      await this.#show(server, review);
    } else {
      await this.#close(review);
      void vscode.window.showInformationMessage(
        inNotification(`No change of server '${server.label}' waits for you any more.`),
      );
    }
    return false;
  }

  /** What has come since, or may not vary, is shown in its turn. */
  async #decide(review: ChangeReview, said: string, act: () => Promise<void>): Promise<void> {
    const { server, shown } = review;
    try {
      await act();
    } catch (error) {
      void vscode.window.showErrorMessage(
        inNotification(`Your answer about server '${server.label}' could not be kept: ${messageOf(error)}`),
      );
      return;
    }
    confirm(said);
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

  #on(command: string, run: (review: ChangeReview) => Promise<void>): void {
    this.#store.add(
      vscode.commands.registerCommand(command, async (uri?: unknown) => {
        const review = this.#inFront() ?? (uri instanceof vscode.Uri ? this.#reviewOf(uri) : undefined);
        if (review) {
          await run(review);
        } else {
          void vscode.window.showInformationMessage(
            'There is no change to look at here any more. Review the change again.',
          );
        }
      }),
    );
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

/** The right side of a comparison that this host may have opened. */
function reviewUri(tab: vscode.Tab | undefined): vscode.Uri | undefined {
  const input = tab?.input;
  return input instanceof vscode.TabInputTextDiff && input.modified.scheme === VIEW_SCHEME
    ? input.modified
    : undefined;
}

/** With long lines wrapped, and no link in it followed. */
async function openAsResult(uri: vscode.Uri): Promise<void> {
  const document = await vscode.workspace.openTextDocument(uri, { encoding: 'utf8' });
  await vscode.languages.setTextDocumentLanguage(document, 'mcp-host-result');
}

function isSame(one: ServerChanges, other: ServerChanges): boolean {
  const [left, right] = [changeText(one), changeText(other)];
  return left.before === right.before && left.now === right.now;
}

function confirm(text: string): void {
  vscode.window.setStatusBarMessage(
    `$(check) ${oneLine(text, 120).replaceAll('$(', '$ (')}`,
    CONFIRMATION_MS,
  );
}
