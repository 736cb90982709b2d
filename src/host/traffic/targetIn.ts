import { isRecord } from '../../base/values/record.ts';

/** The name of a tool or prompt, or the URI, in the parameters of a message; undefined for any other. */
export function targetIn(params: unknown): string | undefined {
  const { name, uri } = isRecord(params) ? params : {};
  const target = typeof name === 'string' ? name : uri;
  return typeof target === 'string' ? target : undefined;
}
