import type { Client, Prompt, Resource, ResourceTemplateType, Tool } from '@modelcontextprotocol/client';
import type { Logger } from '../../../base/logging/logger.ts';
import { errorCodeOf } from '../../../base/values/errorCode.ts';
import { HostError, messageOf } from '../../errors/hostError.ts';
import { asChecked } from '../../results/checkedResult.ts';
import type { ListMethod } from '../../results/soundList.ts';
import type { SoundPage } from '../../results/soundPage.ts';
import { METHOD_NOT_FOUND } from '../../transport/http/refusal.ts';
import { defaultBounds, listPages } from './listPages.ts';
import type { ListKind, ServerList } from './serverList.ts';

/** Where lists are read from, and how. */
interface ListSource {
  readonly client: Pick<Client, 'request'>;
  readonly logger: Logger;
  /** Milliseconds that one page may take. */
  readonly timeout: number;
}

const none: ServerList<never> = {
  items: [],
  malformed: [],
  notes: new Map(),
  ttlMs: undefined,
  cut: undefined,
};

/**
 * Reads the lists of one kind: one list, or for resources also that of their templates. With `keepsOld`, a list that
 * fails after its first page is not read in part, because the old one is complete.
 *
 * @throws as `listPages`.
 */
export async function readLists(
  kind: ListKind,
  source: ListSource,
  keepsOld: boolean,
  signal: AbortSignal,
): Promise<readonly ServerList<unknown>[]> {
  const read = <T>(method: ListMethod, keyOf: (item: T) => string): Promise<ServerList<T>> =>
    readList(method, keyOf, source, keepsOld, signal).catch((error: unknown) => {
      // Many servers with resources have no templates.
      const isOptional = method === 'resources/templates/list';
      const code = errorCodeOf(error);
      if (!isOptional && code !== METHOD_NOT_FOUND) {
        throw error;
      }
      if (!keepsOld) {
        const answer = `the server answered '${method}': ${messageOf(error)} (${String(code)})`;
        source.logger.log(isOptional ? 'debug' : 'info', `Taken for an empty list: ${answer}.`);
      }
      return none;
    });
  switch (kind) {
    case 'tools':
      return [await read('tools/list', ({ name }: Tool) => name)];
    case 'prompts':
      return [await read('prompts/list', ({ name }: Prompt) => name)];
    case 'resources':
      return Promise.all([
        read('resources/list', ({ uri }: Resource) => uri),
        read('resources/templates/list', ({ uriTemplate }: ResourceTemplateType) => uriTemplate),
      ]);
  }
}

async function readList<T>(
  method: ListMethod,
  keyOf: (item: T) => string,
  { client, timeout }: ListSource,
  keepsOld: boolean,
  signal: AbortSignal,
): Promise<ServerList<T>> {
  const page = async (cursor: string | undefined, ms: number, abort: AbortSignal): Promise<SoundPage> => {
    const request = { method, ...(cursor !== undefined && { params: { cursor } }) };
    return client.request(request, asChecked<SoundPage>(), { timeout: ms, signal: abort });
  };
  const list = await listPages({ page, keyOf, timeout }, defaultBounds, signal);
  if (list.failure !== undefined && keepsOld) {
    throw new HostError('protocol', messageOf(list.failure), { cause: list.failure });
  }
  return list;
}
