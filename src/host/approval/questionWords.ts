import { visibleText } from '../../base/visibleText.ts';
import { namesOf, rootsTitle } from '../roots/rootsText.ts';
import { serversOf, type AnswerTo, type Question } from './questionQueue.ts';

/** What a notification says of the questions that wait. */
export function announcementText(questions: readonly Question[]): string {
  const [first, ...others] = questions;
  if (first?.kind === 'roots' && others.length === 0) {
    return `${rootsTitle(first.servers.map(({ label }) => label))}.`;
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
      return `Allowed: ${labels}.`;
    case 'refuse':
      return `Refused: ${labels}.`;
  }
}

export function withdrawnText(question: Question): string {
  return `The question about ${quotedLabels(question)} was withdrawn.`;
}

export function changedText(question: Question): string {
  const changed =
    question.kind === 'launch'
      ? `The launch of ${quotedLabels(question)}`
      : `The question about the folders for ${quotedLabels(question)}`;
  return `${changed} has changed. Read it again.`;
}

function labelsOf(question: Question): readonly string[] {
  return serversOf(question).map(({ label }) => visibleText(label));
}

function quotedLabels(question: Question): string {
  return namesOf(labelsOf(question));
}
