import * as vscode from 'vscode';
import type { ServerId } from '../../host/config/serverDefinition.ts';
import { fileName } from '../documents/documentStore.ts';

export const TRAFFIC_SCHEME = 'mcp-traffic';

/** What a document of this file system is: the list of a server, or one entry of it. */
export interface TrafficPlace {
  readonly id: ServerId;
  /** The number of the entry; undefined for the list. */
  readonly number: number | undefined;
}

/** The document with a server's traffic; its query names the server. */
export function listUri(id: ServerId, label: string): vscode.Uri {
  const name = fileName(label);
  return vscode.Uri.from({ scheme: TRAFFIC_SCHEME, path: `/${name}/Traffic of ${name}`, query: id });
}

/** The document with one entry of the list at `uri`. */
export function entryUri(uri: vscode.Uri, number: number): vscode.Uri {
  const folder = uri.path.slice(0, uri.path.lastIndexOf('/'));
  return uri.with({ path: `${folder}/${number}.jsonc` });
}

/** Undefined for another document. */
export function placeIn({ scheme, path, query }: vscode.Uri): TrafficPlace | undefined {
  if (scheme !== TRAFFIC_SCHEME || query === '') {
    return undefined;
  }
  const [, number] = /\/(\d{1,15})\.jsonc$/.exec(path) ?? [];
  return { id: query, number: number === undefined ? undefined : Number(number) };
}
