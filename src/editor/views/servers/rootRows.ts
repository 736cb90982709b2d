import { visibleText } from '../../../base/text/visibleText.ts';
import { pathOf } from '../../../host/folders/sharedRoot.ts';
import {
  basisText,
  listedNames,
  rootsMeaning,
  rootsSummary,
  standingText,
} from '../../../host/roots/rootsSummary.ts';
import { tooltipText, iconOfWarning, type Row } from '../row.ts';
import type { NodeOf } from '../../nodes/serverNode.ts';

export function lingeringRow({ roots }: NodeOf<'lingering'>): Row {
  return {
    label: `May still use ${listedNames(roots.map(({ name }) => name))}`,
    icon: iconOfWarning,
    description: 'until restarted',
    context: 'lingering',
    tooltip: tooltipText(
      `${roots.map(pathOf).join('\n')}\n\nThis is no longer shared with the server. The server was notified, ` +
        'but it may keep what it knew. Restart it to be sure.',
    ),
  };
}

export function rootsRow({ server, view }: NodeOf<'roots'>): Row {
  const { state, rootsKnowledge } = server.connection;
  const hasNotAsked = state.kind === 'running' && !rootsKnowledge.hasAsked;
  return {
    label: 'Folders',
    icon: { name: 'root-folder' },
    description: rootsSummary(view, hasNotAsked),
    context: `roots ${view.basis}${view.candidates.length > 0 ? ' folders' : ''}`,
    tooltip: tooltipText(
      [
        rootsMeaning,
        basisText(view),
        ...(hasNotAsked
          ? ["This server hasn't asked for roots since it started, so it doesn't know what is checked here."]
          : []),
      ].join('\n\n'),
    ),
    children: view.candidates.length + view.leftOut.length > 0 ? 'closed' : undefined,
  };
}

export function rootRow({ server, candidate, view }: NodeOf<'root'>): Row {
  const { root, within, isChosen, problem } = candidate;
  const standing = standingText(view, candidate);
  const place = root.uri.startsWith('file:') ? pathOf(root) : root.name;
  const name = visibleText(root.name);
  const label = visibleText(server.label);
  const row: Row = {
    label: name,
    description: visibleText(standing),
    icon: problem ? iconOfWarning : { name: 'folder' },
    context: [
      'root',
      within ? 'subfolder' : 'folder',
      isChosen ? 'chosen' : 'open',
      ...(problem ? [problem.kind] : []),
    ].join(' '),
  };
  return problem
    ? { ...row, tooltip: tooltipText(`${place}\n\nNot shared with '${server.label}': ${problem.message}`) }
    : {
        ...row,
        tooltip: tooltipText(standing ? `${place}\n\n${standing}` : place),
        checkbox: {
          isChecked: isChosen,
          tooltip: isChosen ? `Stop sharing '${name}' with '${label}'` : `Share '${name}' with '${label}'`,
          label: `Share ${name} with ${label}`,
        },
      };
}

export function leftOutRow({ folder }: NodeOf<'leftOut'>): Row {
  const [scheme = ''] = folder.uri.split(':', 1);
  return {
    label: visibleText(folder.name),
    icon: iconOfWarning,
    description: `not shared: ${scheme}: is not a disk that a server can read`,
    tooltip: tooltipText(folder.uri),
  };
}
