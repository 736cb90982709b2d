import * as vscode from 'vscode';
import { sizeText } from '../../base/text/words.ts';
import type { ResourceAddress } from '../../host/resources/resourceAddress.ts';
import type { ResourceContent } from '../../host/resources/resourceContents.ts';
import { resourceFileName } from '../../host/resources/resourceFileName.ts';
import { fileNamesOf, mimeTypeOf } from '../../host/resources/resourceFiles.ts';
import type { ResourceReader, ResourceSnapshot } from '../../host/resources/resourceReader.ts';
import { withCallProgress } from '../messages/withCallProgress.ts';
import { inQuickInput } from '../messages/plainText.ts';
import type { RecentList } from '../workspace/recentList.ts';
import type { ReadableResources } from './readableResources.ts';
import type { ResourceUris } from './resourceUris.ts';
import { reportResourceFailure } from './reportResourceFailure.ts';

/** Bytes of a text that the editor hands to extensions; the editor opens larger ones itself. */
const MAX_DOCUMENT = 50 * 1_024 * 1_024;

/**
 * Opens a resource, or shows why it cannot be opened. `mimeType` is what the server lists; the type of the content
 * itself takes precedence.
 */
export type ShowResource = (address: ResourceAddress, mimeType?: string) => Promise<void>;

export interface ShowResourceDependencies {
  readonly reader: ResourceReader;
  readonly uris: ResourceUris;
  readonly readable: ReadableResources;
  readonly recent: RecentList<ResourceAddress>;
}

/**
 * Shows a resource: a text in a text editor, whatever its type, and bytes in the editor's viewer for them. Of several
 * contents you select one. A failure is shown.
 */
export function showingResources(dependencies: ShowResourceDependencies): ShowResource {
  const { reader, uris, readable, recent } = dependencies;
  return (address, mimeType) =>
    reportResourceFailure(uris, address, 'could not be opened', async () => {
      const snapshot = await readWithProgress(reader, address);
      const picked = await pickContent(snapshot, 'Select a content to open');
      if (picked !== undefined) {
        const uri = contentUri(uris, address, snapshot, picked, mimeType);
        if (uri) {
          readable.open(uri);
          await show(uri, snapshot.contents[picked]);
        }
        recent.add({ serverId: address.serverId, uri: address.uri });
      }
    });
}

/** Reads a resource for you. You can cancel it when it is slow. */
export function readWithProgress(
  reader: ResourceReader,
  address: ResourceAddress,
): Promise<ResourceSnapshot> {
  const name = resourceFileName(address.uri);
  return withCallProgress(`Reading ${name}`, (_onProgress, signal) => reader.read(address, signal));
}

/** The number of the content that you select, from 0; undefined when you select none. */
export async function pickContent(
  { contents }: ResourceSnapshot,
  placeHolder: string,
): Promise<number | undefined> {
  if (contents.length <= 1) {
    return 0;
  }
  const names = fileNamesOf(contents);
  const items = contents.map(({ uri, mimeType, bytes }, index) => ({
    label: inQuickInput(names[index] ?? ''),
    description: inQuickInput([mimeType, sizeText(bytes.length)].filter(Boolean).join(' · ')),
    detail: inQuickInput(uri),
    index,
  }));
  const title = `The Resource Has ${contents.length} Contents`;
  const options = { title, placeHolder, matchOnDescription: true, matchOnDetail: true };
  return (await vscode.window.showQuickPick(items, options))?.index;
}

/** The document of one of a resource's contents, from 0; `mimeType` is what the server has listed. */
export function contentUri(
  uris: ResourceUris,
  address: ResourceAddress,
  { contents }: ResourceSnapshot,
  picked: number,
  mimeType: string | undefined = uris.listedTypeOf(address),
): vscode.Uri | undefined {
  const content = contents[picked];
  const isOne = contents.length <= 1;
  const resource = uris.uriOf(address, isOne && content ? mimeTypeOf(content, mimeType) : mimeType);
  return isOne
    ? resource
    : resource?.with({ path: `${resource.path}/${fileNamesOf(contents)[picked] ?? ''}` });
}

async function show(uri: vscode.Uri, content: ResourceContent | undefined): Promise<void> {
  if (!content || isTextDocument(content)) {
    // Explicit, because your setting `files.encoding` applies to this file system, too.
    const document = await vscode.workspace.openTextDocument(uri, { encoding: 'utf8' });
    await vscode.window.showTextDocument(document);
  } else {
    await vscode.commands.executeCommand('vscode.open', uri);
  }
}

/** A text is never handed to a viewer that would run it. */
function isTextDocument({ isText, bytes }: ResourceContent): boolean {
  return isText && bytes.length <= MAX_DOCUMENT;
}
