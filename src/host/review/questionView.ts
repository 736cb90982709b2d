import { visibleParts } from '../../base/visibleText.ts';
import { rootsTitle, sharingText, unsharedText } from '../roots/rootsText.ts';
import { callView, callViewText } from '../gate/callView.ts';
import { folderView } from '../roots/folderView.ts';
import { launchView, launchViewText } from '../launch/question/launchView.ts';
import type { Question, RootsQuestion } from '../questions/questionQueue.ts';
import { bullets, plain } from '../questions/panelText.ts';
import type { QuestionView, RootsQuestionView } from '../questions/reviewProtocol.ts';
import { samplingView, samplingViewText } from '../sampling/samplingView.ts';
import type { ViewContext } from '../questions/viewContext.ts';

/** A question as the review panel shows it: everything said, nothing cut, nothing invisible. */
export function questionView(question: Question, context: ViewContext): QuestionView {
  switch (question.kind) {
    case 'launch':
      return launchView(question, context);
    case 'roots':
      return rootsQuestionView(question, context);
    case 'call':
      return callView(question, context);
    case 'sampling':
      return samplingView(question, context);
  }
}

/** The same as plain text, for a read-only document or a dialog. */
export function questionText(view: QuestionView): string {
  switch (view.kind) {
    case 'launch':
      return launchViewText(view);
    case 'roots':
      return rootsViewText(view);
    case 'call':
      return callViewText(view);
    case 'sampling':
      return samplingViewText(view);
  }
}

function rootsQuestionView(
  { servers, folders }: RootsQuestion,
  { id, placeOf, isRenewed }: ViewContext,
): RootsQuestionView {
  return {
    kind: 'roots',
    id,
    title: visibleParts(rootsTitle(servers.map(({ label }) => label))),
    isRenewed,
    servers: servers.map(({ label, definition }) => ({
      label: visibleParts(label),
      place: visibleParts(placeOf(definition)),
    })),
    folders: folders.map(folderView),
    meaning: sharingText(servers.length),
    meaningOfNone: unsharedText(servers.length),
  };
}

function rootsViewText(view: RootsQuestionView): string {
  const proposed = view.folders.filter(({ isProposed }) => isProposed);
  return [
    ...view.servers.map(({ label, place }) => `${plain(label)} is defined in: ${plain(place)}`),
    '',
    ...bullets(
      'Folders of this workspace:',
      view.folders.map(({ path }) => path),
    ),
    ...(proposed.length > 0 && proposed.length < view.folders.length
      ? bullets(
          'Proposed:',
          proposed.map(({ path }) => path),
        )
      : []),
    view.meaning,
    view.meaningOfNone,
  ].join('\n');
}
