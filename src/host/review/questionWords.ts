import { visibleText } from '../../base/visibleText.ts';
import { namesOf, rootsTitle } from '../roots/rootsText.ts';
import { doorKey, doorText } from '../ledger/door.ts';
import type { CallAnswer, CallSpan } from '../questions/callAnswer.ts';
import {
  serversOf,
  type AnswerTo,
  type CallQuestion,
  type Question,
  type SamplingQuestion,
} from '../questions/questionQueue.ts';
import { phaseText, samplingTitle } from '../sampling/samplingWords.ts';

/** What a notification says of the questions that wait. */
export function announcementText(questions: readonly Question[]): string {
  const [first, ...others] = questions;
  if (first?.kind === 'roots' && others.length === 0) {
    return rootsTitle(first.servers.map(({ label }) => label));
  }
  if (first?.kind === 'call') {
    return callAnnouncement(first, others);
  }
  if (first?.kind === 'sampling' && others.length === 0) {
    return samplingAnnouncement(first);
  }
  if (others.some(({ kind }) => kind === 'call')) {
    return questionsText(questions);
  }
  const servers = new Map(
    questions.flatMap(serversOf).map(({ definition, label }) => [definition.id, label] as const),
  );
  const [label] = servers.values();
  return servers.size === 1
    ? `The MCP server '${label ?? ''}' is waiting for your decision.`
    : `${servers.size} MCP servers are waiting for your decision.`;
}

/** What was answered, for the panel that goes on to the next. */
export function answeredText(question: Question, answer: AnswerTo<Question>): string {
  const labels = labelsOf(question).join(', ');
  switch (answer.answer) {
    case 'allow':
      return `Allowed: ${labels}.`;
    case 'deny':
      return `Not allowed: ${labels}.`;
    case 'share':
      return answer.roots.length === 0 ? `No folder shared: ${labels}.` : `Folders shared: ${labels}.`;
    case 'notNow':
      return `Not decided: ${labels}.`;
    case 'run':
    case 'refuse':
      return question.kind === 'call' ? callAnsweredText(question, answer) : '';
  }
}

/** What was allowed at once, for the panel that goes on to the rest. */
export function allowedText(questions: readonly Question[]): string {
  return `Allowed: ${questions.flatMap(labelsOf).join(', ')}.`;
}

/** What became of a question that waits no more, and was not answered in the panel. */
export function withdrawnText(question: Question): string {
  if (question.kind === 'sampling' && isOver(question)) {
    return phaseText(visibleText(question.server.label), question.review);
  }
  return `The question about ${quotedLabels(question)} was withdrawn.`;
}

export function changedText(question: Question): string {
  const changed =
    question.kind === 'launch'
      ? `The launch of ${quotedLabels(question)}`
      : `The question about the folders for ${quotedLabels(question)}`;
  return `${changed} has changed. Read it again.`;
}

function isOver({ review: { state } }: SamplingQuestion): boolean {
  return state.kind === 'done' || state.kind === 'ended';
}

/** Who waits, when all requests are of one door and to one server. */
function callAnnouncement(first: CallQuestion, others: readonly Question[]): string {
  const isAlike = (other: Question): boolean =>
    other.kind === 'call' &&
    doorKey(other.door) === doorKey(first.door) &&
    other.server.definition.id === first.server.definition.id;
  return others.every(isAlike)
    ? `${doorText(first.door)} is waiting for your decision about '${first.server.label}'.`
    : questionsText([first, ...others]);
}

function samplingAnnouncement({ server: { label }, review }: SamplingQuestion): string {
  return review.state.kind === 'answer'
    ? `The answer of a language model for '${label}' is waiting for you.`
    : `${samplingTitle(label, review)}.`;
}

function questionsText(questions: readonly Question[]): string {
  return `${questions.length} questions are waiting for your decision.`;
}

const spanTexts: Readonly<Record<CallSpan, string>> = {
  once: 'this time',
  session: 'for this session',
  workspace: 'always in this workspace',
  always: 'always',
};

function callAnsweredText(question: CallQuestion, { answer, span, scope }: CallAnswer): string {
  const what = `${targetText(question, span === 'once' ? 'one' : scope)} of ${visibleText(question.server.label)}`;
  if (answer === 'run') {
    return `Allowed: ${what}, ${spanTexts[span]}.`;
  }
  return span === 'once' ? `Not allowed: ${what}.` : `Never allowed: ${what}.`;
}

function targetText({ method, target }: CallQuestion, scope: CallAnswer['scope']): string {
  switch (method) {
    case 'tools/call':
      return scope === 'one' ? visibleText(target) : 'all tools';
    case 'resources/read':
      return scope === 'one' ? 'a resource' : 'all resources';
    case 'prompts/get':
      return scope === 'one' ? `the prompt ${visibleText(target)}` : 'all prompts';
  }
}

function labelsOf(question: Question): readonly string[] {
  return serversOf(question).map(({ label }) => visibleText(label));
}

function quotedLabels(question: Question): string {
  return namesOf(labelsOf(question));
}
