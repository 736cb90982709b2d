import assert from 'node:assert/strict';
import type { CallToolResult, GetPromptResult } from '@modelcontextprotocol/client';
import { callInput, findInput } from '../../../src/host/chat/chatInput.ts';
import { chatParts, linkHelp } from '../../../src/host/chat/chatParts.ts';
import { promptDocument } from '../../../src/host/documents/promptDocument.ts';
import { resultDocument } from '../../../src/host/documents/resultDocument.ts';
import { readAddress } from '../../../src/host/elicitation/readAddress.ts';
import { callWarnings } from '../../../src/host/gate/callWarnings.ts';
import { callQuestions } from '../../../src/host/gate/callQuestion.ts';
import { ModelNames } from '../../../src/host/gateway/modelNames.ts';
import { ElicitationFailure } from '../../../src/host/errors/elicitationFailure.ts';
import { SamplingFailure } from '../../../src/host/errors/samplingFailure.ts';
import { elicitationTexts, samplingBounds, textBounds } from '../../../src/host/json/bounds.ts';
import { asMessage } from '../../../src/host/json/receivedMessage.ts';
import { proseText } from '../../../src/host/questions/panelText.ts';
import { promptView, resultView } from '../../../src/host/requestForms/resultView.ts';
import { contentsOf } from '../../../src/host/resources/resourceContents.ts';
import { readSamplingRequest } from '../../../src/host/sampling/request/readSamplingRequest.ts';
import { samplingContent } from '../../../src/host/sampling/review/samplingContent.ts';
import { loadSdk } from '../../../src/host/sdk/loadSdk.ts';
import { modelResult, withCheckedMedia } from '../../../src/host/tools/modelResult.ts';
import { folded, searchWords } from '../../../src/host/tools/search/searchWords.ts';
import { SessionTraffic } from '../../../src/host/traffic/sessionTraffic.ts';
import { trafficDocument } from '../../../src/host/traffic/trafficDocument.ts';
import { trafficLine } from '../../../src/host/traffic/trafficLine.ts';
import { TrafficRecorder } from '../../../src/host/traffic/trafficRecorder.ts';
import { toolCall } from '../support/callQuestion.ts';
import type { Subject, Subjects } from './subject.ts';

const sdk = await loadSdk();
const context = { id: '1', placeOf: () => '.mcp.json', isRenewed: false };
const folders = ['/projects/api'];

/** A result as you see it, and as a model gets it. */
function shownResult(result: CallToolResult): void {
  const call = {
    server: 'a',
    tool: 'b',
    startedAt: new Date(0),
    durationMs: 1,
    args: {},
    secrets: new Set<string>(),
  };
  resultView(result);
  resultDocument(call, result);
  const checked = withCheckedMedia(result);
  linkHelp(chatParts(checked), 'a');
  modelResult(checked, { maxTokens: 10_000 }).catch(() => {});
}

/** A list of tools as it is recorded, looked at for faults, and shown. */
function recorded(text: string): void {
  const recorder = new TrafficRecorder(['secret']);
  recorder.record();
  const traffic = new SessionTraffic(recorder);
  const spoken = { schemas: sdk, revision: '2025-11-25', era: 'legacy', capabilities: {} } as const;
  const protocol = { spoken: () => spoken, outputFault: () => Promise.resolve(undefined) };
  traffic.begins({ name: 'stdio', sessionId: undefined }, protocol);
  traffic.sent({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: { name: text } });
  const tool = { name: text, description: text, inputSchema: { type: 'object', $ref: `#/${text}` } };
  traffic.received({ jsonrpc: '2.0', id: 1, result: { tools: [tool, { name: text }] } });
  traffic.printed('stdout', [text]);
  traffic.dispose();
  for (const entry of recorder.entries) {
    trafficLine(entry);
    trafficDocument(entry, 'a');
  }
}

function block(content: (text: string) => CallToolResult['content'][number]): Subject {
  return { most: RESULT, take: (text) => shownResult({ content: [content(text)] }) };
}

function shownPrompt(result: GetPromptResult): void {
  promptView(result);
  promptDocument({ server: 'a', name: 'b', title: undefined, description: undefined, args: [] }, result);
}

/** Characters of a result or an argument: there can be more of them, which takes longer in proportion. */
const RESULT = 2 ** 18;

