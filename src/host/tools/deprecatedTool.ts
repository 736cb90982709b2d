import type { Tool } from '@modelcontextprotocol/client';
import { isRecord } from '../../base/record.ts';

/** Characters of a description that are looked at. */
const MAX_READ = 500;

/** `[Deprecated]`, `(deprecated)` or `Deprecated: …`, as titles and descriptions begin or end. */
const MARKED = /^\W*deprecated\b|[[(]\s*deprecated\b/i;
/** In the middle of a description only in capitals: a tool may well be about deprecated things. */
const SHOUTED = /\bDEPRECATED\b/;

/**
 * Whether a server calls its tool deprecated. The protocol has no field for that: servers say it in a text, or in an
 * annotation of their own.
 */
export function isDeprecated({ title, description, annotations, _meta }: Tool): boolean {
  const texts = [title, annotations?.title, description?.slice(0, MAX_READ)];
  const fields: readonly unknown[] = [annotations, _meta];
  return (
    texts.some((text) => text !== undefined && (MARKED.test(text) || SHOUTED.test(text))) ||
    fields.some((one) => isRecord(one) && one['deprecated'] === true)
  );
}
