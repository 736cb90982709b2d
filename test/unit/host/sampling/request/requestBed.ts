import { readSamplingRequest } from '../../../../../src/host/sampling/request/readSamplingRequest.ts';
import type { SamplingRequest } from '../../../../../src/host/sampling/request/samplingRequest.ts';

/** A PNG of one pixel, as base64. */
export const PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

export const aTool = { name: 'add', description: 'Adds', inputSchema: { type: 'object' } };

/** The parameters of a request that is fine, with these fields in it. */
export function params(fields: object = {}): Record<string, unknown> {
  return {
    messages: [{ role: 'user', content: { type: 'text', text: 'Hello' } }],
    maxTokens: 100,
    ...fields,
  };
}

/** A request as it was read. */
export function aRequest(fields: object = {}): SamplingRequest {
  return readSamplingRequest(params(fields), '2025-11-25');
}

/** A message of the user or the assistant. */
export function message(role: string, ...content: readonly unknown[]): object {
  return { role, content };
}

export function text(said: string): object {
  return { type: 'text', text: said };
}
