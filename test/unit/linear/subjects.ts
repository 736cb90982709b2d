import assert from 'node:assert/strict';
import { exitFailure } from '../../../src/host/connection/failures/exitFailure.ts';
import { startRequestIn } from '../../../src/host/connection/startRequest.ts';
import { failureWord } from '../../../src/host/connection/failures/failureWord.ts';
import { HostError } from '../../../src/host/errors/hostError.ts';
import { readElicitation } from '../../../src/host/elicitation/readElicitation.ts';
import { elicitationTexts, listBounds, logBounds, textBounds } from '../../../src/host/json/bounds.ts';
import { changeText } from '../../../src/host/gate/pins/changeText.ts';
import { placeOf } from '../../../src/host/resources/resourceAddress.ts';
import { resourceFileName } from '../../../src/host/resources/resourceFileName.ts';
import { UriTemplate } from '../../../src/host/resources/uriTemplate.ts';
import { parameterLines, toolLines } from '../../../src/host/tools/toolText.ts';
import { answerSubjects } from './answers.ts';
import { definitionSubjects } from './definitions.ts';
import { pastedSubjects } from './pasted.ts';
import { requestSubjects, resultSubjects } from './shown.ts';
import type { Subjects } from './subject.ts';
import { fileSubjects } from './workspaceFiles.ts';

/** A form of a server with one field. */
function form(message: string, name: string, field: object): unknown {
  const requestedSchema = { type: 'object', properties: { [name]: { type: 'string', ...field } } };
  return readElicitation({ mode: 'form', message, requestedSchema }, '2025-11-25', ['form', 'url']);
}

function tool(more: object): unknown {
  const pinned = { name: 'tool', inputSchema: { type: 'object' }, ...more };
  return [toolLines(pinned), parameterLines(pinned)];
}

/** Everything that looks at a text of others, by where the text comes from. */
export const subjects: Readonly<Record<string, Subjects>> = {
  'a definition': definitionSubjects,
  'a file of the workspace': fileSubjects,

  'a text that is pasted or imported': pastedSubjects,
  'an answer': answerSubjects,
  'a result': resultSubjects,
  'a request': requestSubjects,

  'a failure': {
    'the output of a server that exits': {
      most: logBounds.lineCharacters,
      take: (text) => failureWord(new HostError('exited', text)),
    },
    'what it asks before it starts': {
      most: logBounds.lineCharacters,
      take: (text) => startRequestIn([text, `To log in, open ${text}`, `Enter the code ${text}`]),
    },
    'the message in its output': {
      most: logBounds.lineCharacters,
      take: (text) => exitFailure({ code: 1, signal: null }, [text, 'Usage:', text]),
    },
  },

  'a form': {
    'the message': { most: elicitationTexts.others, take: (text) => form(text, 'a', {}) },
    'the name of a field': { most: elicitationTexts.names, take: (text) => form('', text, {}) },
    'the title of a field': { most: elicitationTexts.others, take: (title) => form('', 'a', { title }) },
    'the description of a field': {
      most: elicitationTexts.others,
      take: (description) => form('', 'a', { description }),
    },
    'a default': { most: elicitationTexts.others, take: (text) => form('', 'a', { default: text }) },
    'a choice': { most: elicitationTexts.others, take: (text) => form('', 'a', { enum: [text, 'b'] }) },
    'a title of a choice': {
      most: elicitationTexts.others,
      take: (title) => form('', 'a', { oneOf: [{ const: 'a', title }] }),
    },
  },

  'a resource': {
    'its URI, for the name of a file': {
      most: textBounds.uri,
      take: (text) => resourceFileName(`file:///${text}`),
    },
    'its template': {
      most: textBounds.uri,
      take: (text) => {
        for (const one of [text, `a:{${text}}`]) {
          const parsed = UriTemplate.parse(one);
          if (parsed instanceof UriTemplate) {
            parsed.preview({});
            parsed.expand({ a: 'b' });
          }
        }
      },
    },
    'a value for its template': {
      most: textBounds.variable,
      take: (a) => {
        const parsed = UriTemplate.parse('a:{a}{/a*}{?a*,b}{a:9}');
        assert.ok(parsed instanceof UriTemplate);
        parsed.preview({ a });
        parsed.expand({ a });
      },
    },
    'its URI, as an address': { most: textBounds.uri, take: (text) => placeOf(`file:///${text}`) },
  },

  'a tool': {
    'its name': { most: textBounds.name, take: (name) => tool({ name }) },
    'its title': { most: textBounds.label, take: (title) => tool({ title }) },
    'its description': { most: textBounds.prose, take: (description) => tool({ description }) },
    'its change': {
      most: textBounds.prose,
      take: (description) => {
        const before = { name: 'tool', inputSchema: {} };
        const now = { ...before, description };
        const instructions = { before: '', now: description, canVary: false };
        changeText({ serverId: 'a', tools: [{ name: 'tool', before, now, canVary: false }], instructions });
      },
    },
    'a description in its schema': {
      most: textBounds.prose,
      take: (description) => tool({ inputSchema: { properties: { a: { type: 'string', description } } } }),
    },
    'its parameters': {
      isList: true,
      most: listBounds.entryValues,
      take: (_, pieces) => {
        const names = pieces.map((piece, index) => `${piece}${index}`);
        const properties = Object.fromEntries(names.map((name) => [name, {}]));
        return tool({ inputSchema: { properties, required: names } });
      },
    },
  },
};
