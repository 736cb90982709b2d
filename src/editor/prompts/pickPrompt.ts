import type * as vscode from 'vscode';
import type { ServerConnection } from '../../host/connection/serverConnection.ts';
import type { McpHost } from '../../host/servers/mcpHost.ts';
import { searchTools, type Searchable } from '../../host/tools/toolList.ts';
import { inQuickInput } from '../messages/plainText.ts';
import { emptyRow, isListing, watchLists } from '../quickInput/listing.ts';
import { showNothingOffered } from '../quickInput/nothingOffered.ts';
import { MAX_ROWS, pickRenewed } from '../quickInput/pickRenewed.ts';

/** A prompt of one server. */
export interface PromptReference {
  readonly connection: ServerConnection;
  readonly promptName: string;
}

interface ListedPrompt extends Searchable {
  readonly connection: ServerConnection;
}

/** An item without a prompt says why there are none. */
interface PromptItem extends vscode.QuickPickItem {
  readonly prompt?: ListedPrompt;
}

/**
 * A prompt of a running server, ranked as you type; undefined after a message if there is none, or if none was picked.
 */
export async function pickPrompt(host: McpHost): Promise<PromptReference | undefined> {
  if (listedBy(host).length === 0 && !isListing(host, 'prompts')) {
    await showNothingOffered(host, 'prompts', 'use a prompt');
    return undefined;
  }
  const picked = await pickRenewed({
    title: 'Use Prompt',
    placeholder: 'Select a prompt. You see it before it is sent.',
    rows: (typed): readonly PromptItem[] => {
      const listed = listedBy(host);
      const rows = searchTools(listed, typed, MAX_ROWS).map(itemOf);
      return rows.length > 0 ? rows : [emptyRow(host, 'prompts', listed.length > 0)];
    },
    keyOf: ({ prompt, label }) =>
      prompt ? JSON.stringify([prompt.connection.definition.id, prompt.name]) : label,
    onDidChange: (listener) => watchLists(host, 'prompts', listener),
    isPickable: ({ prompt }) => prompt !== undefined,
    isBusy: () => isListing(host, 'prompts'),
  });
  const prompt = picked?.row.prompt;
  return prompt && { connection: prompt.connection, promptName: prompt.name };
}

function listedBy(host: McpHost): readonly ListedPrompt[] {
  return host.servers.flatMap(({ connection, label }) =>
    (connection.catalogue?.prompts ?? []).map(({ name, title, description }) => ({
      connection,
      server: label,
      name,
      title,
      description,
    })),
  );
}

function itemOf(prompt: ListedPrompt): PromptItem {
  const { server, name, title, description } = prompt;
  const isTitled = title !== undefined && title !== name;
  return {
    label: inQuickInput(title ?? name, 100),
    description: inQuickInput(isTitled ? `${name} · ${server}` : server, 160),
    ...(description !== undefined && { detail: inQuickInput(description, 200) }),
    // The search has been done; the editor would do it again, and in another way.
    alwaysShow: true,
    prompt,
  };
}
