import * as vscode from 'vscode';

/**
 * Opens the chat, with files attached or a text in its input. The editor's `attachFile` takes only files on the disk,
 * and does nothing for others.
 */
const OPEN = 'workbench.action.chat.open';

/** Names of images: the editor attaches only images on the disk. */
const imageName = /\.(png|jpe?g|gif|bmp|webp)$/i;

/** Whether the editor has a chat that documents can be attached to, and you have not switched it off. */
export function canAttach(): Promise<boolean> {
  return canOpen();
}

/** Whether the chat takes a document, by its name: it takes no images that are not on the disk. */
export function isAttachable({ path }: vscode.Uri): boolean {
  return !imageName.test(path);
}

/**
 * Opens the chat with a document attached; nothing is sent. In two steps: a chat that was closed loads its conversation
 * after it has opened, and what was attached before that is lost.
 */
export async function attachFile(uri: vscode.Uri): Promise<void> {
  await vscode.commands.executeCommand(OPEN);
  await vscode.commands.executeCommand(OPEN, { attachFiles: [uri] });
}

/** Whether the editor has a chat whose input can be filled. */
export function canSendText(): Promise<boolean> {
  return canOpen();
}

/** Opens the chat with the text in its input, in place of what is there. You see it and send it. */
export async function openChatWith(text: string): Promise<void> {
  await vscode.commands.executeCommand(OPEN, { query: text, isPartialQuery: true });
}

/** Sends a text to the chat, as if you had written it: only where you have selected exactly that. */
export async function submitToChat(text: string): Promise<void> {
  await vscode.commands.executeCommand(OPEN, { query: text });
}

/** The command is registered, and does nothing, while the editor's setting hides the chat. */
async function canOpen(): Promise<boolean> {
  const isOff = vscode.workspace.getConfiguration('chat').get('disableAIFeatures') === true;
  return !isOff && (await vscode.commands.getCommands(true)).includes(OPEN);
}
