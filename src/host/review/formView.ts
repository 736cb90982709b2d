import { visibleParts } from '../../base/text/visibleText.ts';
import { typedKinds, typedTexts, type FormReading, type ServerForm } from '../config/form/serverForm.ts';
import { transports } from '../config/transports.ts';
import { launchTable } from '../launch/launchTable.ts';
import type { FieldView, FormView } from './formProtocol.ts';
import { folderView, sharedText, sharingText } from '../roots/rootsQuestion.ts';
import { type LaunchQuestion, decidedText, variablePanelText } from '../launch/question/launchQuestion.ts';

/** What the page says of a form: `question` is the one that saving it answers. */
export function formView(form: ServerForm, reading: FormReading, question: LaunchQuestion): FormView {
  const { problems, hints, secrets } = reading;
  const { warnings, notes, workingDirectory, variables = [], tells = [], folders, sharing, chat } = question;
  return {
    problems,
    hints,
    unseen: typedTexts(form)
      .map(({ field, text }) => ({ field, text: visibleParts(text) }))
      .filter(({ text }) => text.some(({ isWrittenOut }) => isWrittenOut)),
    secrets,
    warnings: warnings.map(visibleParts),
    notes: notes.map(visibleParts),
    workingDirectory: visibleParts(workingDirectory),
    variables: variables.map(variablePanelText),
    tells: tells.map(visibleParts),
    folders: folders.map(folderView),
    ...(sharing && { sharing: visibleParts(decidedText(sharing)) }),
    meaning: sharing ? sharedText(1) : sharingText(1),
    ...(chat && { chat }),
  };
}

/** The fields of the launch of a form, in the order in which they are shown. */
export function formFields({ type }: Pick<ServerForm, 'type'>): readonly FieldView[] {
  const { fields } = transports[type];
  return Object.entries(launchTable).flatMap(([field, { title, form }]): FieldView[] => {
    const name = field as FieldView['name'];
    return form && Object.hasOwn(fields, name)
      ? [{ name, kind: typedKinds[name], label: title, ...form }]
      : [];
  });
}
