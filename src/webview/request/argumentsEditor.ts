import type { Entered } from '../../form/formField.ts';
import type { FieldProblem } from '../../form/fieldKind.ts';
import type {
  EditView,
  RemedyName,
  RequestWords,
  TextProblemView,
} from '../../host/requestForms/requestFormProtocol.ts';
import { element, hide, note, plainText, shownText } from '../dom.ts';
import type { AskForValues } from '../form/comboBox.ts';
import { SchemaForm } from '../form/schemaForm.ts';
import { remedyButtons } from './requestRun.ts';

/** What an editor of arguments needs of its page. */
interface EditorPort {
  changed(): void;
  remedy(remedy: RemedyName): void;
  readonly ask: AskForValues;
}

/** Where arguments are entered. */
export interface ArgumentsEditor {
  readonly node: HTMLElement;
  /** What is entered, as it is sent. */
  readonly content: { readonly entered: Entered } | { readonly json: string } | undefined;
  /** Whether it can be sent; what is wrong is shown. */
  submit(): boolean;
  /** Shows what only the host can find. */
  found?(problems: readonly FieldProblem[]): void;
  foundInText?(problems: readonly TextProblemView[], takesFocus: boolean): void;
}

/** The form, the text or the reason why there is neither. */
export function argumentsEditor(view: EditView, words: RequestWords, port: EditorPort): ArgumentsEditor {
  switch (view.kind) {
    case 'form':
      return formEditor(view, words, port);
    case 'json':
      return textEditor(view, port);
    case 'missing':
      return {
        node: element(
          'div',
          {},
          note('warning', shownText(view.reason)),
          remedyButtons(view.remedies, (remedy) => port.remedy(remedy)),
        ),
        content: undefined,
        submit: () => false,
      };
  }
}

function formEditor(
  view: Extract<EditView, { kind: 'form' }>,
  words: RequestWords,
  port: EditorPort,
): ArgumentsEditor {
  const ask = view.hasSuggestions ? port.ask : undefined;
  const form = new SchemaForm(view.form, view.entered, 'request', () => port.changed(), ask);
  const isEmpty = view.form.kind === 'object' && view.form.fields.length === 0;
  return {
    node: element(
      'div',
      {},
      ...(view.isProposed ? [element('p', { class: 'hint empty' }, words.proposed)] : []),
      isEmpty ? element('p', { class: 'hint empty' }, words.noArguments) : form.node,
    ),
    get content() {
      return { entered: form.entered };
    },
    submit: () => form.submit(),
    found: (problems) => form.found(problems),
  };
}

function textEditor(view: Extract<EditView, { kind: 'json' }>, port: EditorPort): ArgumentsEditor {
  const area = element('textarea', {
    id: 'json',
    class: 'code',
    rows: '10',
    spellcheck: 'false',
    'aria-describedby': 'json-hint json-problems',
  });
  area.value = view.text;
  const problems = element('ul', { id: 'json-problems', class: 'problems' });
  const show = (found: readonly TextProblemView[], takesFocus: boolean): void => {
    problems.replaceChildren(
      ...found.map((problem) =>
        element(
          'li',
          {},
          placeButton(problem, () => select(problem)),
        ),
      ),
    );
    hide(problems, found.length === 0);
    area.setAttribute('aria-invalid', String(found.length > 0));
    const [first] = found;
    if (first && takesFocus) {
      select(first);
    }
  };
  const select = ({ offset, length }: TextProblemView): void => {
    area.focus();
    area.setSelectionRange(offset, offset + length);
  };
  area.addEventListener('input', () => port.changed());
  show([], false);
  return {
    node: element(
      'div',
      { class: 'form' },
      element(
        'div',
        { class: 'field' },
        element('label', { for: 'json' }, 'Arguments as JSON'),
        element('p', { class: 'hint', id: 'json-hint' }, hiddenHint(view.hidden.map(plainText))),
        area,
        problems,
      ),
    ),
    get content() {
      return { json: area.value };
    },
    submit: () => true,
    foundInText: show,
  };
}

function placeButton({ line, column, message }: TextProblemView, press: () => void): HTMLElement {
  const made = element(
    'button',
    { class: 'fold', type: 'button' },
    `Line ${line}, column ${column}: `,
    ...shownText(message),
  );
  made.addEventListener('click', press);
  return made;
}

function hiddenHint(names: readonly string[]): string {
  return names.length === 0
    ? 'An object with a member for each argument.'
    : `An object with a member for each argument. Not shown here, but sent as entered in the form: ${names.join(', ')}.`;
}
