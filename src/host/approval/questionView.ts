import { pathOf } from '../roots/sharedRoot.ts';
import { rootsTitle, sharedText, sharingText, unsharedText } from '../roots/rootsText.ts';
import { callView, callViewText } from './callView.ts';
import { launchRows } from './launchText.ts';
import type {
  DecidedSharing,
  LaunchQuestion,
  OfferedFolder,
  Question,
  RootsQuestion,
} from './questionQueue.ts';
import { plain, type PanelText } from './panelText.ts';
import type { FolderView, LaunchView, QuestionView, RootsQuestionView } from './reviewProtocol.ts';
import { samplingView, samplingViewText } from './samplingView.ts';
import { quotedParts, visibleParts } from '../../base/visibleText.ts';
import type { ViewContext } from './viewContext.ts';

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

function launchView(question: LaunchQuestion, { id, placeOf, isRenewed }: ViewContext): LaunchView {
  const { label, definition, warnings, changes, folders, sharing } = question;
  return {
    kind: 'launch',
    id,
    title: visibleParts(`Start the MCP server '${label}'?`),
    place: visibleParts(placeOf(definition)),
    isRenewed,
    warnings: warnings.map(visibleParts),
    changes: changes.map(visibleParts),
    rows: rowsOf(question),
    folders: folders.map(folderView),
    ...(sharing && { sharing: visibleParts(decidedText(sharing)) }),
    meaning: sharing ? sharedText(1) : sharingText(1),
  };
}

/** The launch, and what it tells the server whatever is shared below it. */
function rowsOf({ definition, workingDirectory, tells = [] }: LaunchQuestion): LaunchView['rows'] {
  const rows = launchRows(definition, workingDirectory).map(({ kind, title, values, isQuoted }) => ({
    title,
    isNumbered: kind === 'arguments',
    values: values.map(isQuoted ? quotedParts : visibleParts),
  }));
  const told = { title: 'Its launch tells it', isNumbered: false, values: tells.map(visibleParts) };
  return tells.length > 0 ? [...rows, told] : rows;
}

function launchViewText(view: LaunchView): string {
  const proposed = view.folders.filter(({ isProposed }) => isProposed);
  return [
    `Defined in: ${plain(view.place)}`,
    '',
    ...bullets('Warnings:', view.warnings),
    ...bullets('Changed since you last allowed it:', view.changes),
    ...view.rows.flatMap(({ title, isNumbered, values }) =>
      isNumbered
        ? [`${title}:`, ...values.map((value, index) => `  ${index + 1}. ${plain(value)}`)]
        : [`${title}: ${values.map(plain).join(', ')}`],
    ),
    '',
    ...(view.sharing ? [plain(view.sharing)] : []),
    ...bullets(
      'Shared with this server when you allow it:',
      proposed.map(({ path }) => path),
    ),
    ...(proposed.length > 0 ? [view.meaning] : []),
  ]
    .join('\n')
    .trim();
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

function bullets(title: string, texts: readonly PanelText[]): string[] {
  return texts.length === 0 ? [] : [title, ...texts.map((text) => `- ${plain(text)}`), ''];
}

export function folderView(folder: OfferedFolder): FolderView {
  return {
    uri: folder.uri,
    name: visibleParts(folder.name),
    path: visibleParts(pathOf(folder)),
    isProposed: folder.isProposed,
  };
}

/** What is shared without asking, and by what. */
export function decidedText({ basis, roots }: DecidedSharing): string {
  const by = basis === 'definition' ? 'its "roots" in your settings' : 'your setting mcpHost.roots.default';
  return roots.length === 0
    ? `No folder is shared with this server: ${by} says so.`
    : `Shared with this server by ${by}: ${roots.map(pathOf).join(', ')}.`;
}
