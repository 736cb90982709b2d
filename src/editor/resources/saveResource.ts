import * as vscode from 'vscode';
import { placedResource, type ResourceAddress } from '../../host/resources/resourceAddress.ts';
import { resourceFileName } from '../../host/resources/resourceFileName.ts';
import { mimeTypeOf } from '../../host/resources/resourceFiles.ts';
import type { ResourceReader } from '../../host/resources/resourceReader.ts';
import { askWhereToSave } from '../documents/saveTarget.ts';
import { shownDocuments } from './openDocuments.ts';
import { pickContent, readWithProgress } from './showResource.ts';
import { documentIn } from './resourceArgument.ts';
import type { ResourceUris } from './resourceUris.ts';

/**
 * Writes a resource, or one of its contents, to a file; what a tab shows is saved as it is shown.
 * `argument` is the command's own.
 *
 * @throws HostError when it cannot be read, and what the file system says of writing.
 */
export async function saveResource(
  uris: ResourceUris,
  reader: ResourceReader,
  address: ResourceAddress,
  argument: unknown,
): Promise<void> {
  const isShown = shownDocuments().some((uri) => {
    const shown = uris.addressOf(uri);
    return shown?.uri === address.uri && shown.serverId === address.serverId;
  });
  const snapshot = (isShown ? reader.peek(address) : undefined) ?? (await readWithProgress(reader, address));
  const document = documentIn(argument);
  const number =
    (document && placedResource(document.path)?.content) ??
    (await pickContent(snapshot, 'Select a content to save'));
  const content = number === undefined ? undefined : snapshot.contents[number];
  if (number === undefined) {
    return;
  }
  const name =
    snapshot.contents.length > 1 && content
      ? resourceFileName(content.uri, mimeTypeOf(content))
      : resourceFileName(address.uri, content && mimeTypeOf(content, uris.listedTypeOf(address)));
  const target = await askWhereToSave(name, { title: 'Save Resource As', saveLabel: 'Save' });
  if (target) {
    await vscode.workspace.fs.writeFile(target, content?.bytes ?? new Uint8Array());
  }
}
