import { html } from 'lit';
import type { Entered } from '../../form/formField.ts';
import type { FieldProblem } from '../../form/fieldKind.ts';
import type {
  EditView,
  RemedyName,
  RequestWords,
  TextProblemView,
} from '../../host/requestForms/requestFormProtocol.ts';
import { linkButton, note } from '../card.ts';
import { plainText, shownText, type Content } from '../elements.ts';
import type { AskForValues } from '../form/comboBox.ts';
import { SchemaForm } from '../form/schemaForm.ts';
import { remedyButtons } from './requestRun.ts';

/** What an editor of arguments needs of its page. */
interface EditorPort {
  changed(): void;
  refresh(): void;
  remedy(remedy: RemedyName): void;
  readonly ask: AskForValues;
}

/** Where arguments are entered. */
export interface ArgumentsEditor {
  view(): Content;
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
        view: () =>
          html`<div>
            ${note('warning', shownText(view.reason))}
            ${remedyButtons(view.remedies, (remedy) => port.remedy(remedy))}
          </div>`,
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
  const form = new SchemaForm(view.form, view.entered, 'request', { ...port, ask });
  const isEmpty = view.form.kind === 'object' && view.form.fields.length === 0;
  return {
    view: () =>
      html`<div>
        ${view.isProposed ? hint(words.proposed) : undefined}
        ${isEmpty ? hint(words.noArguments) : form.view()}
      </div>`,
    get content() {
      return { entered: form.entered };
    },
    submit: () => form.submit(),
    found: (problems) => form.found(problems),
  };
}

function textEditor(view: Extract<EditView, { kind: 'json' }>, port: EditorPort): ArgumentsEditor {
  let json = view.text;
  let problems: readonly TextProblemView[] = [];
  const typed = ({ target }: Event): void => {
    json = (target as HTMLTextAreaElement).value;
    port.changed();
  };
  return {
    view: () =>
      html`<div class="form">
        <div class="field">
          <label for="json">Arguments as JSON</label>
          <p class="hint" id="json-hint">${hiddenHint(view.hidden.map(plainText))}</p>
          <textarea
            id="json"
            class="code"
            rows="10"
            spellcheck="false"
            aria-describedby="json-hint json-problems"
            aria-invalid=${problems.length > 0}
            .value=${view.text}
            @input=${typed}
          ></textarea>
          <ul id="json-problems" class="problems" ?hidden=${problems.length === 0}>
            ${problems.map((problem) => html`<li>${problemButton(problem)}</li>`)}
          </ul>
        </div>
      </div>`,
    get content() {
      return { json };
    },
    submit: () => true,
    foundInText: (found, takesFocus) => {
      problems = found;
      port.refresh();
      const [first] = found;
      if (first && takesFocus) {
        select(first);
      }
    },
  };
}

function hint(text: string): Content {
  return html`<p class="hint empty">${text}</p>`;
}

function problemButton(problem: TextProblemView): Content {
  const { line, column, message } = problem;
  return linkButton([`Line ${line}, column ${column}: `, shownText(message)], () => select(problem));
}

function select({ offset, length }: TextProblemView): void {
  const area = document.getElementById('json') as HTMLTextAreaElement;
  area.focus();
  area.setSelectionRange(offset, offset + length);
}

function hiddenHint(names: readonly string[]): string {
  return names.length === 0
    ? 'An object with a member for each argument.'
    : `An object with a member for each argument. Not shown here, but sent as entered in the form: ${names.join(', ')}.`;
}
