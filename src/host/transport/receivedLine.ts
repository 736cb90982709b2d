import type { JSONRPCMessage } from '@modelcontextprotocol/client';
import { asMessage } from './receivedMessage.ts';

/**
 * Levels of arrays and objects in one line. No message of the protocol comes near; what goes through a
 * message by recursion, here or in the SDK, would run out of stack at some thousands.
 */
const MAX_DEPTH = 1_000;

/** Elements of one batch that are shown though they are no messages; millions fit into a line. */
const SHOWN_ELEMENTS = 100;

/** What stands in a line: a message, or what is none, as it would be shown. */
export type Received =
  | { readonly kind: 'message'; readonly message: JSONRPCMessage }
  | { readonly kind: 'noise'; readonly text: string };

/**
 * Reads a line of stdout (basic/transports, stdio). An array is a batch (2025-03-26, basic: clients MUST
 * support receiving them), in which each element stands for itself: one that is no message costs no other.
 */
export function* readLine(line: string): Generator<Received> {
  if (line.trim() === '') {
    return;
  }
  const value = parsed(line);
  if (!Array.isArray(value) || value.length === 0) {
    const message = asMessage(value);
    yield message ? { kind: 'message', message } : { kind: 'noise', text: line };
    return;
  }
  let noise = 0;
  for (const element of value as readonly unknown[]) {
    const message = asMessage(element);
    if (message) {
      yield { kind: 'message', message };
    } else if (++noise <= SHOWN_ELEMENTS) {
      yield { kind: 'noise', text: JSON.stringify(element) };
    }
  }
  if (noise > SHOWN_ELEMENTS) {
    yield { kind: 'noise', text: `${noise - SHOWN_ELEMENTS} more elements of a batch` };
  }
}

/** The value of the JSON text; undefined when it is none, or nested too deep. */
function parsed(line: string): unknown {
  // A server's greeting is no JSON from its first character on: not worth an exception for each line.
  if (!/^\s*[[{]/.test(line) || isDeeperThan(line, MAX_DEPTH)) {
    return undefined;
  }
  try {
    return JSON.parse(line) as unknown;
  } catch {
    return undefined;
  }
}

/** Whether arrays and objects of a JSON text are nested deeper than that, found without recursion. */
function isDeeperThan(text: string, max: number): boolean {
  let depth = 0;
  for (let at = 0; at < text.length; at += 1) {
    switch (text.charCodeAt(at)) {
      case 0x22: // "
        at = endOfString(text, at);
        break;
      case 0x5b: // [
      case 0x7b: // {
        depth += 1;
        if (depth > max) {
          return true;
        }
        break;
      case 0x5d: // ]
      case 0x7d: // }
        depth -= 1;
        break;
    }
  }
  return false;
}

/** Where the string that begins here ends: its closing quote, or the end of the text. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let before = end;
    while (text[before - 1] === '\\') {
      before -= 1;
    }
    if ((end - before) % 2 === 0) {
      return end;
    }
  }
  return text.length;
}
