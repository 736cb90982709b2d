import type { ServerToggles } from '../../gate/serverToggles.ts';
import type { ServerNode } from '../../nodes/serverNode.ts';

/** Does what the checkbox of a row decides; for the row itself, and for a row of a page. */
export async function check(node: ServerNode, isChecked: boolean, toggles: ServerToggles): Promise<void> {
  switch (node.kind) {
    case 'root':
      return toggles.root(node.server, node.candidate.root.uri, isChecked);
    case 'tools':
      return toggles.expose(node.server, isChecked);
    case 'tool':
      return toggles.expose(node.server, isChecked, node.tool.name);
    default:
      return undefined;
  }
}
