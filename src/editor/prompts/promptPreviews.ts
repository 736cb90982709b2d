import * as vscode from 'vscode';
import { DisposableStore } from '../../base/lifetime/disposable.ts';
import { isUsable, type PromptDocument } from '../../host/documents/promptDocument.ts';
import type { PromptText } from '../../host/documents/promptText.ts';
import { canSendText } from '../chat/chatCommands.ts';
import { commandTo } from '../commands/commandList.ts';
import { lensAt } from '../commands/lensAt.ts';
import { fileName } from '../documents/documentStore.ts';
import { openMedia } from '../documents/openMedia.ts';
import type { ContextKeys } from '../workspace/contextKeys.ts';
import { VIEW_SCHEME, type ViewDocuments } from '../documents/viewDocuments.ts';

/** Previews whose text is kept; there are never more documents. */
const MAX_PREVIEWS = 50;

/** The documents that show prompts, each with the text that its actions use. */
export class PromptPreviews implements vscode.CodeLensProvider, vscode.Disposable {
  readonly #viewDocuments: ViewDocuments;
  #canSend = false;
  readonly #previews = new Map<string, PromptDocument>();
  readonly #store = new DisposableStore();
  readonly #onDidChange = new vscode.EventEmitter<void>();
  readonly onDidChangeCodeLenses = this.#onDidChange.event;
  readonly #contextKeys: Pick<ContextKeys, 'set'>;

  constructor(viewDocuments: ViewDocuments, contextKeys: Pick<ContextKeys, 'set'>) {
    this.#contextKeys = contextKeys;
    this.#viewDocuments = viewDocuments;
    this.#store.add(this.#onDidChange);
    this.#store.add(vscode.languages.registerCodeLensProvider({ scheme: VIEW_SCHEME }, this));
    this.#store.add(vscode.window.onDidChangeActiveTextEditor(() => this.#update()));
    this.#store.add(
      vscode.workspace.onDidChangeTextDocument(({ document }) => {
        if (document.uri.scheme === VIEW_SCHEME) {
          this.#update();
        }
      }),
    );
    this.#store.add(
      vscode.workspace.onDidChangeConfiguration((change) => {
        // The editor's setting for its chat is one of them.
        if (change.affectsConfiguration('chat')) {
          void this.#refresh();
        }
      }),
    );
    void this.#refresh();
  }

  dispose(): void {
    this.#store.dispose();
  }

  /** Shows a prompt, with its images and sounds beside. `names` are the server's and the prompt's. */
  async show(
    names: { readonly server: string; readonly prompt: string },
    shown: PromptDocument,
  ): Promise<void> {
    const time = new Date().toTimeString().slice(0, 8).replaceAll(':', '-');
    const name = [names.server, `${names.prompt} ${time}`].map(fileName).join('/');
    const uri = await this.#viewDocuments.show(`${name}.txt`, shown.text, { language: 'mcp-host-prompt' });
    this.#previews.set(uri.toString(), shown);
    const [oldest] = this.#previews.keys();
    if (oldest !== undefined && this.#previews.size > MAX_PREVIEWS) {
      this.#previews.delete(oldest);
    }
    await this.#refresh();
    const { images, audio } = shown.prompt;
    await openMedia(this.#viewDocuments, name, [...images, ...audio]);
  }

  /** The prompt that a document shows, if the document is unchanged; of the active editor unless another is named. */
  promptIn(uri: vscode.Uri | undefined): PromptText | undefined {
    const document = uri
      ? vscode.workspace.textDocuments.find((one) => one.uri.toString() === uri.toString())
      : vscode.window.activeTextEditor?.document;
    const preview = document && this.#previews.get(document.uri.toString());
    if (!preview || document.getText() !== preview.text) {
      return undefined;
    }
    const { prompt } = preview;
    return isUsable(prompt) ? prompt : undefined;
  }

  provideCodeLenses({ uri }: vscode.TextDocument): vscode.CodeLens[] {
    if (!this.promptIn(uri)) {
      return [];
    }
    return [
      ...(this.#canSend ? [commandTo('sendPrompt', '$(send) Send to Chat', uri)] : []),
      commandTo('copyPrompt', '$(copy) Copy', uri),
      commandTo('insertPrompt', '$(insert) Insert into Editor', uri),
    ].map((command) => lensAt(0, command));
  }

  /** Looks again whether there is a chat, which comes and goes. */
  async #refresh(): Promise<void> {
    this.#canSend = await canSendText();
    this.#onDidChange.fire();
    this.#update();
  }

  #update(): void {
    this.#contextKeys.set('mcpHost.isPromptPreview', this.promptIn(undefined) !== undefined);
    this.#contextKeys.set('mcpHost.canSendPrompt', this.#canSend);
  }
}
