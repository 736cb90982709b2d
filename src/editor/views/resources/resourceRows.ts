import { counted, sizeText } from '../../../base/text/words.ts';
import { commandTo } from '../../commands/commandList.ts';
import type { ResourceUris } from '../../resources/resourceUris.ts';
import { leftOutText, malformedRow, moreLabel, pictureOf, SERVER_ICON_BYTES, type Row } from '../row.ts';
import { stateWords } from '../../../host/connection/stateWords.ts';
import type {
  ListedResourceNode,
  ListedServerNode,
  ResourceNode,
  TemplateNode,
} from '../../nodes/resourceNode.ts';
import { countsText, inRow, resourceTooltip, tooltipOf } from './resourceText.ts';

/** A row of the tree of resources. */
export function resourceRow(node: ResourceNode, isOpen: boolean, uris: Pick<ResourceUris, 'uriOf'>): Row {
  const context = node.kind;
  const children = isOpen ? 'open' : 'closed';
  switch (node.kind) {
    case 'server':
      return { ...serverRow(node), context, children };
    case 'folder': {
      const { segments, count, prefix } = node.folder;
      return {
        label: inRow(segments.length > 1 && segments.endsWith('/') ? segments.slice(0, -1) : segments),
        icon: { name: 'folder' },
        description: String(count),
        tooltip: tooltipOf(prefix, [], counted(count, 'resource')),
        context,
        children,
      };
    }
    case 'resource':
      return { ...listedRow(node, uris), context };
    case 'templates':
      return {
        label: 'Templates',
        icon: { name: 'symbol-variable' },
        description: String(node.count),
        tooltip: 'Resources whose URIs have variables to fill in',
        context,
        children,
      };
    case 'template':
      return { ...templateRow(node), context };
    case 'malformed':
      return malformedRow(node.item, 'resources');
    case 'more':
      return {
        label: moreLabel(node.hidden, node.side === 'before' ? 'Previous' : 'More'),
        context,
        command: commandTo('showMoreResources', 'Show More', node),
      };
  }
}

function serverRow({ server, matching }: ListedServerNode): Row {
  const { state, catalogue, serverInfo } = server.connection;
  const counts = countsText(catalogue?.resources.length ?? 0, catalogue?.resourceTemplates.length ?? 0);
  const all = [counts, ...leftOutText(server, 'resources')].filter(Boolean).join(' · ');
  return {
    label: inRow(server.label),
    description: matching === undefined ? all : `${matching} found`,
    icon: pictureOf(serverInfo ?? {}, SERVER_ICON_BYTES) ?? {
      name: 'pass-filled',
      color: 'testing.iconPassed',
    },
    tooltip: tooltipOf(`${server.label}: ${stateWords(state).word}`, [], counts),
  };
}

function listedRow(node: ListedResourceNode, uris: Pick<ResourceUris, 'uriOf'>): Row {
  const { resource, label, segment, mimeType } = node;
  const { size } = resource;
  const isNamedOtherwise = segment.trim() !== '' && segment !== label && segment !== resource.uri;
  return {
    label: inRow(label),
    description: [
      ...(isNamedOtherwise ? [inRow(segment)] : []),
      ...(size === undefined ? [] : [sizeText(size)]),
    ].join(' · '),
    resourceUri: uris.uriOf(node.address, mimeType),
    icon: pictureOf(resource) ?? { name: 'file' },
    tooltip: resourceTooltip(resource, label),
    command: commandTo('openResource', 'Open', node),
  };
}

function templateRow(node: TemplateNode): Row {
  const { uriTemplate, mimeType, description, name, title } = node.template;
  const label = inRow(title?.trim() || name.trim() || uriTemplate);
  return {
    label,
    icon: pictureOf(node.template) ?? { name: 'symbol-variable' },
    description: inRow(uriTemplate),
    tooltip: tooltipOf(
      label,
      [
        ['Name', name],
        ['URI', uriTemplate],
        ['Type', mimeType],
      ],
      description,
    ),
    command: commandTo('openTemplate', 'Open', node),
  };
}
