import { messageOf } from '../../host/errors/hostError.ts';
import type { ResourceAddress } from '../../host/resources/resourceAddress.ts';
import { oneLine } from '../messages/plainText.ts';
import { tellingFailure } from '../commands/tellFailure.ts';
import type { ResourceUris } from './resourceUris.ts';

/** Characters of a URI that a notification shows. */
const MAX_URI = 200;

/** Does something with a resource. If it fails, shows what failed, on which server, with the way to its log. */
export function reportResourceFailure(
  uris: ResourceUris,
  { serverId, uri }: ResourceAddress,
  what: string,
  run: () => Promise<void>,
): Promise<void> {
  return tellingFailure(run, (error) => {
    const server = uris.labelOf(serverId);
    const resource = `The resource ${oneLine(uri, MAX_URI)}`;
    const place = server === undefined ? '' : ` of server '${server}'`;
    const id = server === undefined ? undefined : serverId;
    return { id, text: `${resource}${place} ${what}: ${messageOf(error)}` };
  });
}
