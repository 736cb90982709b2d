import { visibleParts } from '../../base/visibleText.ts';
import { pathOf } from '../roots/sharedRoot.ts';
import type { OfferedFolder } from './questionQueue.ts';
import type { FolderView } from './reviewProtocol.ts';

/** A folder that may be shared, as the review panel shows it. */
export function folderView(folder: OfferedFolder): FolderView {
  return {
    uri: folder.uri,
    name: visibleParts(folder.name),
    path: visibleParts(pathOf(folder)),
    isProposed: folder.isProposed,
  };
}
