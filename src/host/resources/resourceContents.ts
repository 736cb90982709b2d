import type { ReadResourceResult } from '@modelcontextprotocol/client';
import { HostError } from '../errors/hostError.ts';
import { decodeBase64 } from '../json/decodeBase64.ts';

/** One of a resource's contents, as bytes. */
export interface ResourceContent {
  /** Its URI as the server claims, often the resource's own. */
  readonly uri: string;
  readonly mimeType: string | undefined;
  readonly bytes: Uint8Array;
  /** Whether it came as text: then the bytes are its UTF-8. */
  readonly isText: boolean;
}

/**
 * The contents of an answer to `resources/read`.
 *
 * @throws HostError `protocol` if something is neither text nor base64, or all is larger than `limit` bytes.
 */
export function contentsOf({ contents }: ReadResourceResult, limit: number): readonly ResourceContent[] {
  let size = 0;
  return contents.map((content) => {
    // Base64 takes four characters for three bytes.
    const least = 'text' in content ? content.text.length : content.blob.length * 0.74;
    const bytes = size + least > limit ? undefined : bytesOf(content);
    size += bytes?.length ?? least;
    if (bytes === undefined || size > limit) {
      const megabytes = Math.floor(limit / (1_024 * 1_024));
      throw new HostError('protocol', `the resource is larger than ${megabytes} MB, the most that is read`);
    }
    return { uri: content.uri, mimeType: content.mimeType, bytes, isText: 'text' in content };
  });
}

/** Whether the editor would show the same. */
export function areSameContents(one: readonly ResourceContent[], other: readonly ResourceContent[]): boolean {
  return (
    one.length === other.length &&
    one.every((content, index) => {
      const another = other[index];
      return (
        another !== undefined &&
        content.uri === another.uri &&
        content.mimeType === another.mimeType &&
        Buffer.compare(content.bytes, another.bytes) === 0
      );
    })
  );
}

/** Bytes of all contents together. */
export function sizeOf(contents: readonly ResourceContent[]): number {
  return contents.reduce((sum, { bytes }) => sum + bytes.length, 0);
}

function bytesOf(content: ReadResourceResult['contents'][number]): Uint8Array {
  if ('text' in content) {
    return new TextEncoder().encode(content.text);
  }
  const bytes = decodeBase64(content.blob);
  if (!bytes) {
    throw new HostError('protocol', 'the server sent data that is not valid base64');
  }
  return bytes;
}
