import * as vscode from 'vscode';
import { sizeText } from '../../base/text/words.ts';
import { placedResource, type ResourceAddress } from '../../host/resources/resourceAddress.ts';
import type { ResourceContent } from '../../host/resources/resourceContents.ts';
import { resourceFileName } from '../../host/resources/resourceFileName.ts';
import type { ResourceReader } from '../../host/resources/resourceReader.ts';
import { registerCommand, runCommand } from '../commands/commands.ts';
import { inNotification, oneLine } from '../messages/plainText.ts';
import { contentUri, pickContent, readWithProgress } from '../resources/showResource.ts';
import { addressIn, documentIn, mimeTypeIn } from '../resources/resourceArgument.ts';
import type { ReadableResources } from '../resources/readableResources.ts';
import type { ResourceUris } from '../resources/resourceUris.ts';
import { reportResourceFailure } from '../resources/reportResourceFailure.ts';
import { attachFile, canAttach, isAttachable } from './chatCommands.ts';

/** Bytes of a text that a chat is unlikely to take whole. */
const LARGE = 1_024 * 1_024;

export interface AddResourceDependencies {
  readonly uris: ResourceUris;
  readonly reader: ResourceReader;
  readonly readable: ReadableResources;
}

/**
 * Registers `mcpHost.addResourceToChat`, for a row or a document: attaches the document to the editor's chat, or
 * copies a reference if there is no chat. Nothing is sent.
 */
export function registerAddResourceToChat(dependencies: AddResourceDependencies): vscode.Disposable {
  const { uris } = dependencies;
  return registerCommand('addResourceToChat', async (argument?: unknown) => {
    const address = addressIn(argument, uris);
    if (!address) {
      return;
    }
    await reportResourceFailure(uris, address, 'could not be added to the chat', () =>
      add(dependencies, address, argument),
    );
  });
}

async function add(
  { uris, reader, readable }: AddResourceDependencies,
  address: ResourceAddress,
  argument: unknown,
): Promise<void> {
  if (!(await canAttach())) {
    await copyReference(uris, address);
    tell('There is no chat in this editor, so a reference to the resource was copied.');
    return;
  }
  // Read here first, because the editor shows no error for what it cannot attach.
  const snapshot = await readWithProgress(reader, address);
  const document = documentIn(argument);
  const number = document
    ? (placedResource(document.path)?.content ?? 0)
    : await pickContent(snapshot, 'Select a content to add');
  if (number === undefined) {
    return;
  }
  const uri = document ?? contentUri(uris, address, snapshot, number, mimeTypeIn(argument));
  if (!uri) {
    return;
  }
  if (!isAttachable(uri)) {
    await copyReference(uris, address);
    await offerToSave(address);
    return;
  }
  readable.attach(uri);
  await attachFile(uri);
  const doubt = doubtAbout(snapshot.contents[number]);
  if (doubt) {
    // The name comes last: a notification without a button is one line, and is cut off.
    tell(`${doubt}: ${resourceFileName(address.uri)}`);
  }
}

/** A warning about an attached content that a chat may not read, or not whole. */
function doubtAbout(content: ResourceContent | undefined): string | undefined {
  if (content && !content.isText) {
    return "It isn't text, so the chat may not read it";
  }
  return content && content.bytes.length > LARGE
    ? `It has ${sizeText(content.bytes.length)}, so the chat may read only part of it`
    : undefined;
}

async function offerToSave(address: ResourceAddress): Promise<void> {
  const save = 'Save Resource As…';
  const message =
    'The chat takes images only from files, so a reference to the resource was copied instead. Save the image to attach it.';
  if ((await vscode.window.showInformationMessage(message, save)) === save) {
    await runCommand('saveResource', { address });
  }
}

async function copyReference(uris: ResourceUris, { serverId, uri }: ResourceAddress): Promise<void> {
  const server = oneLine(uris.labelOf(serverId) ?? '');
  await vscode.env.clipboard.writeText(`${oneLine(uri)} (a resource of the MCP server '${server}')`);
}

/** Doesn't wait until you close it. */
function tell(message: string): void {
  void vscode.window.showInformationMessage(inNotification(message));
}
