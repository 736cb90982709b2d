import * as vscode from 'vscode';
import { canonicalJson } from '../../base/values/canonicalJson.ts';
import { fileKindOf } from '../../host/config/edit/serversFile.ts';
import { settingsIn } from '../../host/config/edit/withServer.ts';
import type { DefinitionOrigin } from '../../host/config/serverDefinition.ts';
import { settingsNow } from '../workspace/configuration.ts';
import { until } from '../../base/lifetime/until.ts';

/** Milliseconds within which the editor applies settings that it has saved. */
export const TAKEN_UP_MS = 10_000;

/** True when the editor has applied the saved text. A `.mcp.json` is read from the disk. */
export async function isTakenUp(origin: DefinitionOrigin, text: string): Promise<boolean> {
  if (origin.format === 'mcpJson') {
    return true;
  }
  const wanted = settingsIn(text, fileKindOf(origin));
  return until(
    vscode.workspace.onDidChangeConfiguration,
    () => canonicalJson(wanted) === canonicalJson(settingsNow(origin)),
    TAKEN_UP_MS,
  );
}
