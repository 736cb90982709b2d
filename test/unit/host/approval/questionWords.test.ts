import assert from 'node:assert/strict';
import type { Question } from '../../../../src/host/approval/questionQueue.ts';
import { announcementText } from '../../../../src/host/approval/questionWords.ts';
import { stdioServer } from '../../support/definitions.ts';

const server = (label: string) => ({ definition: stdioServer([], { name: label }), label });
const launch = (label: string): Question => ({
  kind: 'launch',
  ...server(label),
  workingDirectory: '/projects',
  warnings: [],
  changes: [],
  folders: [],
});
const folders = (...labels: readonly string[]): Question => ({
  kind: 'roots',
  servers: labels.map(server),
  folders: [],
});

suite('What is announced', () => {
  const cases: [readonly Question[], string][] = [
    [[launch('git')], "The MCP server 'git' is waiting for your decision."],
    [[launch('git'), launch('web')], '2 MCP servers are waiting for your decision.'],
    [[folders('git')], "The MCP server 'git' asks which folders of this workspace it may know about."],
    [
      [folders('git', 'web')],
      "The MCP servers 'git' and 'web' ask which folders of this workspace they may know about.",
    ],
    [[folders('git', 'web'), launch('files')], '3 MCP servers are waiting for your decision.'],
    [[folders('git'), folders('git')], "The MCP server 'git' is waiting for your decision."],
  ];
  for (const [questions, text] of cases) {
    test(`of ${questions.map(({ kind }) => kind).join(' and ')}: ${text}`, () => {
      assert.equal(announcementText(questions), text);
    });
  }
});
