import path from 'node:path';
import * as vscode from 'vscode';
import { messageOf } from '../../host/errors/hostError.ts';
import type { HostServer } from '../../host/servers/mcpHost.ts';
import { comparedText } from '../../host/traffic/comparedText.ts';
import {
  checkSize,
  readRecording,
  RECORDING_ENDING,
  recordingLines,
  type RecordedServer,
  type Recording,
} from '../../host/traffic/recording.ts';
import { fileName } from '../documents/documentStore.ts';
import { askWhereToSave } from '../documents/saveTarget.ts';
import type { ViewDocuments } from '../documents/viewDocuments.ts';
import { reportingError } from '../messages/notifications.ts';
import type { ShownServer } from './shownTraffic.ts';

const filters = { 'MCP Recording': ['jsonl'] };

/** Something to compare: what is recorded now, or a file. */
interface Side {
  readonly name: string;
  readonly recording: Recording;
}

/** Writes all that is recorded to a file, and shows it: who gets the file sees everything that is not a known secret. */
export async function exportRecording(shown: ShownServer): Promise<void> {
  const target = await askWhereToSave(`${fileName(shown.server.label)}${RECORDING_ENDING}`, {
    title: `Export Recording of ${shown.server.label}`,
    saveLabel: 'Export',
    filters,
  });
  if (!target) {
    return;
  }
  await reportingError('The recording could not be exported', async () => {
    await vscode.workspace.fs.writeFile(target, Buffer.from(textOf(shown)));
    await vscode.window.showTextDocument(target, { preview: false });
    void vscode.window.showInformationMessage(
      'Read it before you share it: only known secrets were left out.',
    );
  });
}

/** Shows what differs between a recording and another one that you select; without `second`, you are asked for it. */
export async function compareRecordings(
  viewDocuments: ViewDocuments,
  first: ShownServer | vscode.Uri,
  second?: vscode.Uri,
): Promise<void> {
  const other = second ?? (await askForRecording());
  if (!other) {
    return;
  }
  await reportingError('The recordings could not be compared', async () => {
    const now = first instanceof vscode.Uri ? await sideOf(first) : liveSide(first);
    const [before, after] =
      first instanceof vscode.Uri ? [now, await sideOf(other)] : [await sideOf(other), now];
    const [left, right] = [before, after].map(({ name, recording }) =>
      viewDocuments.keep(`Recordings/${fileName(name)}.txt`, Buffer.from(comparedText(recording))),
    ) as [vscode.Uri, vscode.Uri];
    await vscode.commands.executeCommand('vscode.diff', left, right, `${before.name} ↔ ${after.name}`);
  });
}

async function askForRecording(): Promise<vscode.Uri | undefined> {
  const chosen = await vscode.window.showOpenDialog({
    title: 'Compare with a Recording',
    openLabel: 'Compare',
    filters,
  });
  return chosen?.[0];
}

async function sideOf(uri: vscode.Uri): Promise<Side> {
  const name = path.posix.basename(uri.path);
  try {
    checkSize((await vscode.workspace.fs.stat(uri)).size);
    const text = new TextDecoder().decode(await vscode.workspace.fs.readFile(uri));
    return { name, recording: readRecording(text) };
  } catch (error) {
    throw new Error(`${name}: ${messageOf(error)}`, { cause: error });
  }
}

function liveSide(shown: ShownServer): Side {
  return { name: `${shown.server.label} now`, recording: readRecording(textOf(shown)) };
}

function textOf({ server, recorder }: ShownServer): string {
  return [...recordingLines(factsOf(server), recorder.entries, recorder.secrets)].join('');
}

/** What is known of a server now; less while it doesn't run. */
function factsOf({ label, connection }: HostServer): RecordedServer {
  const { state, catalogue, serverInfo, capabilities, instructions } = connection;
  const { tools, prompts, resources, resourceTemplates } = catalogue ?? {};
  return {
    server: label,
    revision: state.kind === 'running' ? state.revision : undefined,
    serverInfo,
    capabilities,
    instructions,
    lists: catalogue && { tools, prompts, resources, resourceTemplates },
  };
}
