import { pathOf } from '../roots/sharedRoot.ts';
import { launchRows } from './launchText.ts';
import type { DecidedSharing, LaunchQuestion, Question } from './questionQueue.ts';
import type { LaunchView, PanelText, QuestionView } from './reviewProtocol.ts';
import { quotedParts, visibleParts } from '../../base/visibleText.ts';

/** What the panel needs to know of a question besides the question. */
export interface ViewContext {
  readonly id: string;
  /** The file that the definition stands in, as the person calls it. */
  readonly place: string;
  readonly isRenewed: boolean;
}

/** A question as the review panel shows it: everything said, nothing cut, nothing invisible. */
export function questionView(question: Question, context: ViewContext): QuestionView {
  switch (question.kind) {
    case 'launch':
      return launchView(question, context);
  }
}

/** The same as plain text, for a read-only document or a dialog. */
export function questionText(view: QuestionView): string {
  const bullets = (title: string, texts: readonly PanelText[]): string[] =>
    texts.length === 0 ? [] : [title, ...texts.map((text) => `- ${plain(text)}`), ''];
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
      view.folders.filter(({ isProposed }) => isProposed).map(({ path }) => path),
    ),
  ]
    .join('\n')
    .trim();
}

export function plain(text: PanelText): string {
  return text.map((part) => part.text).join('');
}

function launchView(question: LaunchQuestion, { id, place, isRenewed }: ViewContext): LaunchView {
  const { label, definition, workingDirectory, warnings, changes, folders, sharing } = question;
  return {
    kind: 'launch',
    id,
    title: visibleParts(`Start the MCP server '${label}'?`),
    place: visibleParts(place),
    isRenewed,
    warnings: warnings.map(visibleParts),
    changes: changes.map(visibleParts),
    rows: launchRows(definition, workingDirectory).map(({ kind, title, values, isQuoted }) => ({
      title,
      isNumbered: kind === 'arguments',
      values: values.map(isQuoted ? quotedParts : visibleParts),
    })),
    folders: folders.map((folder) => ({
      uri: folder.uri,
      name: visibleParts(folder.name),
      path: visibleParts(pathOf(folder)),
      isProposed: folder.isProposed,
    })),
    ...(sharing && { sharing: visibleParts(sharingText(sharing)) }),
  };
}

/** What is shared without asking, and by what. */
function sharingText({ basis, roots }: DecidedSharing): string {
  const by = basis === 'definition' ? 'its "roots" in your settings' : 'your setting mcpHost.roots.default';
  return roots.length === 0
    ? `No folder is shared with this server: ${by} says so.`
    : `Shared with this server by ${by}: ${roots.map(pathOf).join(', ')}.`;
}
