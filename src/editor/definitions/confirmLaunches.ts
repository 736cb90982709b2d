import * as vscode from 'vscode';
import { launchText } from '../../host/launch/question/launchText.ts';
import { visibleText } from '../../base/text/visibleText.ts';
import { definitionOf, type ServerDraft } from '../../host/config/edit/serverDraft.ts';
import type { ServerDefinition } from '../../host/config/serverDefinition.ts';
import type { ViewDocuments } from '../documents/viewDocuments.ts';
import type { SaveTarget } from './saveTargets.ts';
import type { LaunchQuestion } from '../../host/launch/question/launchQuestion.ts';

/** Longer text pushes the buttons of a modal off the screen. */
const MODAL_CHARACTERS = 600;

export type Confirmation = 'start' | 'save' | 'cancelled';

export interface ConfirmDependencies {
  readonly viewDocuments: ViewDocuments;
  /** The question before this launch, which saving answers. */
  readonly questionAbout: (definition: ServerDefinition) => LaunchQuestion;
}

/** A server to confirm, and notes about it. */
export interface LaunchToConfirm {
  readonly draft: ServerDraft;
  readonly notes: readonly string[];
}

/** Shows the whole launches, and asks whether to save them, and whether to start the servers. */
export async function confirmLaunches(
  launches: readonly LaunchToConfirm[],
  target: SaveTarget,
  { viewDocuments, questionAbout }: ConfirmDependencies,
): Promise<Confirmation> {
  const [only] = launches;
  const message =
    launches.length === 1 && only
      ? `Save the MCP server '${visibleText(only.draft.name)}'?`
      : `Save ${launches.length} MCP servers?`;
  const texts = launches.map(({ draft, notes }) =>
    [
      ...(launches.length > 1 ? [visibleText(draft.name)] : []),
      ...questionLines(questionAbout(definitionOf(draft, target.origin))),
      ...inputLines(draft),
      ...notes.map((note) => `Note: ${visibleText(note)}`),
    ].join('\n'),
  );
  const place = `Saved in: ${visibleText(target.label)}`;
  const meaning =
    launches.length > 1
      ? 'Saving allows these launches on this machine. With "Save", they start only when you start them.'
      : 'Saving allows this launch on this machine. With "Save", it starts only when you start it.';
  const whole = [texts.join('\n\n'), place].join('\n');
  let detail = `${whole}\n\n${meaning}`;
  if (message.length + detail.length > MODAL_CHARACTERS) {
    await viewDocuments.showText('What will be saved', `${message}\n\n${whole}\n`);
    detail = `The whole ${launches.length > 1 ? 'launches are' : 'launch is'} open in the editor behind this dialog.\n\n${meaning}`;
  }
  const start: vscode.MessageItem = { title: 'Save and Start' };
  const save: vscode.MessageItem = { title: 'Save' };
  const chosen = await vscode.window.showInformationMessage(message, { modal: true, detail }, start, save);
  return chosen === undefined ? 'cancelled' : chosen === start ? 'start' : 'save';
}

/** The launch with everything that its question would say, and the folders that are shared by saving it. */
function questionLines({ definition, workingDirectory, warnings, notes, folders }: LaunchQuestion): string[] {
  const shared = folders.filter(({ isProposed }) => isProposed).map(({ name }) => visibleText(name));
  return [
    launchText(definition, workingDirectory),
    ...(folders.length > 0 ? [`Folders shared: ${shared.length > 0 ? shared.join(', ') : 'none'}`] : []),
    ...warnings.map((warning) => `Warning: ${warning}`),
    ...notes.map((note) => `Good to know: ${note}`),
  ];
}

function inputLines({ inputs, values }: ServerDraft): readonly string[] {
  return inputs.map(({ id }) =>
    values.has(id)
      ? `Input: ${visibleText(id)}, whose value is kept in the secret storage`
      : `Input: ${visibleText(id)}, which you are asked for at the first start`,
  );
}
