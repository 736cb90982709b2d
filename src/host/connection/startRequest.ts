import { cutTo } from '../../base/text/words.ts';
import { refusedReason, webAddressOf } from '../addresses/webAddress.ts';
import { textBounds } from '../json/bounds.ts';
import type { StartRequest } from '../state/connectionState.ts';

/** Lines behind one that asks in which the address or the code is. */
const LINES_AFTER = 2;
/** Characters of a line that are searched for words that ask. */
const ASK_LENGTH = 1_000;

/** What you do, and what for: "Visit https://…" alone may be about the documentation. */
const act = /\b(?:visit(?:ing)?|open|go to|navigate to|browse to|click|follow(?:ing)?|use)\b/i;
const purpose =
  /\b(?:authori[sz]|authenticat|consent|sign(?:ing)?[ -]?in\b|log(?:ging)?[ -]?in\b|verif|device\b|browser\b)/i;
const enterCode =
  /\b(?:(?:enter|type|copy|confirm|input)\b[^:,.;]{0,40}|(?:user|device|one[ -]time|pairing|verification|login)[ _-]?)code\b/i;
const addressIn = /\bhttps?:\/\/[^\s<>"'`]+/gi;
const codeIn =
  /\b[Cc](?:ode|ODE)\b.{0,40}?(?<![\w-])(?!INFO|WARN|ERROR|DEBUG|TRACE|HTTP)(?=[A-Z\d-]{4,20}(?![\w-]))(?<code>[A-Z\d]{2,12}(?:-[A-Z\d]{2,12}){0,3})(?![\w-])/;

/** What the last lines of a program's stderr ask you to do before it goes on, if anything. */
export function startRequestIn(lines: readonly string[]): StartRequest | undefined {
  let [from, to] = [lines.length, -1];
  let address: string | undefined;
  let code: string | undefined;
  for (let at = lines.findLastIndex(asks); at !== -1; at = lines.slice(0, at).findLastIndex(asks)) {
    for (let end = at; end <= at + LINES_AFTER && end < lines.length; end += 1) {
      const [newAddress, newCode] = [
        address ?? addressOf(lines[end] ?? ''),
        code ?? codeOf(lines.slice(at, end + 1)),
      ];
      if (newAddress !== address || newCode !== code) {
        [address, code] = [newAddress, newCode];
        [from, to] = [at, Math.max(to, end)];
      }
    }
  }
  if (to === -1) {
    return undefined;
  }
  const words = lines.slice(from, to + 1).join(' ');
  return {
    words: cutTo(words, textBounds.words),
    ...(address !== undefined &&
      refusedReason(address) === undefined && { address: webAddressOf(new URL(address)) }),
    ...(code !== undefined && { code }),
  };
}

function asks(line: string): boolean {
  const start = line.slice(0, ASK_LENGTH);
  return (act.test(start) && purpose.test(start)) || enterCode.test(start);
}

function addressOf(line: string): string | undefined {
  return line.match(addressIn)?.[0]?.replace(/[.,;:!?)\]]{1,4}$/, '');
}

function codeOf(near: readonly string[]): string | undefined {
  return codeIn.exec(near.join(' ').replaceAll(addressIn, ' ').slice(0, ASK_LENGTH))?.groups?.['code'];
}