/** What a server returns. */
export const resultSubjects: Subjects = {
  'a text': block((text) => ({ type: 'text', text })),
  'a text of JSON': block((text) => ({ type: 'text', text: JSON.stringify({ a: [text] }) })),
  'data of an image': block((data) => ({ type: 'image', data, mimeType: 'image/png' })),
  'the type of an image': block((mimeType) => ({ type: 'image', data: '', mimeType })),
  'a link': block((uri) => ({ type: 'resource_link', uri, name: uri })),
  'the type of a link': block((mimeType) => ({ type: 'resource_link', uri: 'a:b', name: 'a', mimeType })),
  'an embedded text': block((text) => ({ type: 'resource', resource: { uri: 'a:b', text } })),
  'the URI of an embedded text': block((uri) => ({ type: 'resource', resource: { uri, text: '' } })),
  'structured content': {
    most: RESULT,
    take: (text) => shownResult({ content: [], structuredContent: { a: [text] } }),
  },
  'a name in structured content': {
    most: RESULT,
    take: (text) => shownResult({ content: [], structuredContent: { a: [{ [text]: 1 }] } }),
  },
  'a message of a prompt': {
    most: RESULT,
    take: (text) => shownPrompt({ messages: [{ role: 'user', content: { type: 'text', text } }] }),
  },
  'the description of a prompt': {
    most: RESULT,
    take: (description) => shownPrompt({ messages: [], description }),
  },
  'the text of a resource': {
    most: RESULT,
    take: (text) => contentsOf({ contents: [{ uri: 'a:b', text }] }, 8 * RESULT),
  },
};

/** Reads what may be refused, and then shows nothing. */
function unlessRefused(read: () => void): void {
  try {
    read();
  } catch (error) {
    assert.ok(error instanceof ElicitationFailure || error instanceof SamplingFailure, String(error));
  }
}

function sampled(text: string, more: object = {}): void {
  const messages = [{ role: 'user', content: { type: 'text', text } }];
  unlessRefused(() =>
    samplingContent(readSamplingRequest({ messages, maxTokens: 1, ...more }, '2025-11-25')),
  );
}

function address(url: string, message: string): void {
  unlessRefused(() => {
    const { message: said } = readAddress({ url, message, elicitationId: '1' }, true);
    proseText(said);
  });
}

/** What a server, the gateway or another extension asks for. */
export const requestSubjects: Subjects = {
  'a message for a model': { most: samplingBounds.textCharacters, take: (text) => sampled(text) },
  'a system prompt': {
    most: samplingBounds.textCharacters - 1,
    take: (systemPrompt) => sampled('a', { systemPrompt }),
  },
  'a hint for a model': {
    most: samplingBounds.nameCharacters,
    take: (name) => sampled('a', { modelPreferences: { hints: [{ name }] } }),
  },
  'a description of a tool for a model': {
    most: samplingBounds.textCharacters,
    take: (description) =>
      sampled('a', { tools: [{ name: 'a', description, inputSchema: { type: 'object' } }] }),
  },
  'results of tools for a model': {
    isList: true,
    most: samplingBounds.parts / 2 - 10,
    take: (_, pieces) => {
      const ids = pieces.map((piece, index) => `${piece.slice(0, 100)}${index}`);
      const uses = ids.map((id) => ({ type: 'tool_use', id, name: 'a', input: {} }));
      const results = ids.map((toolUseId) => ({ type: 'tool_result', toolUseId, content: [] }));
      const messages = [
        { role: 'user', content: { type: 'text', text: 'a' } },
        { role: 'assistant', content: uses },
        { role: 'user', content: results },
      ];
      sampled('', { messages, tools: [{ name: 'a', inputSchema: { type: 'object' } }] });
    },
  },
  'the message with an address': {
    most: elicitationTexts.others,
    take: (text) => address('https://h', text),
  },
  'an address to open': { most: 8_000, take: (text) => address(text, '') },
  'the host of an address to open': { most: 7_000, take: (text) => address(`https://${text}.h/`, '') },
  'the path of an address to open': { most: 7_000, take: (text) => address(`https://h/${text}`, '') },
  'an argument of a call': {
    most: RESULT,
    take: (text) => {
      const facts = { args: { a: [text] }, folders, home: '/home/a' };
      const { warnings, claims } = callWarnings(facts);
      callQuestions.text(callQuestions.view(toolCall({ warnings, claims, args: facts.args }), context));
    },
  },
  'the name of an argument': {
    most: RESULT,
    take: (name) => {
      const facts = { args: { [name]: 'a/../../b' }, folders, home: '/home/a' };
      const { warnings, claims } = callWarnings(facts);
      callQuestions.text(callQuestions.view(toolCall({ warnings, claims, args: facts.args }), context));
    },
  },
  'the URI of a resource to read': {
    most: RESULT,
    take: (uri) => {
      const { warnings } = callWarnings({ uri, folders, home: '/home/a' });
      callQuestions.text(
        callQuestions.view(toolCall({ warnings, method: 'resources/read', target: uri }), context),
      );
    },
  },
  'a message at the gateway': {
    most: RESULT,
    take: (text) => asMessage({ jsonrpc: '2.0', id: text, method: text, params: { a: text } }),
  },
  'a message in the traffic': { most: 2 ** 15, take: recorded },
  'the name of a tool, for models': { most: textBounds.name, take: (text) => new ModelNames([text]) },
  'what a model asks for': {
    most: RESULT,
    take: (text) => [findInput({ query: text }), callInput({ tool: text, arguments: text }), folded(text)],
  },
  'what a model searches for': { most: 4_000, take: (text) => searchWords(text) },
};
