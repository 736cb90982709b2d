import path from 'node:path';
import { quotedParts, visibleParts } from '../../../base/text/visibleText.ts';
import { isTexts, type UnknownRecord } from '../../../base/values/record.ts';
import type { AnyLaunch, ServerDefinition } from '../../config/serverDefinition.ts';
import { pathOf, type SharedRoot } from '../../folders/sharedRoot.ts';
import { bulletLines, plain, type PanelText } from '../../questions/panelText.ts';
import {
  askInDialog,
  labelList,
  quotedLabels,
  type Question,
  type QuestionKind,
  type QuestionView,
} from '../../questions/question.ts';
import {
  folderPath,
  folderView,
  readRoots,
  sharedText,
  sharingText,
  type FolderView,
  type OfferedFolder,
} from '../../roots/rootsQuestion.ts';
import type { ShownVariable } from '../launchVariables.ts';
import { chatLines, hasChatBox, readInChat, type ChatOffer } from './launchChat.ts';
import { launchRows, type LaunchRow } from './launchText.ts';
import type { OfferedFile } from './watchedFiles.ts';

/** Whether a server can start as its definition says, and what it can see of the workspace. */
export interface LaunchQuestion extends Question<LaunchAnswer> {
  readonly definition: ServerDefinition;
  /** What the server is called in the editor. */
  readonly label: string;
  readonly workingDirectory: string;
  /** What is unusual for an honest server, a sentence each. */
  readonly warnings: readonly string[];
  /** What is worth knowing, a sentence each. */
  readonly notes: readonly string[];
  /** What is different from the launch that was allowed last, a sentence each; empty for a new server. */
  readonly changes: readonly string[];
  /** Where each variable leads that decides over the launch. */
  readonly variables?: readonly ShownVariable[];
  /** What the launch tells the server about the workspace, whatever is shared: a line for each path. */
  readonly tells?: readonly string[];
  /** The folders that can be shared as roots, and whether they are proposed. */
  readonly folders: readonly OfferedFolder[];
  /** What is shared without asking, where your definition or settings have decided that. */
  readonly sharing?: DecidedSharing;
  /** The files of the launch whose changes can ask again. */
  readonly files?: readonly OfferedFile[];
  /** Variables in the `envFile` that have changed, and may do so without a question. */
  readonly values?: readonly string[];
  /** Whether the launch can be allowed in any folder that you trust, and whether you had allowed that. */
  readonly anyFolder?: { readonly isProposed: boolean };
  /** Absent for a server that chat can't get. */
  readonly chat?: ChatOffer;
}

export interface DecidedSharing {
  readonly basis: 'definition' | 'setting';
  readonly roots: readonly SharedRoot[];
}

/**
 * `roots` are the URIs of the folders to share, `files` the paths of those whose changes ask again: without them, those
 * that are proposed. `values` are the variables in the `envFile` that may change without a question. `inAnyFolder` allows
 * the launch in any folder that you trust, `inChat` uses the server in chat.
 */
export type LaunchAnswer =
  | {
      readonly answer: 'allow';
      readonly roots: readonly string[];
      readonly files?: readonly string[];
      readonly values?: readonly string[];
      readonly inAnyFolder?: true;
      readonly inChat?: true;
    }
  | { readonly answer: 'deny' };

export interface LaunchView extends QuestionView {
  readonly kind: 'launch';
  /** What the server is called. */
  readonly label: PanelText;
  /** Where the definition is. */
  readonly place: PanelText;
  /** Whether it can be allowed together with others: nothing in it has to be looked at first. */
  readonly canAllowUnopened: boolean;
  readonly warnings: readonly PanelText[];
  /** What warnings can and can't do for you; absent without any. */
  readonly warningsMeaning?: string;
  readonly notes: readonly PanelText[];
  /** What has changed since you last allowed it. */
  readonly changes: readonly PanelText[];
  readonly rows: readonly {
    readonly kind: LaunchRow['kind'] | 'variables' | 'told';
    readonly title: string;
    /** It is the same for every server of that file, so it is a detail. */
    readonly isUsual: boolean;
    readonly values: readonly PanelText[];
  }[];
  readonly folders: readonly FolderView[];
  /** What is shared, and by what, where nothing is left to choose. */
  readonly sharing?: PanelText;
  /** What sharing a folder means. */
  readonly meaning: string;
  /** Files whose changes can ask again, by their absolute paths. */
  readonly files: readonly FolderView[];
  /** Variables that may change without a question, by their names. */
  readonly values: readonly FolderView[];
  /** Whether the launch can be allowed in any folder that you trust: one choice, or none. */
  readonly anyFolder: readonly FolderView[];
  readonly chat?: ChatOffer;
}

