import { visibleParts } from '../../base/text/visibleText.ts';
import type { FormReading, ServerForm } from '../config/form/serverForm.ts';
import type { FormView } from './formProtocol.ts';
import { folderView, sharedText, sharingText } from '../roots/rootsQuestion.ts';
import { type LaunchQuestion, decidedText, variablePanelText } from '../launch/question/launchQuestion.ts';

/** What the page says of a form: `question` is the one that saving it answers. */
export function formView(form: ServerForm, reading: FormReading, question: LaunchQuestion): FormView {
  const { problems, hints, secrets } = reading;
  const { warnings, notes, workingDirectory, variables = [], tells = [], folders, sharing, chat } = question;
  return {
    problems,
    hints,
    unseen: textsIn(form)
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

function textsIn(form: ServerForm): readonly { readonly field: string; readonly text: string }[] {
  const { name, command, cwd, envFile, url, args, env, headers, signIn } = form;
  return [
    ...Object.entries({ name, command, cwd, envFile, url }).map(([field, text]) => ({ field, text })),
    ...args.map((text, index) => ({ field: `args.${index}`, text })),
    ...signIn.map(({ name: field, value }) => ({ field: `signIn.${field}`, text: value })),
    ...Object.entries({ env, headers }).flatMap(([part, texts]) =>
      texts.flatMap(({ name, value }, index) => [
        { field: `${part}.${index}.name`, text: name },
        { field: `${part}.${index}.value`, text: value },
      ]),
    ),
  ];
}
