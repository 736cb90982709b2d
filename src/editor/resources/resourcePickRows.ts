import type { ResourceTemplateType } from '@modelcontextprotocol/client';
import * as vscode from 'vscode';
import type { ServerId } from '../../host/config/serverDefinition.ts';
import type { ResourceAddress } from '../../host/resources/resourceAddress.ts';
import type { FoundResource, OfferedResources } from '../../host/resources/resourceSearch.ts';
import { inQuickInput } from '../messages/plainText.ts';
import { inputButton } from '../quickInput/quickInputs.ts';

/** What a row opens. */
export type RowTarget =
  | { readonly kind: 'resource'; readonly address: ResourceAddress; readonly mimeType: string | undefined }
  | { readonly kind: 'template'; readonly serverId: ServerId; readonly template: ResourceTemplateType };

/** A row of the pick; one without a target only says something. */
export interface ResourceRow extends vscode.QuickPickItem {
  readonly target?: RowTarget;
}

export const addToChatButton = inputButton('attach', 'Add to Chat');
export const copyUriButton = inputButton('copy', 'Copy URI');

/** Characters of a server's text that are looked at for a row. */
const MAX_READ = 1_000;

/** The key of a row. */
export function rowKey({ target, label }: ResourceRow): string {
  switch (target?.kind) {
    case undefined:
      return label;
    case 'resource':
      return JSON.stringify([target.kind, target.address.serverId, target.address.uri]);
    case 'template':
      return JSON.stringify([
        target.kind,
        target.serverId,
        target.template.uriTemplate,
        target.template.name,
      ]);
    default:
      return target satisfies never;
  }
}

/** The rows for what was found; without a query, what you used last comes in a group of its own. */
export function rowsOf(found: readonly FoundResource[], isQueryEmpty: boolean): readonly ResourceRow[] {
  const rows = found.map(rowOf);
  const recent = isQueryEmpty ? found.filter(({ isRecent }) => isRecent).length : 0;
  return recent === 0
    ? rows
    : [
        separator('recently used'),
        ...rows.slice(0, recent),
        separator('all resources'),
        ...rows.slice(recent),
      ];
}

function rowOf(found: FoundResource): ResourceRow {
  const { serverId, server, label } = found;
  const { uri, mimeType, description } =
    found.kind === 'resource' ? found.resource : { ...found.template, uri: found.template.uriTemplate };
  return {
    label: inQuickInput(label, 100),
    description: `${inQuickInput(server, 60)} · ${inQuickInput(uri.slice(0, MAX_READ), 160)}`,
    ...(description && { detail: inQuickInput(description.slice(0, MAX_READ), 200) }),
    iconPath: iconOf(found.kind, mimeType),
    buttons: found.kind === 'resource' ? [addToChatButton, copyUriButton] : [copyUriButton],
    // The search has been done; the editor would do it again, and in another way.
    alwaysShow: true,
    target:
      found.kind === 'resource'
        ? { kind: 'resource', address: { serverId, uri }, mimeType }
        : { kind: 'template', serverId, template: found.template },
  };
}

function iconOf(kind: FoundResource['kind'], mimeType: string | undefined): vscode.ThemeIcon {
  if (kind === 'template') {
    return new vscode.ThemeIcon('symbol-variable');
  }
  return new vscode.ThemeIcon(/^(image|audio|video)\//.test(mimeType ?? '') ? 'file-media' : 'file');
}

/** Rows to open a URI from servers that do not list it: they may still have it. */
export function unlistedRows(typed: string, offered: readonly OfferedResources[]): readonly ResourceRow[] {
  if (!/^[a-z][a-z0-9+.-]*:\S+$/i.test(typed)) {
    return [];
  }
  return offered
    .filter(({ resources }) => resources.every(({ uri }) => uri !== typed))
    .map(({ serverId, server }): ResourceRow => ({
      // The editor would sort a label with the URI before the resource of a server that lists it.
      label: `Open from ${inQuickInput(server, 60)}`,
      description: inQuickInput(typed, 200),
      iconPath: new vscode.ThemeIcon('go-to-file'),
      alwaysShow: true,
      target: { kind: 'resource', address: { serverId, uri: typed }, mimeType: undefined },
    }));
}

function separator(label: string): ResourceRow {
  return { label, kind: vscode.QuickPickItemKind.Separator };
}
