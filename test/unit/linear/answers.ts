import assert from 'node:assert/strict';
import { redacted } from '../../../src/base/logging/redacting.ts';
import { hostText } from '../../../src/host/auth/network/addressCheck.ts';
import { unplainReason } from '../../../src/host/addresses/webAddress.ts';
import { parseChallenge } from '../../../src/host/auth/network/challenge.ts';
import { readIssuerAnswer } from '../../../src/host/auth/network/issuerAnswers.ts';
import { boundedText } from '../../../src/host/auth/signInFailure.ts';
import { nameOf } from '../../../src/host/auth/tokens/idToken.ts';
import { scopesIn } from '../../../src/host/auth/tokens/scopes.ts';
import { storedTokens } from '../../../src/host/auth/tokens/tokenRequests.ts';
import { fitToShow } from '../../../src/host/connection/failures/connectionFailure.ts';
import { exitFailure } from '../../../src/host/connection/failures/exitFailure.ts';
import { failureWord } from '../../../src/host/connection/failures/failureWord.ts';
import { stableText } from '../../../src/host/connection/failures/repeatedExits.ts';
import { ServerMessages } from '../../../src/host/connection/messages/serverMessages.ts';
import { HostError, messageOf } from '../../../src/host/errors/hostError.ts';
import {
  definitionBounds,
  logBounds,
  plainBounds,
  signInBounds,
  textBounds,
} from '../../../src/host/json/bounds.ts';
import { EventParser } from '../../../src/host/transport/http/eventParser.ts';
import { hasType } from '../../../src/host/transport/http/bodies.ts';
import { refusal } from '../../../src/host/transport/http/refusal.ts';
import { refusalWords } from '../../../src/host/transport/http/refusalWords.ts';
import { ProcessLog } from '../../../src/host/transport/processLog.ts';
import type { Subjects } from './subject.ts';

const { headerCharacters, bytes, tokenCharacters } = signInBounds;

function exited(lines: readonly string[]): void {
  const failure = exitFailure({ code: 1, signal: null }, lines);
  failureWord(failure);
  stableText(failure);
}

function printed(text: string): void {
  const log = new ProcessLog(
    () => {},
    ['secret'],
    () => 0,
  );
  log.noise(text);
  log.stderr(text);
  exited(log.tail);
}

function refused(body: string): void {
  failureWord(refusal(400, { body }));
  failureWord(refusal(401, { body }));
}

function logged(data: unknown, logger?: string): void {
  const messages = new ServerMessages({ log: () => {}, isTracing: true }, ['secret'], () => 'debug');
  messages.log({ level: 'error', data, ...(logger !== undefined && { logger }) });
  messages.complain(new Error(String(data)), 'warn');
  messages.dispose();
}

/** What a process prints, and what an HTTP server or an issuer answers. */
export const answerSubjects: Subjects = {
  'a line of stderr': { most: logBounds.lineBytes, take: printed },
  'lines of stderr': {
    isList: true,
    most: 2_000,
    take: (_, pieces) => {
      const log = new ProcessLog(
        () => {},
        ['secret'],
        () => 0,
      );
      pieces.forEach((piece) => log.stderr(piece));
      exited(log.tail);
    },
  },
  'an event stream': {
    most: plainBounds.characters,
    take: (text) => {
      const parser = new EventParser();
      const bytes = Buffer.from(text);
      for (let at = 0; at < bytes.length; at += 4_096) {
        Array.from(parser.feed(bytes.subarray(at, at + 4_096)));
      }
    },
  },
  'a text with a secret': {
    most: logBounds.messageCharacters,
    take: (text) => redacted(text, [text.slice(0, text.length / 2), 'secret']),
  },
  'many secrets in a text': {
    isList: true,
    most: definitionBounds.envFileLines,
    take: (_, pieces) => {
      const [piece = ''] = pieces.slice(1);
      const text = piece.repeat(logBounds.lineCharacters / piece.length);
      redacted(
        text,
        pieces.map((one, index) => `${one.repeat(6)}${index}`),
      );
    },
  },
  'a message to be logged': { most: textBounds.prose, take: (text) => logged(text) },
  'data to be logged': { most: plainBounds.characters, take: (text) => logged({ a: [text] }) },
  'the name of a logger': { most: plainBounds.characters, take: (text) => logged('a', text) },
  'the message of an error': {
    most: textBounds.prose,
    take: (text) => fitToShow(new HostError('protocol', messageOf(new Error(text))), ['secret']),
  },
  'a body of a refusal': { most: 64 * 1024, take: refused },
  'a JSON body of a refusal': { most: 64 * 1024, take: (text) => refused(JSON.stringify({ error: text })) },
  'the issues of a schema': { most: 64 * 1024, take: (text) => refused(`a [{"code":"${text}`) },
  'a WWW-Authenticate header': { most: headerCharacters, take: (text) => parseChallenge(text) },
  'a challenge': { most: headerCharacters - 7, take: (text) => parseChallenge(`Bearer ${text}`) },
  'a parameter of a challenge': {
    most: headerCharacters - 20,
    take: (text) => scopesIn(parseChallenge(`Bearer scope="${text}"`)?.scope),
  },
  'a Content-Type header': {
    most: headerCharacters,
    take: (text) => hasType(new Response('', { headers: { 'content-type': latin(text) } }), 'text/html'),
  },
  'metadata for a sign-in': { most: bytes, take: (text) => readIssuerAnswer('metadata', text) },
  'a text in metadata for a sign-in': {
    most: bytes / 2 - 100,
    take: (text) => {
      const value = readIssuerAnswer('metadata', JSON.stringify({ issuer: text, scopes_supported: [text] }));
      hostText(String(value?.['issuer']));
      unplainReason(String(value?.['issuer']));
    },
  },
  'an answer with tokens': { most: bytes, take: (text) => readIssuerAnswer('tokens', text) },
  'a token': {
    most: tokenCharacters,
    take: (text) => {
      try {
        storedTokens({ access_token: text, token_type: 'Bearer', scope: text }, 0, false);
      } catch (error) {
        assert.ok(error instanceof HostError);
      }
    },
  },
  'scopes that were granted': { most: bytes, take: (text) => scopesIn(text) },
  'an ID token': { most: bytes, take: (text) => nameOf(text) },
  'a name in an ID token': {
    most: bytes / 2,
    take: (text) => nameOf(`a.${Buffer.from(JSON.stringify({ name: text })).toString('base64url')}.`),
  },
  'an error of an issuer': { most: bytes, take: (text) => boundedText(text) },
  'a page of an issuer': { most: bytes, take: (text) => refusalWords(text) },
};

/** Without characters that no header can have. */
function latin(text: string): string {
  return text.replaceAll(/[^\x20-\x7E]/g, '~');
}
