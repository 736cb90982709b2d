import { homedir } from 'node:os';
import { isDeepStrictEqual } from 'node:util';
import * as vscode from 'vscode';
import { Emitter } from '../../base/lifetime/event.ts';
import { importLocations, type ImportLocation } from '../../host/config/import/importLocations.ts';
import type { ImportedServer } from '../../host/config/import/mapServer.ts';
import { readImport } from '../../host/config/import/readImport.ts';
import { copilotSource } from '../workspace/configuration.ts';
import { messageOf } from '../../host/errors/hostError.ts';
import { IMPORTED_BYTES } from '../../host/json/bounds.ts';
import type { FoundSummary } from '../nodes/serverNode.ts';

/** What one file contains; `problem` says why it could not be read. */
export interface FoundFile {
  readonly location: ImportLocation;
  readonly servers: readonly ImportedServer[];
  readonly problem?: string;
}

/** What the files of other programs have, for a window without servers. */
export class FoundServers {
  readonly #onDidChange = new Emitter<void>();
  readonly onDidChange = this.#onDidChange.event;
  #found: FoundSummary | undefined;
  #isLooking = false;

  /** Undefined if there are none, or nothing has been read. */
  get found(): FoundSummary | undefined {
    return this.#found;
  }

  /** Reads the files again, in the background. */
  look(): void {
    if (!this.#isLooking) {
      this.#isLooking = true;
      void this.#read().finally(() => (this.#isLooking = false));
    }
  }

  async #read(): Promise<void> {
    const found = foundIn(await findFiles());
    if (!isDeepStrictEqual(found, this.#found)) {
      this.#found = found;
      this.#onDidChange.fire();
    }
  }
}

function foundIn(files: readonly FoundFile[]): FoundSummary | undefined {
  const found = files.map(({ location, servers }) => ({
    // Without the file, which the list of the import names.
    program: location.label.split(':', 1)[0] ?? '',
    count: servers.filter(({ draft }) => draft).length,
  }));
  const count = found.reduce((sum, one) => sum + one.count, 0);
  const isUsable = copilotSource().refusal === undefined;
  const copilots = files.findIndex(({ location }) => location.dialect === 'copilotCli');
  const ofCopilot = isUsable ? (found[copilots]?.count ?? 0) : 0;
  const programs = [...new Set(found.filter((one) => one.count > 0).map(({ program }) => program))];
  return count === 0 ? undefined : { count, programs: new Intl.ListFormat('en').format(programs), ofCopilot };
}

/** Reads the files of other programs, and starts nothing. A file that can't be read has its problem. */
export async function findFiles(): Promise<readonly FoundFile[]> {
  const folders = vscode.workspace.workspaceFolders ?? [];
  const machine = { home: homedir(), platform: process.platform, env: process.env };
  const locations = importLocations(
    machine,
    folders.map(({ uri, name }) => ({ uri: uri.toString(), name })),
  );
  const paths = folders.filter(({ uri }) => uri.scheme === 'file').map(({ uri }) => uri.fsPath);
  return Promise.all(locations.map((location) => findIn(location, paths)));
}

async function findIn(location: ImportLocation, folders: readonly string[]): Promise<FoundFile> {
  const { at, dialect } = location;
  const uri =
    at.kind === 'path'
      ? vscode.Uri.file(at.path)
      : vscode.Uri.joinPath(vscode.Uri.parse(at.folder.uri), ...at.relative);
  try {
    if ((await vscode.workspace.fs.stat(uri)).size > IMPORTED_BYTES) {
      return { location, servers: [], problem: 'it is larger than 16 MB.' };
    }
    const text = new TextDecoder().decode(await vscode.workspace.fs.readFile(uri));
    return { location, ...readImport(text, dialect, folders) };
  } catch (error) {
    const isMissing =
      error instanceof vscode.FileSystemError &&
      (error.code === 'FileNotFound' || error.code === 'FileNotADirectory');
    return { location, servers: [], ...(!isMissing && { problem: messageOf(error) }) };
  }
}
