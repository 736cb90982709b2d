import { labelList, quotedLabels, serversOf, type Question } from '../questions/question.ts';

/** What a notification says about the questions that wait. */
export function announcementText(questions: readonly Question[]): string {
  const [first, ...others] = questions;
  const ofKind = others.every(({ kind }) => kind === first?.kind)
    ? first?.kind.announcement?.(questions)
    : undefined;
  if (ofKind !== undefined) {
    return ofKind;
  }
  if (questions.some(({ kind }) => kind.isCountedAlone)) {
    return `${questions.length} questions are waiting for your decision.`;
  }
  const servers = new Map(
    questions.flatMap(serversOf).map(({ definition, label }) => [definition.id, label] as const),
  );
  const [label] = servers.values();
  return servers.size === 1
    ? `The MCP server '${label ?? ''}' is waiting for your decision.`
    : `${servers.size} MCP servers are waiting for your decision.`;
}

/** What was allowed at once, for the panel that goes on to the rest. */
export function allowedText(questions: readonly Question[]): string {
  return `Allowed: ${questions.map(labelList).join(', ')}.`;
}

/** The announcement of questions that ended without an answer. */
export function withdrawnText(questions: readonly Question[]): string {
  const [only, ...others] = questions;
  return only && others.length === 0
    ? `The question about ${quotedLabels(only)} no longer applies.`
    : `${questions.length} questions no longer apply.`;
}

/** The announcement of questions that replace others which the panel has shown. */
export function changedText(questions: readonly Question[]): string {
  const [only, ...others] = questions;
  return only && others.length === 0
    ? `${only.kind.changed?.(only)} has changed. Read it again.`
    : `${questions.length} questions have changed. Read them again.`;
}
