import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import * as vscode from 'vscode';
import type { CallAnswer, CallView } from '../../src/host/gate/callQuestion.ts';
import { answerQuestions, running, setSetting, useInChat } from './support.ts';

/** Waits for what the editor reports by no event. */
export async function seen(what: string, check: () => boolean | Promise<boolean>): Promise<void> {
  for (let tries = 0; !(await check()); tries += 1) {
    assert.ok(tries < 800, `Not seen: ${what}`);
    await delay(100);
  }
}

/** Uses a server in chat, or removes it. */
export async function makeAvailable(label: string, isAvailable: boolean): Promise<void> {
  const { id } = await running(label);
  await (isAvailable ? useInChat(id) : vscode.commands.executeCommand('mcpHost.removeFromChat', id));
}

/** Whether agent mode gets servers by the gateway. */
export async function setGateway(isOn: boolean): Promise<void> {
  await setSetting('mcpHost.chat.gateway', isOn ? undefined : false);
}

/**
 * Starts the editor's servers and trusts them, as somebody does who wants their tools. The editor waits without end for
 * a server that is replaced meanwhile, so that this may return before they have started.
 */
export async function startServersOfEditor(): Promise<void> {
  const options = { waitForLiveTools: true, autoTrustChanges: true };
  const started = vscode.commands.executeCommand('workbench.mcp.startServer', '*', options);
  await Promise.race([started, delay(5_000)]);
}

/** A request as the scripted model of the fixtures got it. */
export interface ModelRequest {
  readonly tools: readonly string[];
  readonly messages: readonly { readonly content: readonly { readonly text?: string }[] }[];
}

/** What the scripted model got, in the order of its requests. */
export async function modelRequests(): Promise<readonly ModelRequest[]> {
  const helper = vscode.extensions.getExtension<{ readonly requests: readonly ModelRequest[] }>(
    'mcphost-test.helper',
  );
  assert.ok(helper, 'the fixture is not installed');
  return (await helper.activate()).requests;
}

/** Answers questions about calls, and adds each to `asked` once. Without an answer a question waits. */
export function answerCalls(
  asked: CallView[],
  answerTo: (question: CallView) => CallAnswer | undefined,
): vscode.Disposable {
  return answerQuestions((question) => {
    if (question.kind !== 'call') {
      return undefined;
    }
    const call = question as CallView;
    if (!asked.some(({ id }) => id === call.id)) {
      asked.push(call);
    }
    return answerTo(call);
  });
}

/** The first line of a question. */
export function titleOf(question: CallView | undefined): string {
  return question?.title.map(({ text }) => text).join('') ?? '';
}
