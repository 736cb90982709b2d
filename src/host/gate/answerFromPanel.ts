import { isIdentified } from '../ledger/door.ts';
import type { CallAnswer } from '../questions/callAnswer.ts';
import { offeredSpans, scopesOf } from './callView.ts';
import type {
  AnswerTo,
  CallQuestion,
  LaunchAnswer,
  LaunchQuestion,
  OfferedFolder,
  Question,
} from '../questions/questionQueue.ts';
import type { PanelAnswer } from '../questions/reviewProtocol.ts';

/** What the panel's answer says to this question; undefined when it is none to it. */
export function answerFromPanel(question: Question, given: PanelAnswer): AnswerTo<Question> | undefined {
  switch (question.kind) {
    case 'launch':
      return given.answer === 'allow'
        ? withFolders(question.folders, given.roots, (roots) => launchAnswer(question, roots, given.files))
        : given.answer === 'deny'
          ? { answer: 'deny' }
          : undefined;
    case 'roots':
      return given.answer === 'share'
        ? withFolders(question.folders, given.roots, (roots) => ({ answer: 'share', roots }))
        : given.answer === 'notNow'
          ? { answer: 'notNow' }
          : undefined;
    case 'call':
      return given.answer === 'run' || given.answer === 'refuse' ? callAnswer(question, given) : undefined;
    case 'sampling':
      return undefined; // it takes acts
  }
}

/** Files are compared only where that was offered; with any other file it is no answer. */
function launchAnswer(
  { files: offered = [] }: LaunchQuestion,
  roots: readonly string[],
  files: readonly string[] | undefined,
): LaunchAnswer | undefined {
  if (files === undefined) {
    return { answer: 'allow', roots };
  }
  return files.every((file) => offered.some(({ path }) => path === file))
    ? { answer: 'allow', roots, files }
    : undefined;
}

/** An answer for once is about this request, and so about this one thing; any other is one that was offered. */
function callAnswer(question: CallQuestion, given: CallAnswer): CallAnswer | undefined {
  if (given.answer === 'run' && !offeredSpans(question).includes(given.span)) {
    return undefined;
  }
  if (given.span === 'once') {
    return { ...given, scope: 'one' };
  }
  return isIdentified(question.door) && scopesOf(question).includes(given.scope) ? given : undefined;
}

/** The chosen folders in the order in which they were offered; with any other folder it is no answer. */
function withFolders<T>(
  folders: readonly OfferedFolder[],
  chosen: readonly string[],
  answer: (roots: readonly string[]) => T | undefined,
): T | undefined {
  const offered = folders.map(({ uri }) => uri);
  return chosen.every((uri) => offered.includes(uri))
    ? answer(offered.filter((uri) => chosen.includes(uri)))
    : undefined;
}
