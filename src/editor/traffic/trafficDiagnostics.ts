import * as vscode from 'vscode';
import { visibleText } from '../../base/text/visibleText.ts';
import { trafficBounds } from '../../host/json/bounds.ts';
import type { Fault, TrafficEntry } from '../../host/traffic/trafficEntry.ts';
import { numberOnLine, wordsOnLine } from '../../host/traffic/trafficLine.ts';

const SPECIFICATION = vscode.Uri.parse('https://modelcontextprotocol.io/specification/', true);

/** Shows the faults of a server in the list of its traffic, and so in Problems: the last ones if there are many. */
export class TrafficDiagnostics implements vscode.Disposable {
  readonly #collection = vscode.languages.createDiagnosticCollection('mcpHostTraffic');

  dispose(): void {
    this.#collection.dispose();
  }

  /** Call when the text of a list has changed, or faults were found in `entries`. */
  show(document: vscode.TextDocument, entries: readonly TrafficEntry[]): void {
    const faulty = new Map(
      entries.filter(({ faults }) => faults.length > 0).map((entry) => [entry.number, entry]),
    );
    const found: vscode.Diagnostic[] = [];
    for (let at = document.lineCount - 1; at >= 0 && faulty.size > 0; at -= 1) {
      const { text } = document.lineAt(at);
      const { faults = [] } = faulty.get(numberOnLine(text) ?? 0) ?? {};
      found.push(...faults.map((fault) => diagnosticOf(fault, at, text)));
      if (found.length >= trafficBounds.faults) {
        break;
      }
    }
    if (found.length > 0 || this.#collection.has(document.uri)) {
      this.#collection.set(document.uri, found.slice(0, trafficBounds.faults));
    }
  }

  /** Call when a list is no longer shown. */
  forget(uri: vscode.Uri): void {
    this.#collection.delete(uri);
  }
}

function diagnosticOf(
  { text, clause, revision, isAdvice }: Fault,
  at: number,
  line: string,
): vscode.Diagnostic {
  const [start, end] = wordsOnLine(line);
  const range = new vscode.Range(at, start, at, end);
  const { Error, Warning } = vscode.DiagnosticSeverity;
  const message = `${line.slice(start, end)}: ${visibleText(text)}.`;
  const diagnostic = new vscode.Diagnostic(range, message, isAdvice ? Warning : Error);
  diagnostic.source = 'MCP Host';
  diagnostic.code = { value: clause, target: vscode.Uri.joinPath(SPECIFICATION, revision, clause) };
  return diagnostic;
}
