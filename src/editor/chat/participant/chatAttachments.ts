import * as vscode from 'vscode';
import type { CallResult } from '../../../host/chat/loop/chatLoop.ts';
import type { Attachment } from '../../../host/chat/loop/turnPrompt.ts';
import { RESOURCE_SCHEME } from '../../../host/resources/resourceAddress.ts';
import type { HostServer } from '../../../host/servers/mcpHost.ts';
import { oneLine } from '../../messages/plainText.ts';
import type { ResourceUris } from '../../resources/resourceUris.ts';

/** Bytes of a file that is read for a model. */
const MAX_FILE = 1_024 * 1_024;

/** Attachments of one request that are read. */
const MAX_ATTACHED = 50;

export interface AttachmentSource {
  readonly uris: ResourceUris;
  /** The running servers that are in chat. */
  readonly servers: readonly HostServer[];
  /** Reads a resource through the gate. @throws CancellationError */
  readonly read: (server: string, uri: string) => Promise<CallResult>;
}

/** What is attached to a request, and a sentence for each that could not be read. */
export interface ReadAttachments {
  readonly attached: readonly Attachment[];
  readonly problems: readonly string[];
}

/** Reads what is attached: resources of servers through the gate, other documents as the editor has them. */
export async function readAttachments(
  references: readonly vscode.ChatPromptReference[],
  source: AttachmentSource,
): Promise<ReadAttachments> {
  const attached: Attachment[] = [];
  const problems: string[] = [];
  // The editor lists the last one first.
  const inOrder = withoutTwins(references.toReversed());
  for (const { id, value, modelDescription } of inOrder.slice(0, MAX_ATTACHED)) {
    const read =
      typeof value === 'string'
        ? textAttachment(modelDescription ?? id, value)
        : value instanceof vscode.Uri
          ? await readUri(value, undefined, source)
          : value instanceof vscode.Location
            ? await readUri(value.uri, value.range, source)
            : `'${oneLine(id, 60)}' isn't a text, so it could not be attached.`;
    if (typeof read === 'string') {
      problems.push(read);
    } else {
      attached.push(read);
    }
  }
  const left = inOrder.length - MAX_ATTACHED;
  if (left > 0) {
    problems.push(
      `Only the first ${MAX_ATTACHED} attachments were read: ${left} more ${left === 1 ? 'was' : 'were'} left out.`,
    );
  }
  return { attached, problems };
}

/** The editor also attaches the document that is open, even if you attached it yourself: a resource is read once. */
function withoutTwins(
  references: readonly vscode.ChatPromptReference[],
): readonly vscode.ChatPromptReference[] {
  const read = new Set<string>();
  return references.filter(({ value }) => {
    const uri = value instanceof vscode.Location ? value.uri : value;
    if (!(uri instanceof vscode.Uri) || uri.scheme !== RESOURCE_SCHEME) {
      return true;
    }
    const isFirst = !read.has(uri.toString());
    read.add(uri.toString());
    return isFirst;
  });
}

async function readUri(
  uri: vscode.Uri,
  range: vscode.Range | undefined,
  source: AttachmentSource,
): Promise<Attachment | string> {
  const name = oneLine(uri.path.split('/').at(-1) ?? '', 60);
  return uri.scheme === RESOURCE_SCHEME
    ? attachedResource(uri, name, source)
    : attachedFile(uri, range, name);
}

async function attachedResource(
  uri: vscode.Uri,
  name: string,
  { uris, servers, read }: AttachmentSource,
): Promise<Attachment | string> {
  const address = uris.addressOf(uri);
  const server = servers.find(({ connection }) => connection.definition.id === address?.serverId);
  if (!address || !server) {
    return `'${name}' could not be attached, because its server isn't running, or isn't in chat.`;
  }
  const { isError, content } = await read(server.label, address.uri);
  const [first] = content;
  return isError
    ? `'${name}' could not be attached: ${first?.kind === 'text' ? first.text : 'reading it failed.'}`
    : { name: `${address.uri} (a resource of ${server.label})`, content };
}

async function attachedFile(
  uri: vscode.Uri,
  range: vscode.Range | undefined,
  name: string,
): Promise<Attachment | string> {
  try {
    const { size } = await vscode.workspace.fs.stat(uri);
    if (size > MAX_FILE) {
      return `'${name}' could not be attached, because it is larger than 1 MB.`;
    }
    const document = await vscode.workspace.openTextDocument(uri);
    const lines = range && !range.isEmpty ? `, lines ${range.start.line + 1} to ${range.end.line + 1}` : '';
    const text = document.getText(lines === '' ? undefined : range);
    return textAttachment(`${vscode.workspace.asRelativePath(uri)}${lines}`, text);
  } catch {
    return `'${name}' could not be attached, because it isn't a text that the editor can open.`;
  }
}

function textAttachment(name: string, text: string): Attachment {
  return { name, content: [{ kind: 'text', text }] };
}
