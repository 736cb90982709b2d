import { errorCodes, isJson, RpcError, type Json } from './peer.ts';
import { MAX_NOTE, notesUri, type Resources } from './resources.ts';
import { foldersText, namesText, sharedFolders, type SharedFolder } from './sharedFolders.ts';

/** What a tool may use. */
export interface ToolContext {
  readonly resources: Resources;
  /** What the client can do, as it said at the beginning. */
  readonly capabilities: Json;
  /** Asks the client. */
  readonly ask: (method: string, params: Json) => Promise<Json>;
}

const noArguments: Json = { type: 'object', properties: {}, additionalProperties: false };

export const tools: readonly Json[] = [
  {
    name: 'list-folders',
    title: 'List Shared Folders',
    description: 'Lists the folders that you share with this server, and the first files in each.',
    inputSchema: noArguments,
    annotations: { readOnlyHint: true, openWorldHint: false },
  },
  {
    name: 'add-note',
    title: 'Add a Note',
    description: 'Adds a note to the resource "Notes". Notes are gone when the server stops.',
    inputSchema: {
      type: 'object',
      properties: {
        text: { type: 'string', title: 'Text', description: 'The note.', minLength: 1, maxLength: MAX_NOTE },
      },
      required: ['text'],
      additionalProperties: false,
    },
    annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
  },
  {
    name: 'write-haiku',
    title: 'Write a Haiku',
    description:
      'Asks your language model for a haiku about the files in the shared folders. You see the request before it is sent.',
    inputSchema: noArguments,
    annotations: { readOnlyHint: true, openWorldHint: true },
  },
];

/**
 * Runs a tool. Wrong arguments give a result that a model can learn from (server/tools: error handling).
 *
 * @throws RpcError for a tool that is not there.
 */
export async function runTool(name: unknown, args: Json, context: ToolContext): Promise<Json> {
  switch (name) {
    case 'list-folders':
      return said(await listFolders(context));
    case 'add-note':
      return addNote(args, context);
    case 'write-haiku':
      return writeHaiku(context);
    default:
      throw new RpcError(errorCodes.invalidParams, `There is no tool '${String(name)}'.`);
  }
}

async function listFolders(context: ToolContext): Promise<string> {
  return context.capabilities['roots'] === undefined
    ? 'This client does not share folders with servers.'
    : foldersText(await foldersOf(context));
}

/** As they are now; none from a client that does not share any. */
async function foldersOf({ capabilities, ask }: ToolContext): Promise<readonly SharedFolder[]> {
  return capabilities['roots'] === undefined ? [] : sharedFolders(await ask('roots/list', {}));
}

function addNote({ text }: Json, { resources }: ToolContext): Json {
  if (typeof text !== 'string' || text.trim() === '' || text.length > MAX_NOTE) {
    return failed(`The argument 'text' must be a text of 1 to ${MAX_NOTE} characters.`);
  }
  // On one line, as the list of notes shows it.
  const number = resources.add(text.replaceAll(/\s+/g, ' ').trim());
  if (number === undefined) {
    return failed('There is no room for more notes. Restart the server to begin again.');
  }
  return {
    content: [
      { type: 'text', text: `Added as note ${number}. Open the resource "Notes" to read it.` },
      { type: 'resource_link', uri: notesUri, name: 'notes', title: 'Notes', mimeType: 'text/markdown' },
    ],
  };
}

async function writeHaiku(context: ToolContext): Promise<Json> {
  const { capabilities, ask } = context;
  if (capabilities['sampling'] === undefined) {
    return failed('This client does not let servers use a language model.');
  }
  const folders = await foldersOf(context);
  const about =
    folders.length === 0 ? 'an empty workspace.' : `a workspace with these files.\n\n${namesText(folders)}`;
  try {
    const answer = await ask('sampling/createMessage', {
      systemPrompt:
        'You write haikus: three lines of five, seven and five syllables. You answer with the haiku alone.',
      messages: [
        {
          role: 'user',
          content: { type: 'text', text: `Write a haiku about ${about}` },
        },
      ],
      maxTokens: 200,
    });
    return said(textIn(answer['content']));
  } catch (error) {
    if (error instanceof RpcError) {
      // The user may have declined, which is not a failure of the client.
      return failed(`There is no haiku: ${error.message}`);
    }
    throw error;
  }
}

/** The text of an answer of a model, which may be one block or several. */
function textIn(content: unknown): string {
  const blocks = Array.isArray(content) ? content : [content];
  const texts = blocks.map((block: unknown) => (isJson(block) ? block['text'] : undefined));
  return (
    texts.filter((text) => typeof text === 'string').join('\n') ||
    'The language model answered without a text.'
  );
}

function said(text: string): Json {
  return { content: [{ type: 'text', text }] };
}

function failed(text: string): Json {
  return { ...said(text), isError: true };
}
