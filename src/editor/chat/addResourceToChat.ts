import * as vscode from 'vscode';
import { CancellationError } from '../../base/cancellation.ts';
import { placedResource, type ResourceAddress } from '../../host/resources/resourceAddress.ts';
import type { ResourceContent } from '../../host/resources/resourceContents.ts';
import { resourceFileName } from '../../host/resources/resourceFileName.ts';
import type { ResourceReader } from '../../host/resources/resourceReader.ts';
import { inNotification, oneLine } from '../plainText.ts';
import { documentOf, pickContent, readWithProgress } from '../resources/showResource.ts';
import { addressIn, documentIn, mimeTypeIn } from '../resources/resourceArgument.ts';
import type { ReadableResources } from '../resources/readableResources.ts';
import type { ResourceUris } from '../resources/resourceUris.ts';
import { sizeText } from '../sizeText.ts';
import { tellResourceFailure } from '../resources/tellResourceFailure.ts';
import { attachFile, canAttach, isAttachable } from './chatCommands.ts';

/** Bytes of a text from which on a chat will hardly take it whole. */
const LARGE = 1_024 * 1_024;

export interface AddResourceDependencies {
  readonly uris: ResourceUris;
  readonly reader: ResourceReader;
  readonly readable: ReadableResources;
}

/**
 * Registers `mcpHost.addResourceToChat`, for a row or a document: attaches the document where the editor
 * has a chat for it, and copies a reference where not. Nothing is sent.
 */
export function registerAddResourceToChat(dependencies: AddResourceDependencies): vscode.Disposable {
  const { uris } = dependencies;
  return vscode.commands.registerCommand('mcpHost.addResourceToChat', async (argument?: unknown) => {
    const address = addressIn(argument, uris);
    if (!address) {
      return;
    }
    try {
      await add(dependencies, address, argument);
    } catch (error) {
      if (!(error instanceof CancellationError)) {
        await tellResourceFailure(uris, address, 'could not be added to the chat', error);
      }
    }
  });
}

async function add(
  { uris, reader, readable }: AddResourceDependencies,
  address: ResourceAddress,
  argument: unknown,
): Promise<void> {
  if (!(await canAttach())) {
    await copyReference(uris, address);
    tell('There is no chat: a reference to the resource was copied.');
    return;
  }
  // Read here first, because the editor says nothing of what it cannot attach.
  const snapshot = await readWithProgress(reader, address);
  const document = documentIn(argument);
  const number = document
    ? (placedResource(document.path)?.content ?? 0)
    : await pickContent(snapshot, 'Which of the contents to add');
  if (number === undefined) {
    return;
  }
  const uri = document ?? documentOf(uris, address, snapshot, number, mimeTypeIn(argument));
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
    // The name stands last: a notification without a button is one line, and cut off.
    tell(`${doubt}: ${resourceFileName(address.uri)}`);
  }
}

/** What a chat may not do with a content that is attached. */
function doubtAbout(content: ResourceContent | undefined): string | undefined {
  if (content && !content.isText) {
    return 'It is not text, so the chat may not read it';
  }
  return content && content.bytes.length > LARGE
    ? `It has ${sizeText(content.bytes.length)}, so the chat may read only a part`
    : undefined;
}

async function offerToSave(address: ResourceAddress): Promise<void> {
  const save = 'Save Resource As…';
  const message =
    'The chat takes images from files only: a reference to the resource was copied instead. Save the image to attach it.';
  if ((await vscode.window.showInformationMessage(message, save)) === save) {
    await vscode.commands.executeCommand('mcpHost.saveResource', { address });
  }
}

async function copyReference(uris: ResourceUris, { serverId, uri }: ResourceAddress): Promise<void> {
  const server = oneLine(uris.labelOf(serverId) ?? '');
  await vscode.env.clipboard.writeText(`${oneLine(uri)} (a resource of the MCP server '${server}')`);
}

/** Nobody needs to wait until it is read. */
function tell(message: string): void {
  void vscode.window.showInformationMessage(inNotification(message));
}