/** The question before a server starts. */
export const launchQuestions = {
  name: 'launch',
  serversOf: (question) => [question],

  view(question, { id, placeOf, isRenewed }): LaunchView {
    const {
      label,
      definition,
      warnings,
      notes,
      changes,
      folders,
      sharing,
      files = [],
      values = [],
      anyFolder,
      chat,
    } = question;
    return {
      kind: 'launch',
      id,
      title: visibleParts(`Start '${label}'?`),
      label: visibleParts(label),
      place: visibleParts(placeOf(definition)),
      isRenewed,
      canAllowUnopened: canAllowUnopened(question, isRenewed),
      warnings: warnings.map(visibleParts),
      ...(warnings.length > 0 && {
        warningsMeaning: "Warnings help you look. What they don't mention can still do harm.",
      }),
      notes: notes.map(visibleParts),
      changes: changes.map(visibleParts),
      rows: rowsOf(question),
      folders: folders.map(folderView),
      ...(sharing && { sharing: visibleParts(decidedText(sharing)) }),
      meaning: sharing ? sharedText(1) : sharingText(1),
      files: files.map(fileView),
      values: values.map(choiceView),
      anyFolder: anyFolder ? [{ ...choiceView('In any folder that I trust'), ...anyFolder }] : [],
      ...(chat && { chat }),
    };
  },

  text(view: LaunchView): string {
    const proposed = view.folders.filter(({ isProposed }) => isProposed);
    return [
      `Defined in: ${plain(view.place)}`,
      '',
      ...bulletLines('Look at this before you allow it:', view.warnings),
      ...(view.warningsMeaning === undefined ? [] : [view.warningsMeaning, '']),
      ...bulletLines('Changed since you last allowed it:', view.changes),
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
      ...bulletLines('Notes:', view.notes),
      ...(view.sharing ? [plain(view.sharing)] : []),
      ...bulletLines('Shared with this server when you allow it:', proposed.map(folderPath)),
      ...(proposed.length > 0 ? [view.meaning] : []),
      ...bulletLines(
        'Ask again when these files change:',
        view.files.filter(({ isProposed }) => isProposed).map(folderPath),
      ),
      ...chatLines(view.chat),
    ]
      .join('\n')
      .trim();
  },

  readAnswer(question, given): LaunchAnswer | undefined {
    const { folders, files: offered = [], values: offeredValues = [], chat } = question;
    const { answer, roots, files, values, inAnyFolder = false } = given;
    if (answer === 'deny') {
      return { answer };
    }
    const chosen = answer === 'allow' ? readRoots(folders, roots) : undefined;
    const inChat = readInChat(chat, given);
    if (!chosen || inChat === undefined) {
      return undefined;
    }
    // With anything that was not offered, it is not an answer.
    const paths = offered.map(({ path }) => path);
    const isWhereOffered =
      inAnyFolder === false || (inAnyFolder === true && question.anyFolder !== undefined);
    if (!areAmong(files, paths) || !areAmong(values, offeredValues) || !isWhereOffered) {
      return undefined;
    }
    return {
      answer: 'allow',
      roots: chosen,
      ...(files && { files }),
      ...(values && { values }),
      ...(inAnyFolder && { inAnyFolder }),
      ...(inChat && { inChat }),
    };
  },

  readUnopened(question: LaunchQuestion, given: UnknownRecord, isRenewed: boolean): LaunchAnswer | undefined {
    return canAllowUnopened(question, isRenewed)
      ? launchQuestions.readAnswer(question, { ...given, answer: 'allow' })
      : undefined;
  },

  askInDialogs({ folders, chat }, dialogs) {
    const proposed = folders.filter(({ isProposed }) => isProposed).map(({ uri }) => uri);
    const allowed = { answer: 'allow', roots: proposed } as const;
    return askInDialog<LaunchAnswer>(dialogs, {
      noun: 'launch',
      choices: [
        { title: "Don't Allow", answer: { answer: 'deny' } },
        { title: 'Allow', answer: allowed },
        ...(hasChatBox(chat)
          ? [{ title: 'Allow and Use in Chat', answer: { ...allowed, inChat: true } } as const]
          : []),
      ],
    });
  },

  answered: (question, given) =>
    given.answer === 'deny'
      ? `Not allowed: ${labelList(question)}.`
      : `Allowed${given.inChat ? ', and in chat' : ''}: ${labelList(question)}.`,

  changed: (question) => `The launch of ${quotedLabels(question)}`,
} as const satisfies QuestionKind<LaunchQuestion, LaunchAnswer>;

/** Not where there is something that you should look at first. */
function canAllowUnopened(
  { warnings, changes }: Pick<LaunchQuestion, 'warnings' | 'changes'>,
  isRenewed: boolean,
): boolean {
  return warnings.length === 0 && changes.length === 0 && !isRenewed;
}

function areAmong(given: unknown, offered: readonly string[]): given is readonly string[] | undefined {
  return given === undefined || (isTexts(given) && given.every((one) => offered.includes(one)));
}

/** A choice without a path. */
function choiceView(name: string): FolderView {
  return { uri: name, name: visibleParts(name), path: [], isProposed: false };
}

/** Their paths distinguish two files of one name. */
function fileView({ path: file, isProposed }: OfferedFile): FolderView {
  return { uri: file, name: visibleParts(path.basename(file)), path: visibleParts(file), isProposed };
}

/** The launch, and what it tells the server whatever is shared below it. */
function rowsOf({
  definition,
  workingDirectory,
  variables = [],
  tells = [],
}: LaunchQuestion): LaunchView['rows'] {
  const { cwd }: AnyLaunch = definition;
  const rows = launchRows(definition, workingDirectory).map(({ kind, title, values, isQuoted }) => ({
    kind,
    title,
    // Nobody has written it: it is where servers of that file start.
    isUsual: kind === 'directory' && !cwd,
    values: values.map(isQuoted ? quotedParts : visibleParts),
  }));
  const told = {
    kind: 'told',
    title: 'Also visible to the server',
    isUsual: false,
    values: tells.map(visibleParts),
  } as const;
  const leads = {
    kind: 'variables',
    title: 'Variables',
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
