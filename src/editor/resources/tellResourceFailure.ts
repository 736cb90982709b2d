import { messageOf } from '../../host/errors/hostError.ts';
import type { ResourceAddress } from '../../host/resources/resourceAddress.ts';
import { oneLine } from '../plainText.ts';
import { tellFailure } from '../tellFailure.ts';
import type { ResourceUris } from './resourceUris.ts';

/** Characters of a URI that a notification shows. */
const MAX_URI = 200;

/** Tells what failed with a resource, on which server, with the way to its log. */
export async function tellResourceFailure(
  uris: ResourceUris,
  { serverId, uri }: ResourceAddress,
  what: string,
  error: unknown,
): Promise<void> {
  const server = uris.labelOf(serverId);
  const resource = `The resource ${oneLine(uri, MAX_URI)}`;
  const place = server === undefined ? '' : ` of server '${server}'`;
  const id = server === undefined ? undefined : serverId;
  await tellFailure(id, `${resource}${place} ${what}: ${messageOf(error)}`);
}
