import * as vscode from 'vscode';
import { DisposableStore, type Disposable } from '../../base/lifetime/disposable.ts';
import { Gathered } from '../../base/time/gathered.ts';
import { oneEdit } from '../../host/config/edit/oneEdit.ts';
import { readDefinitions } from '../../host/config/readDefinitions.ts';
import { isInUserSettings, type DefinitionProblem } from '../../host/config/serverDefinition.ts';
import type { McpHost } from '../../host/servers/mcpHost.ts';
import { fixTitle, layerIn, stretchOf, withFix } from './problemText.ts';

/** Milliseconds without a change of texts and tabs before an update, and at most from the first change on. */
const QUIET_MS = 200;
const LATEST_MS = 2_000;

interface ShownProblem {
  readonly problem: DefinitionProblem;
  readonly diagnostic: vscode.Diagnostic;
}

/**
 * Shows each problem of a definition at its line, and offers a fix. An extension cannot know the path of the user
 * settings: their problems are shown while they are open.
 */
export class DefinitionDiagnostics implements Disposable, vscode.CodeActionProvider {
  readonly #host: McpHost;
  readonly #store = new DisposableStore();
  readonly #collection: vscode.DiagnosticCollection;
  #shown: ReadonlyMap<string, readonly ShownProblem[]> = new Map();
  readonly #changes = this.#store.add(new Gathered(LATEST_MS, () => this.#update(), QUIET_MS));
  #updating: Promise<void> = Promise.resolve();

  constructor(host: McpHost) {
    this.#host = host;
    this.#collection = this.#store.add(vscode.languages.createDiagnosticCollection('mcpHost'));
    this.#store.add(host.onDidChangeServers(() => this.#update()));
    this.#store.add(vscode.window.tabGroups.onDidChangeTabs(() => this.#changes.soon()));
    this.#store.add(
      vscode.workspace.onDidChangeTextDocument(({ document }) => {
        if (this.#shown.has(document.uri.toString())) {
          this.#changes.soon();
        }
      }),
    );
    this.#store.add(
      vscode.languages.registerCodeActionsProvider(
        [
          { pattern: '**/{.mcp,mcp-config}.json' },
          { pattern: '**/settings.json' },
          { pattern: '**/*.code-workspace' },
        ],
        this,
        { providedCodeActionKinds: [vscode.CodeActionKind.QuickFix] },
      ),
    );
  }

  dispose(): void {
    this.#store.dispose();
  }

  provideCodeActions(document: vscode.TextDocument, range: vscode.Range): vscode.CodeAction[] {
    const shown = this.#shown.get(document.uri.toString()) ?? [];
    return shown
      .filter(({ diagnostic }) => diagnostic.range.intersection(range))
      .flatMap(({ problem, diagnostic }) => {
        const title = fixTitle(problem);
        const text = document.getText();
        const fixed = withFix(text, problem);
        if (title === undefined || fixed === undefined) {
          return [];
        }
        const action = new vscode.CodeAction(title, vscode.CodeActionKind.QuickFix);
        action.diagnostics = [diagnostic];
        action.isPreferred = problem.fix?.kind !== 'remove';
        action.edit = new vscode.WorkspaceEdit();
        const { offset, length, content } = oneEdit(text, fixed);
        const place = new vscode.Range(document.positionAt(offset), document.positionAt(offset + length));
        action.edit.replace(document.uri, place, content);
        return [action];
      });
  }

  /** Updates run one after the other, so that an older one never ends last. */
  #update(): void {
    this.#updating = this.#updating.then(() => this.#showProblems());
  }

  async #showProblems(): Promise<void> {
    const places = Map.groupBy(this.#host.problems, ({ origin }) => origin.place);
    const found = await Promise.all(
      [...places].flatMap(([place, problems]) =>
        urisOf(place, problems).map((uri) => shownProblems(uri, problems)),
      ),
    );
    if (this.#store.isDisposed) {
      return;
    }
    this.#shown = new Map(found.map(({ uri, shown }) => [uri.toString(), shown]));
    this.#collection.clear();
    this.#collection.set(found.map(({ uri, shown }) => [uri, shown.map(({ diagnostic }) => diagnostic)]));
  }
}

const severities = {
  error: vscode.DiagnosticSeverity.Error,
  warning: vscode.DiagnosticSeverity.Warning,
  note: vscode.DiagnosticSeverity.Information,
};

/** The files of a place: for the user settings, those that are open. */
function urisOf(place: string, [first]: readonly DefinitionProblem[]): readonly vscode.Uri[] {
  if (!first || !isInUserSettings(first.origin)) {
    return [vscode.Uri.parse(place)];
  }
  const open = vscode.window.tabGroups.all
    .flatMap(({ tabs }) => tabs)
    .map(({ input }) => (input instanceof vscode.TabInputText ? input.uri : undefined))
    .filter((uri) => uri !== undefined)
    .filter((uri) => isUserSettings(uri));
  return [...new Map(open.map((uri) => [uri.toString(), uri])).values()];
}

/** `User/settings.json`, or the file of a profile below that folder. */
function isUserSettings({ scheme, path }: vscode.Uri): boolean {
  return (
    (scheme === 'vscode-userdata' || scheme === 'file') &&
    path.includes('/User/') &&
    path.endsWith('/settings.json')
  );
}

async function shownProblems(
  uri: vscode.Uri,
  problems: readonly DefinitionProblem[],
): Promise<{ readonly uri: vscode.Uri; readonly shown: readonly ShownProblem[] }> {
  const document = vscode.workspace.textDocuments.find((one) => one.uri.toString() === uri.toString());
  const text = document ? document.getText() : await textOf(uri);
  const positionAt = positionsIn(text);
  const present = document?.isDirty ? unsavedProblems(text, problems) : problems;
  const shown = present.map((problem): ShownProblem => {
    const { offset, length } = stretchOf(text, problem);
    const range = new vscode.Range(positionAt(offset), positionAt(offset + length));
    const diagnostic = new vscode.Diagnostic(range, problem.message, severities[problem.severity]);
    diagnostic.source = 'MCP Host';
    return { problem, diagnostic };
  });
  return { uri, shown };
}

/** What is wrong with a text that is not saved yet: what was fixed in it is no longer shown. */
function unsavedProblems(text: string, saved: readonly DefinitionProblem[]): readonly DefinitionProblem[] {
  const [first] = saved;
  const layer = first && layerIn(text, first.origin);
  return layer ? readDefinitions([layer]).problems : saved;
}

async function textOf(uri: vscode.Uri): Promise<string> {
  try {
    const { type } = await vscode.workspace.fs.stat(uri);
    return type & vscode.FileType.File
      ? new TextDecoder().decode(await vscode.workspace.fs.readFile(uri))
      : '';
  } catch {
    // There is already a problem that the file cannot be read; it is shown at the beginning.
    return '';
  }
}

function positionsIn(text: string): (offset: number) => vscode.Position {
  return (offset) => {
    const before = text.slice(0, offset);
    const lineStart = before.lastIndexOf('\n') + 1;
    return new vscode.Position(before.split('\n').length - 1, before.length - lineStart);
  };
}
