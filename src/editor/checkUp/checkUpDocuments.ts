import { homedir } from 'node:os';
import * as vscode from 'vscode';
import { DisposableStore } from '../../base/lifetime/disposable.ts';
import { checkUp } from '../../host/checkUp/checkUp.ts';
import { checkUpDocument, type CheckUpDocument } from '../../host/checkUp/checkUpDocument.ts';
import type { CheckAction, CheckStep } from '../../host/checkUp/checkStep.ts';
import type { ServerId } from '../../host/config/serverDefinition.ts';
import type { HostServer, McpHost } from '../../host/servers/mcpHost.ts';
import { commandTo } from '../commands/commandList.ts';
import { registerCommand } from '../commands/commands.ts';
import { lensAt } from '../commands/lensAt.ts';
import { onServer, reportFailure } from '../commands/onServer.ts';
import { VIEW_SCHEME, type ViewDocuments } from '../documents/viewDocuments.ts';
import { withCallProgress } from '../messages/withCallProgress.ts';
import { placeText } from '../messages/words.ts';
import { buttonOf } from '../servers/remedyCommands.ts';

interface Shown extends Pick<CheckUpDocument, 'places'> {
  readonly id: ServerId;
  /** Another document under the same path is not this one. */
  readonly bytes: Uint8Array | undefined;
}

/** "Check Up…": a document for each server, with code lenses for its actions. */
export class CheckUpDocuments implements vscode.CodeLensProvider, vscode.Disposable {
  readonly #host: McpHost;
  readonly #viewDocuments: ViewDocuments;
  readonly #shown = new Map<string, Shown>();
  readonly #uris = new Map<ServerId, vscode.Uri>();
  readonly #store = new DisposableStore();
  readonly #onDidChange = this.#store.add(new vscode.EventEmitter<void>());
  readonly onDidChangeCodeLenses = this.#onDidChange.event;

  constructor({ host, viewDocuments }: { readonly host: McpHost; readonly viewDocuments: ViewDocuments }) {
    this.#host = host;
    this.#viewDocuments = viewDocuments;
    this.#store.add(vscode.languages.registerCodeLensProvider({ scheme: VIEW_SCHEME }, this));
    this.#store.add(
      registerCommand(
        'checkUp',
        onServer(host, {
          placeholder: 'Select a server to check',
          run: (server) => reportFailure(server, 'could not be checked', () => this.#run(server)),
        }),
      ),
    );
  }

  dispose(): void {
    this.#store.dispose();
  }

  provideCodeLenses({ uri }: vscode.TextDocument): vscode.CodeLens[] {
    const shown = this.#shown.get(uri.toString());
    if (!shown || shown.bytes !== this.#viewDocuments.bytesOf(uri)) {
      return [];
    }
    const { id, places } = shown;
    return [
      lensAt(0, commandTo('checkUp', '$(refresh) Check Again', id)),
      lensAt(0, commandTo('showLog', '$(output) Show Log', id)),
      lensAt(0, commandTo('showTraffic', '$(arrow-swap) Show Traffic', id)),
      ...places.map(({ line, action }) => lensAt(line, commandOf(action, id))),
    ];
  }

  async #run(server: HostServer): Promise<void> {
    const { label, connection } = server;
    const { id, origin } = connection.definition;
    const began = new Date();
    const steps: CheckStep[] = [];
    const ports = {
      host: this.#host,
      place: placeText(origin),
      proxy: vscode.workspace.getConfiguration('http').get<string>('proxy'),
      env: process.env,
      home: homedir(),
    };
    await withCallProgress(`Checking '${label}'`, (onProgress, signal) => {
      const report = (step: CheckStep): void => {
        steps.push(step);
        onProgress({ progress: steps.length, message: step.title });
      };
      return checkUp(server, ports, report, signal);
    });
    const { text, places } = checkUpDocument(label, began, steps);
    const uri = await this.#viewDocuments.showText(`Check-up of ${label}`, text, {
      instead: this.#uris.get(id),
      language: 'mcp-host-result',
    });
    this.#uris.set(id, uri);
    this.#shown.set(uri.toString(), { id, places, bytes: this.#viewDocuments.bytesOf(uri) });
    this.#onDidChange.fire();
  }
}

function commandOf(action: CheckAction, id: ServerId): vscode.Command {
  switch (action.kind) {
    case 'open':
      return commandTo('openConfiguration', 'Open Definition', id);
    case 'review':
      return commandTo('reviewQuestions', 'Review…', id);
    case 'start':
      return commandTo('startServer', 'Start', id);
    case 'usePath':
      return commandTo('usePath', `Use This Path${action.isCopied ? '…' : ''}`, id, action.folder);
    case 'signIn':
      return commandTo('signInOrSetToken', 'Sign In…', id);
    case 'log':
      return commandTo('showLog', 'Show Log', id);
    default:
      return buttonOf(action, id);
  }
}
