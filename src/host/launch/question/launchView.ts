import path from 'node:path';
import { pathOf } from '../../folders/sharedRoot.ts';
import { sharedText, sharingText } from '../../roots/rootsText.ts';
import { quotedParts, visibleParts } from '../../../base/visibleText.ts';
import { folderView } from '../../roots/folderView.ts';
import { launchRows } from './launchText.ts';
import type { ShownVariable } from '../launchVariables.ts';
import { bullets, plain, type PanelText } from '../../questions/panelText.ts';
import type { DecidedSharing, LaunchQuestion, Question } from '../../questions/questionQueue.ts';
import type { FileView, LaunchView } from '../../questions/reviewProtocol.ts';
import type { ViewContext } from '../../questions/viewContext.ts';
import type { OfferedFile } from './watchedFiles.ts';

/** A launch as the review panel shows it. */
export function launchView(question: LaunchQuestion, { id, placeOf, isRenewed }: ViewContext): LaunchView {
  const { label, definition, warnings, notes, changes, folders, sharing, files = [] } = question;
  return {
    kind: 'launch',
    id,
    title: visibleParts(`Start the MCP server '${label}'?`),
    label: visibleParts(label),
    place: visibleParts(placeOf(definition)),
    isRenewed,
    canAllowUnopened: canAllowUnopened(question, isRenewed),
    warnings: warnings.map(visibleParts),
    notes: notes.map(visibleParts),
    changes: changes.map(visibleParts),
    rows: rowsOf(question),
    folders: folders.map(folderView),
    ...(sharing && { sharing: visibleParts(decidedText(sharing)) }),
    meaning: sharing ? sharedText(1) : sharingText(1),
    files: files.map(fileView),
  };
}

/** Two files of one name are told apart by their paths. */
function fileView({ path: file, isProposed }: OfferedFile): FileView {
  return { uri: file, name: visibleParts(path.basename(file)), path: visibleParts(file), isProposed };
}

/**
 * Whether a launch may be allowed from the overview, which shows the whole of it: not where there is something that you
 * should look at first.
 */
export function canAllowUnopened(
  { warnings, changes }: Pick<LaunchQuestion, 'warnings' | 'changes'>,
  isRenewed: boolean,
): boolean {
  return warnings.length === 0 && changes.length === 0 && !isRenewed;
}

/** What sharing folders means, where it is said once for several launches; undefined where each says it itself. */
export function meaningOfAll(questions: readonly Question[]): string | undefined {
  const launches = questions.filter((one) => one.kind === 'launch');
  const canChoose = launches.some(({ folders }) => folders.length > 0);
  if (launches.length < 2 || !launches.some(({ sharing }) => canChoose || sharing)) {
    return undefined;
  }
  return canChoose ? sharingText(launches.length) : sharedText(launches.length);
}

/** The same as plain text, for a read-only document or a dialog. */
export function launchViewText(view: LaunchView): string {
  const proposed = view.folders.filter(({ isProposed }) => isProposed);
  return [
    `Defined in: ${plain(view.place)}`,
    '',
    ...bullets('Look at this before you allow it:', view.warnings),
    ...bullets('Changed since you last allowed it:', view.changes),
    ...view.rows.flatMap(({ kind, title, values }) => {
      switch (kind) {
        case 'arguments':
          return [`${title}:`, ...values.map((value, index) => `  ${index + 1}. ${plain(value)}`)];
        case 'names':
          return [`${title}:`, ...values.map((value) => `  ${plain(value)}`)];
        default:
          return [`${title}: ${values.map(plain).join(', ')}`];
      }
    }),
    '',
    ...bullets('Good to know:', view.notes),
    ...(view.sharing ? [plain(view.sharing)] : []),
    ...bullets(
      'Shared with this server when you allow it:',
      proposed.map(({ path }) => path),
    ),
    ...(proposed.length > 0 ? [view.meaning] : []),
    ...bullets(
      'Asked about again when one of these files changes:',
      view.files.filter(({ isProposed }) => isProposed).map(({ path }) => path),
    ),
  ]
    .join('\n')
    .trim();
}

/** The launch, and what it tells the server whatever is shared below it. */
function rowsOf({
  definition,
  workingDirectory,
  variables = [],
  tells = [],
}: LaunchQuestion): LaunchView['rows'] {
  const rows = launchRows(definition, workingDirectory).map(({ kind, title, values, isQuoted }) => ({
    kind,
    title,
    // Nobody has written it: it is where servers of that file start.
    isUsual: kind === 'directory' && definition.type === 'stdio' && !definition.cwd,
    values: values.map(isQuoted ? quotedParts : visibleParts),
  }));
  const told = {
    kind: 'told',
    title: 'Its launch tells it',
    isUsual: false,
    values: tells.map(visibleParts),
  } as const;
  const leads = {
    kind: 'variables',
    title: 'Its variables stand for',
    isUsual: false,
    values: variables.map(variablePanelText),
  } as const;
  return [...rows, ...[leads, told].filter(({ values }) => values.length > 0)];
}

/** Where a variable leads, on one line. */
export function variablePanelText({ written, becomes }: ShownVariable): PanelText {
  return visibleParts(`${written} → ${becomes}`);
}

/** What is shared without asking, and by what. */
export function decidedText({ basis, roots }: DecidedSharing): string {
  const by = basis === 'definition' ? 'its "roots" in your settings' : 'your setting mcpHost.roots.default';
  return roots.length === 0
    ? `No folder is shared with this server: ${by} says so.`
    : `Shared with this server by ${by}: ${roots.map(pathOf).join(', ')}.`;
}
