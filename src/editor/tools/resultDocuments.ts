import * as vscode from 'vscode';
import type { CallToolResult } from '@modelcontextprotocol/client';
import { DisposableStore } from '../../base/lifetime/disposable.ts';
import type { ServerId } from '../../host/config/serverDefinition.ts';
import type { Openable } from '../../host/documents/contentSection.ts';
import { resultDocument, type FinishedCall, type ResultPlace } from '../../host/documents/resultDocument.ts';
import { commandTo } from '../commands/commandList.ts';
import { lensAt } from '../commands/lensAt.ts';
import { fileName } from '../documents/documentStore.ts';
import type { ContextKeys } from '../workspace/contextKeys.ts';
import { openMedia } from '../documents/openMedia.ts';
import { VIEW_SCHEME, type ViewDocuments } from '../documents/viewDocuments.ts';
import type { SamplingQuestion } from '../../host/sampling/review/samplingReview.ts';

/** A call that is shown. */
export interface ShownResult {
  readonly serverId: ServerId;
  readonly call: FinishedCall;
  readonly result: CallToolResult;
  /** The request for a model that you did not answer while the tool ran. */
  readonly missed?: SamplingQuestion | undefined;
}

interface Kept extends ShownResult {
  /** The document's bytes: another document under the same path is not this result. */
  readonly bytes: Uint8Array | undefined;
  /** The document's name without its ending. */
  readonly name: string;
  readonly places: readonly ResultPlace[];
}

/** The documents that show results of tools, each with code lenses for its actions. */
export class ResultDocuments implements vscode.CodeLensProvider, vscode.Disposable {
  readonly #viewDocuments: ViewDocuments;
  readonly #kept = new Map<string, Kept>();
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
  }

  dispose(): void {
    this.#store.dispose();
  }

  /** Shows a result, with its images and sounds beside. */
  async show(shown: ShownResult): Promise<void> {
    const { call, result } = shown;
    const { text, language, images, audio, places } = resultDocument(call, result);
    const time = call.startedAt.toTimeString().slice(0, 8).replaceAll(':', '-');
    const name = [call.server, `${call.tool} ${time}`].map(fileName).join('/');
    const uri = await this.#viewDocuments.show(`${name}.${language === 'jsonc' ? 'jsonc' : 'txt'}`, text, {
      language: language === 'jsonc' ? language : 'mcp-host-result',
    });
    const bytes = this.#viewDocuments.bytesOf(uri);
    this.#kept.set(uri.toString(), { ...shown, bytes, name, places });
    this.#forgetGone();
    this.#onDidChange.fire();
    this.#update();
    await openMedia(this.#viewDocuments, name, [...images, ...audio]);
  }

  /** The result that a document shows; of the active editor unless another is named. */
  resultIn(uri = vscode.window.activeTextEditor?.document.uri): ShownResult | undefined {
    return this.#keptIn(uri);
  }

  /** What can be opened from a result, from the top. */
  openablesIn(uri: vscode.Uri): readonly Openable[] {
    return this.#keptIn(uri)?.places.map(({ opens }) => opens) ?? [];
  }

  /** Opens an image or a sound of a result beside, in the editor's own viewer. */
  async openMedia(uri: vscode.Uri, { media }: Extract<Openable, { media: unknown }>): Promise<void> {
    const kept = this.#keptIn(uri);
    if (kept) {
      await openMedia(this.#viewDocuments, kept.name, [media]);
    }
  }

  provideCodeLenses({ uri }: vscode.TextDocument): vscode.CodeLens[] {
    const kept = this.#keptIn(uri);
    if (!kept) {
      return []; // after a reload of the window
    }
    const top = [
      ...(kept.missed ? [commandTo('reviewMissedRequest', '$(sparkle) Review Request', uri)] : []),
      commandTo('runAgain', '$(debug-rerun) Run Again', uri),
      commandTo('editArguments', '$(edit) Edit Arguments…', uri),
      commandTo('copyResultJson', '$(copy) Copy as JSON', uri),
      commandTo('saveResult', '$(save-as) Save As…', uri),
    ].map((command) => lensAt(0, command));
    const inside = kept.places.map(({ line, opens }, index) =>
      lensAt(line, commandTo('openFromResult', openTitle(opens), uri, index)),
    );
    return [...top, ...inside];
  }

  #keptIn(uri: vscode.Uri | undefined): Kept | undefined {
    const kept = uri && this.#kept.get(uri.toString());
    return kept && kept.bytes === this.#viewDocuments.bytesOf(uri) ? kept : undefined;
  }

  /** A result is kept as long as its document. */
  #forgetGone(): void {
    for (const [key] of this.#kept) {
      if (!this.#keptIn(vscode.Uri.parse(key))) {
        this.#kept.delete(key);
      }
    }
  }

  #update(): void {
    const front = this.#keptIn(vscode.window.activeTextEditor?.document.uri);
    this.#contextKeys.set('mcpHost.isResult', front !== undefined);
    this.#contextKeys.set('mcpHost.canOpenFromResult', (front?.places.length ?? 0) > 0);
    this.#contextKeys.set('mcpHost.isResultOfMissed', front?.missed !== undefined);
  }
}

function openTitle(opens: Openable): string {
  switch (opens.kind) {
    case 'resource':
      return '$(go-to-file) Open Resource';
    case 'image':
      return '$(file-media) Open Image';
    case 'audio':
      return '$(unmute) Open Sound';
  }
}
