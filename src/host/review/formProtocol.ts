import { isRecord, isTexts, picked } from '../../base/values/record.ts';
import {
  typedKinds,
  type FieldNote,
  type NamedText,
  type SecretField,
  type ServerForm,
} from '../config/form/serverForm.ts';
import { isTransport } from '../config/transports.ts';
import type { FormWords } from '../launch/launchTable.ts';
import type { ChatOffer } from '../launch/question/launchChat.ts';
import type { PanelText } from '../questions/panelText.ts';
import type { FolderView } from '../roots/rootsQuestion.ts';

/** What the host says of a form as it stands. */
export interface FormView {
  readonly problems: readonly FieldNote[];
  readonly hints: readonly FieldNote[];
  /** Texts with characters that cannot be seen, written out. */
  readonly unseen: readonly { readonly field: string; readonly text: PanelText }[];
  readonly secrets: readonly SecretField[];
  readonly warnings: readonly PanelText[];
  /** What is good to know, and no reason to look twice. */
  readonly notes: readonly PanelText[];
  readonly workingDirectory: PanelText;
  /** Where each variable leads that decides over the launch. */
  readonly variables: readonly PanelText[];
  /** What the launch tells the server, whatever is shared. */
  readonly tells: readonly PanelText[];
  readonly folders: readonly FolderView[];
  /** What is shared, and by what, where nothing is left to choose. */
  readonly sharing?: PanelText;
  /** What sharing a folder means. */
  readonly meaning: string;
  /** Absent for a server that chat can't get. */
  readonly chat?: ChatOffer;
}

/** A file that the server can be saved in. */
interface PlaceView {
  readonly place: string;
  readonly label: string;
  readonly detail: string;
}

/** A value that the launch refers to and that is asked for. */
interface InputView {
  readonly id: string;
  readonly label: PanelText;
  readonly isPassword: boolean;
}

/** A field of the launch as the page shows it. */
export interface FieldView extends FormWords {
  readonly name: keyof typeof typedKinds;
  readonly kind: (typeof typedKinds)[FieldView['name']];
  readonly label: string;
}

/** The whole page. */
export interface ShowForm {
  readonly type: 'show';
  readonly title: PanelText;
  /** False where name and place are those of a definition that is there. */
  readonly isNew: boolean;
  readonly places: readonly PlaceView[];
  readonly inputs: readonly InputView[];
  /** What was not taken over from where the server comes from. */
  readonly notes: readonly PanelText[];
  /** What the last button is called. */
  readonly leave: string;
  /** The fields of its launch. */
  readonly fields: readonly FieldView[];
  readonly form: ServerForm;
  readonly view: FormView;
  readonly status: string;
}

export type ToForm =
  | ShowForm
  /** The answer to the form of that number. */
  | { readonly type: 'checked'; readonly number: number; readonly view: FormView; readonly status: string }
  /** Whether the server at the address of that form requires you to sign in, as a sentence. */
  | { readonly type: 'signInChecked'; readonly number: number; readonly words: string };

export type FromForm =
  | { readonly type: 'ready' }
  | { readonly type: 'cancel' }
  | { readonly type: 'changed' | 'checkSignIn'; readonly number: number; readonly form: ServerForm }
  | { readonly type: 'save'; readonly number: number; readonly form: ServerForm; readonly start: boolean };

/** Checks what came from the page; undefined for anything that is not exactly a message of it. */
export function readFromForm(message: unknown): FromForm | undefined {
  if (!isRecord(message)) {
    return undefined;
  }
  const { type, number, start } = message;
  if (type === 'ready' || type === 'cancel') {
    return { type };
  }
  const form = readServerForm(message['form']);
  if (typeof number !== 'number' || !form) {
    return undefined;
  }
  if (type === 'changed' || type === 'checkSignIn') {
    return { type, number, form };
  }
  return type === 'save' && typeof start === 'boolean' ? { type, number, form, start } : undefined;
}

function readServerForm(value: unknown): ServerForm | undefined {
  if (!isRecord(value)) {
    return undefined;
  }
  const { type, name, place, signIn, values, kept, folders, inChat, token } = value;
  const isForm =
    isTransport(type) &&
    isTexts([name, place]) &&
    Object.entries(typedKinds).every(([field, kind]) => isTyped[kind](value[field])) &&
    [signIn, values].every(isNamed) &&
    isRecord(kept) &&
    Object.values(kept).every((one) => typeof one === 'boolean') &&
    (token === undefined || isNamed([token])) &&
    (folders === undefined || isTexts(folders)) &&
    (inChat === undefined || typeof inChat === 'boolean');
  // Each field is what its type says, as was just checked.
  const fields = Object.keys(typedKinds);
  return isForm ? (picked(value, ...ownFields, ...fields) as unknown as ServerForm) : undefined;
}

/** What a form has besides the fields of its launch. */
const ownFields = ['type', 'name', 'place', 'signIn', 'values', 'kept', 'token', 'folders', 'inChat'];

const isTyped = { text: (value: unknown) => typeof value === 'string', texts: isTexts, named: isNamed };

function isNamed(value: unknown): value is readonly NamedText[] {
  return Array.isArray(value) && value.every((one) => isRecord(one) && isTexts([one['name'], one['value']]));
}
