import * as vscode from 'vscode';

/**
 * Opens the chat, with files attached or a text in its input. The editor's `attachFile` takes files of the
 * disk only, and does nothing for others.
 */
const OPEN = 'workbench.action.chat.open';

/** Names of images: the editor reads those from the disk only, and attaches no other. */
const imageName = /\.(png|jpe?g|gif|bmp|webp)$/i;

/** Whether the editor lists a chat that documents can be attached to, and the person has not switched it off. */
export function canAttach(): Promise<boolean> {
  return canOpen();
}

/** Whether the chat takes a document by its name; it takes no image of our documents. */
export function isAttachable({ path }: vscode.Uri): boolean {
  return !imageName.test(path);
}

/** Opens the chat with a document attached; nothing is sent. */
export async function attachFile(uri: vscode.Uri): Promise<void> {
  await vscode.commands.executeCommand(OPEN, { attachFiles: [uri] });
}

/** Whether the editor lists a chat whose input can be filled. */
export function canSendText(): Promise<boolean> {
  return canOpen();
}

/** Opens the chat with the text in its input, in place of what is there; the person sees and sends it. */
export async function openChatWith(text: string): Promise<void> {
  await vscode.commands.executeCommand(OPEN, { query: text, isPartialQuery: true });
}

/** The command stays listed, and does nothing, while the editor's own switch hides the chat. */
async function canOpen(): Promise<boolean> {
  const isOff = vscode.workspace.getConfiguration('chat').get('disableAIFeatures') === true;
  return !isOff && (await vscode.commands.getCommands(true)).includes(OPEN);
}
