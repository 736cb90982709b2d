import { visibleParts } from '../../base/visibleText.ts';
import { pathOf } from '../folders/sharedRoot.ts';
import type { OfferedFolder } from '../questions/questionQueue.ts';
import type { FolderView } from '../questions/reviewProtocol.ts';

/** A folder that may be shared, as the review panel shows it. */
export function folderView(folder: OfferedFolder): FolderView {
  return {
    uri: folder.uri,
    name: visibleParts(folder.name),
    path: visibleParts(pathOf(folder)),
    isProposed: folder.isProposed,
  };
}
