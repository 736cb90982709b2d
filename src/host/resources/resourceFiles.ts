import { contentNameOf, type PlacedResource } from './resourceAddress.ts';
import type { ResourceContent } from './resourceContents.ts';
import { isBinaryType } from './mimeNames.ts';
import { resourceFileName } from './resourceFileName.ts';
import type { ResourceSnapshot } from './resourceReader.ts';

/** What is at a resource's path: a file, or a folder of its contents when it has several. */
export type ResourceFile =
  | { readonly kind: 'file'; readonly bytes: Uint8Array; readonly mimeType: string | undefined }
  | { readonly kind: 'folder'; readonly names: readonly string[] }
  /** One of several contents that is gone, or has another name. */
  | { readonly kind: 'gone' };

/** What is at a path; `name` is the path's last part. */
export function resourceFileAt(
  { content }: PlacedResource,
  name: string,
  { contents }: ResourceSnapshot,
): ResourceFile {
  if (content === undefined) {
    return contents.length > 1 ? { kind: 'folder', names: fileNamesOf(contents) } : fileOf(contents[0]);
  }
  return contents.length > 1 && fileNamesOf(contents)[content] === name
    ? fileOf(contents[content])
    : { kind: 'gone' };
}

/** The file names of several contents: numbered, because servers may give all of them the same URI. */
export function fileNamesOf(contents: readonly ResourceContent[]): readonly string[] {
  return contents.map((content, index) =>
    contentNameOf(index, resourceFileName(content.uri, mimeTypeOf(content))),
  );
}

/** The type that a content is shown as: a text is never an image, whatever the server says. */
export function mimeTypeOf({ mimeType, isText }: ResourceContent, listed?: string): string | undefined {
  const claimed = mimeType ?? listed;
  return isText && isBinaryType(claimed) ? 'text/plain' : claimed;
}

/** A resource without any content is an empty file. */
function fileOf(content: ResourceContent | undefined): ResourceFile {
  return {
    kind: 'file',
    bytes: content?.bytes ?? new Uint8Array(),
    mimeType: content && mimeTypeOf(content),
  };
}
