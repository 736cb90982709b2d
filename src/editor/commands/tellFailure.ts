import * as vscode from 'vscode';
import { CancellationError } from '../../base/lifetime/cancellation.ts';
import type { Parts } from '../../base/lifetime/parts.ts';
import type { ServerId } from '../../host/config/serverDefinition.ts';
import type { ServerConnection } from '../../host/connection/serverConnection.ts';
import { cureFor, cureWords } from '../../host/connection/stateWords.ts';
import { HostError } from '../../host/errors/hostError.ts';
import { inNotification } from '../messages/plainText.ts';
import { runCommand } from './commands.ts';

const SHOW_LOG = 'Show Log';

/**
 * Shows what failed, with the way to the log of a server that is configured, or to its sign-in or token if that is what
 * `error` requires.
 */
export async function tellFailure(id: ServerId | undefined, message: string, error?: unknown): Promise<void> {
  if (id !== undefined && error instanceof HostError && error.code === 'signInRequired') {
    await tellToSignIn(id, message, error);
    return;
  }
  const buttons = id === undefined ? [] : [SHOW_LOG];
  if ((await vscode.window.showErrorMessage(inNotification(message), ...buttons)) === SHOW_LOG) {
    await runCommand('showLog', id);
  }
}

/** Shows that a server has to be started, or signed in to, or needs a token, before you can do what you want. */
export async function tellNotRunning(
  label: string,
  { state, definition }: Pick<ServerConnection, 'state' | 'definition'>,
  what: string,
): Promise<void> {
  const error = state.kind === 'signInRequired' ? state.reason : undefined;
  const message = `Server '${label}' isn't running. ${cureWords[cureFor(state)]}, then ${what}.`;
  await tellFailure(definition.id, message, error);
}

/** Says in one message what failed, and what the server requires of you; the question is not announced as well. */
async function tellToSignIn(id: ServerId, message: string, { needs }: HostError): Promise<void> {
  const action = needs === 'token' ? 'Set Token…' : 'Sign In…';
  const sentence = message.replace(/(?<![.!?…])$/, '.');
  const pressed = vscode.window.showErrorMessage(inNotification(sentence), action);
  // The message is enough if that part of the extension is missing.
  await runCommand('signInShown', id).catch(() => {});
  if ((await pressed) === action) {
    await runCommand(needs === 'token' ? 'setKey' : 'signInOrSetToken', id);
  }
}

/** Runs something; a failure other than a cancellation is shown, with the way to the log of its server. */
export async function tellingFailure(
  run: () => Promise<void>,
  failed: (error: unknown) => { readonly id: ServerId | undefined; readonly text: string },
): Promise<void> {
  try {
    await run();
  } catch (error) {
    if (!(error instanceof CancellationError)) {
      const { id, text } = failed(error);
      await tellFailure(id, text, error);
    }
  }
}

/** Shows which parts of the extension are missing, in a window without the tree that would show it. */
export async function tellMissingParts(parts: Parts): Promise<void> {
  const sentences = parts.missing.map(({ name, reason }) => `${name} isn't available: ${reason}`);
  const message = `MCP Host: ${inNotification(sentences.join('. '))}`;
  if ((await vscode.window.showErrorMessage(message, SHOW_LOG)) === SHOW_LOG) {
    parts.showLog();
  }
}
