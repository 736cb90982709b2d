import { visibleParts, visibleText } from '../../base/text/visibleText.ts';
import type { Entered, FormField } from '../../form/formField.ts';
import { takesText } from '../../form/keptFields.ts';
import type { FieldProblem } from '../../form/fieldKind.ts';
import type { RequestInFlight } from '../connection/requests/requestsInFlight.ts';
import { plain, proseText, type LongText, type PanelText } from '../questions/panelText.ts';
import type { AskingServer, Question, QuestionKind, QuestionView } from '../questions/question.ts';
import { askedWhile, refuseInDialogs } from './askedWords.ts';
import type { ElicitationAnswer, OpenElicitation } from './openElicitation.ts';

/** A form of a server. Its card takes acts; the question is withdrawn when the form has its answer. */
export interface ElicitationQuestion extends Question<never> {
  readonly server: AskingServer;
  /** What the server was working on when it asked. */
  readonly requests: readonly RequestInFlight[];
  readonly open: OpenElicitation;
}

export interface ElicitationView extends QuestionView {
  readonly kind: 'elicitation';
  /** Where the server is defined. */
  readonly place: PanelText;
  /** What it does for you while it asks. */
  readonly why: PanelText;
  readonly message: LongText;
  readonly form: FormField;
  /** What to remember about what you write; empty where you only choose. */
  readonly rule: string;
  readonly entered: Entered;
  readonly warnings: readonly PanelText[];
  /** Declining is what the card proposes, because the form asks for a secret. */
  readonly isFlagged: boolean;
  /** What is entered comes from your last answer. */
  readonly isProposed: boolean;
}

/** What the host found in a form that was submitted. */
export interface ElicitationUpdate {
  readonly problems: readonly FieldProblem[];
}

const secretWarning =
  'This form seems to ask for a password, a token or a key. A server must not ask for one in a form: decline, ' +
  'unless you are sure that it is something else. What you enter goes to the server as plain text.';

/** client/elicitation: "Servers MUST NOT use form mode elicitation to request sensitive information". */
const formRule = 'Servers must not ask for passwords or keys in a form.';

/** The form of a server (client/elicitation). */
export const elicitationQuestions = {
  name: 'elicitation',
  serversOf: ({ server }) => [server],

  view({ server, requests, open }, { id, placeOf, isRenewed }): ElicitationView {
    const { message, form, isFlagged } = open.request;
    return {
      kind: 'elicitation',
      id,
      title: visibleParts(titleOf(server)),
      isRenewed,
      place: visibleParts(placeOf(server.definition)),
      why: visibleParts(askedWhile(requests)),
      message: proseText(message),
      form,
      rule: takesText(form) ? formRule : '',
      entered: open.entered,
      warnings: isFlagged ? [visibleParts(secretWarning)] : [],
      isFlagged,
      isProposed: open.isProposed,
    };
  },

  text({ place, why, message, warnings, form, rule }: ElicitationView): string {
    return [
      `The server is defined in: ${plain(place)}`,
      plain(why),
      ...warnings.map((warning) => `Warning: ${plain(warning)}`),
      `The server says: ${plain(message.text)}`,
      'It asks for:',
      ...fieldLines(form).map((line) => `- ${line}`),
      ...(rule === '' ? [] : [rule]),
    ].join('\n\n');
  },

  readAnswer: () => undefined, // its card takes acts

  /** A form can't be filled in there. */
  askInDialogs: ({ open }, dialogs) => refuseInDialogs(dialogs, 'form', (answer) => open.end(answer)),

  announcement: ([first, ...others]) =>
    first && others.length === 0 ? `${titleOf(first.server)}.` : undefined,
  isCountedAlone: true,

  answered: () => '',

  withdrawn({ server, open }) {
    const { answer } = open;
    return answer && { words: answeredText(visibleText(server.label), answer), isAnswered: true };
  },
} as const satisfies QuestionKind<ElicitationQuestion, never>;

export function isElicitationQuestion(question: Question): question is ElicitationQuestion {
  return question.kind === elicitationQuestions;
}

function titleOf({ label }: AskingServer): string {
  return `'${label}' asks you to fill in a form`;
}

function answeredText(label: string, { action }: ElicitationAnswer): string {
  switch (action) {
    case 'accept':
      return `Sent to '${label}'.`;
    case 'decline':
      return `Declined: the form of '${label}'.`;
    case 'cancel':
      return `Cancelled: the form of '${label}'.`;
    case 'never':
      return `Declined: '${label}' can't ask you again.`;
  }
}

/** The fields by their labels, in their order. */
function fieldLines(field: FormField): readonly string[] {
  const { label, description, isRequired } = field;
  const line = `${label}${isRequired ? ' (required)' : ''}${description === undefined ? '' : `: ${description}`}`;
  return field.kind === 'object' ? field.fields.flatMap(fieldLines) : [line];
}
