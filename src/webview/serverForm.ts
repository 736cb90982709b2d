import { html } from 'lit';
import type { PanelText } from '../host/questions/panelText.ts';
import type { FormView, ShowForm } from '../host/review/formProtocol.ts';
import type { NamedText, ServerForm } from '../host/config/form/serverForm.ts';
import { linkButton, note, warningNotes } from './card.ts';
import { chatBox } from './chatChoice.ts';
import { code, plainText, shownText, type Content } from './elements.ts';
import { folderBoxes } from './folderChoice.ts';
import { TextInput, type FieldPort } from './textInput.ts';
import { TextRows } from './textRows.ts';

/** What the form needs of the page around it. */
export interface FormPort {
  /** Something was changed, which it shows. */
  changed(): void;
  /** Shows what is different now. */
  refresh(): void;
  say(words: string): void;
  /** Asks the server of the form as it stands whether it requires you to sign in. */
  checkSignIn(): void;
}

/** The fields of `oauth` that the page shows; the others are kept, and changed in the file. */
const signInFields = [
  ['clientId', 'Client ID'],
  ['clientSecret', 'Client secret'],
  ['scopes', 'Scopes', 'With spaces between them. The default is what the server asks for.'],
  ['issuer', 'Issuer', 'Who signs you in, if the server accepts several.'],
  ['redirectUri', 'Redirect address', 'As it is registered for the client ID.'],
] as const;

/** A server on a page: every text that starts or reaches it, in a field each. */
export class ServerFormPage {
  readonly #shown: ShowForm;
  readonly #port: FormPort;
  readonly #texts = new Map<string, TextInput>();
  readonly #rows = new Map<string, TextRows>();
  readonly #signIn: ReadonlyMap<string, TextInput>;
  readonly #values: ReadonlyMap<string, TextInput>;
  #view: FormView;
  #place: string;
  /** Whether the server requires you to sign in. */
  #account = '';
  #kept: Readonly<Record<string, boolean>>;
  #chosen: readonly string[] | undefined;
  #inChat: boolean;
  /** What was taken last of what moves the page. */
  #drawn = '';

  constructor(shown: ShowForm, port: FormPort) {
    const { form, fields, inputs, isNew, view } = shown;
    this.#shown = shown;
    this.#port = port;
    this.#view = view;
    this.#place = form.place;
    this.#kept = form.kept;
    this.#chosen = form.folders;
    this.#inChat = form.inChat === true;
    const fieldPort: FieldPort = {
      changed: () => port.changed(),
      refresh: () => port.refresh(),
      keep: (key, isKept) => {
        this.#kept = { ...this.#kept, [key]: isKept };
        port.changed();
      },
    };
    const text = (id: string, label: string, value: string, hint?: string): void => {
      const isReadOnly = id === 'name' && !isNew;
      const options = { id, label, hint, value, isReadOnly, isPassword: id === 'token' };
      this.#texts.set(id, new TextInput(options, fieldPort));
    };
    text('name', 'Name', form.name);
    const say = (words: string): void => port.say(words);
    for (const { name, label, hint = '', one = '', kind } of fields) {
      const typed = form[name];
      if (typeof typed === 'string') {
        text(name, label, typed, hint === '' || (name === 'url' && !isNew) ? undefined : hint);
        continue;
      }
      const options = { ...fieldPort, say, part: name, title: label, one, hint, isNamed: kind === 'named' };
      const values = typed.map((value) => (typeof value === 'string' ? { name: '', value } : value));
      this.#rows.set(name, new TextRows(options, values));
    }
    if (isNew && form.type !== 'stdio') {
      const { name = '', value = '' } = form.token ?? {};
      const hint = 'Such as an API key, if the server wants one. Kept encrypted, never in the file.';
      text('token', 'Token', value, hint);
      text('tokenHeader', 'Header of the token', name, 'Empty for "Authorization: Bearer".');
    }
    this.#values = new Map(
      inputs.map(({ id, label, isPassword }) => {
        const value = form.values.find(({ name }) => name === id)?.value ?? '';
        const options = { id: `values.${id}`, label: plainText(label), value, isPassword };
        return [id, new TextInput(options, fieldPort)] as const;
      }),
    );
    this.#signIn = new Map(
      signInFields.map(([name, label, hint]) => {
        const value = form.signIn.find((one) => one.name === name)?.value ?? '';
        return [name, new TextInput({ id: `signIn.${name}`, label, value, hint }, fieldPort)] as const;
      }),
    );
  }

  /** The form as it stands. */
  get form(): ServerForm {
    const text = (id: string): string => this.#texts.get(id)?.value ?? '';
    const { fields, form } = this.#shown;
    const typed = fields.map(({ name, kind }) => {
      const rows = this.#rows.get(name)?.texts ?? [];
      return [name, kind === 'text' ? text(name) : kind === 'named' ? rows : rows.map(({ value }) => value)];
    });
    return {
      ...form,
      // Each has the value that its kind says.
      ...(Object.fromEntries(typed) as Partial<ServerForm>),
      name: text('name'),
      place: this.#place,
      kept: this.#kept,
      values: Array.from(this.#values, ([name, field]): NamedText => ({ name, value: field.value })),
      signIn: form.signIn.map(({ name, value }) => ({ name, value: this.#signIn.get(name)?.value ?? value })),
      ...(this.#texts.has('token') && { token: { name: text('tokenHeader'), value: text('token') } }),
      ...(this.#chosen && { folders: this.#chosen }),
      inChat: this.#inChat,
    };
  }

  /** Takes what the host says of the form; true when another warning or the like may be shown. */
  take(view: FormView): boolean {
    const { warnings, variables, tells, folders, sharing, chat, workingDirectory } = view;
    const drawn = JSON.stringify([warnings, variables, tells, folders, sharing, chat, workingDirectory]);
    const isOther = drawn !== this.#drawn;
    this.#drawn = drawn;
    this.#view = view;
    this.#fields.forEach((field) => field.take(view));
    return isOther;
  }

  /** Says whether the server requires you to sign in; nothing if that is not known of the form as it stands. */
  saySignIn(words: string): void {
    this.#account = words;
    this.#port.refresh();
  }

  /** Goes to the first field with a problem; false when there is none. */
  goToProblem({ problems }: FormView): boolean {
    const details = document.querySelector<HTMLDetailsElement>('#sign-in');
    if (details && problems.some(({ field }) => field.startsWith('signIn.'))) {
      details.open = true;
    }
    const ids = [...this.#fields.map(({ id }) => id), 'place'];
    const first = ids.find((id) => problems.some(({ field }) => field === id));
    document.querySelector<HTMLElement>(`[id="field-${first}"]`)?.focus();
    return first !== undefined;
  }

  goToName(): void {
    const area = this.#texts.get('name')?.area;
    area?.focus();
    area?.select();
  }

  get #fields(): readonly TextInput[] {
    return [
      ...this.#texts.values(),
      ...[...this.#rows.values()].flatMap(({ fields }) => fields),
      ...this.#signIn.values(),
      ...this.#values.values(),
    ];
  }

  view(): Content {
    const { form, fields, notes } = this.#shown;
    const { warnings, notes: remarks, variables, tells } = this.#view;
    const unfolded = fields.filter(({ isFolded }) => !isFolded);
    const named = unfolded.filter(({ kind }) => kind === 'named');
    const others = unfolded.filter(({ kind }) => kind !== 'named');
    const hints = remarks.map((text) => html`<p class="hint">${shownText(text)}</p>`);
    const said = [warningNotes(warnings), hints];
    return html`<div class="form">
      ${notes.map((text) => note('changed', shownText(text)))} ${this.#field('name')}
      ${others.map(({ name }) => this.#field(name))} ${this.#field('token')} ${this.#field('tokenHeader')}
      ${named.map(({ name }) => this.#field(name))} ${this.#values.size > 0 ? this.#valueFields() : undefined}
      ${form.type === 'stdio' ? this.#foldedFields() : this.#signInFields()} ${this.#placeField()}
      <div>${this.#folders()}</div>
      <div>${this.#chat()}</div>
      <div>
        ${titledList('Its variables stand for', variables)} ${titledList('The launch also reveals', tells)}
      </div>
      <div class="notes" role="group" aria-label="Warnings">${said}</div>
    </div>`;
  }

  #field(name: string): Content {
    const below = name === 'url' && this.#shown.isNew ? this.#accountCheck() : undefined;
    return this.#texts.get(name)?.view(below) ?? this.#rows.get(name)?.view();
  }

  #accountCheck(): Content {
    const check = (): void => {
      this.saySignIn('Asking the server…');
      this.#port.checkSignIn();
    };
    return html`${linkButton('Ask Whether the Server Requires an Account', check)}
      <p class="hint" role="status">${this.#account}</p>`;
  }

  #valueFields(): Content {
    return html`<fieldset>
      <legend>Values that are asked for</legend>
      <p class="hint">
        Kept on this machine, never in the file. What stays empty is asked for at the first start.
      </p>
      ${Array.from(this.#values.values(), (field) => field.view())}
    </fieldset>`;
  }

  #foldedFields(): Content {
    const { fields, form } = this.#shown;
    const folded = fields.filter(({ isFolded }) => isFolded).map(({ name }) => name);
    const directory = html`<p class="hint">It runs in ${code(this.#view.workingDirectory)}</p>`;
    return html`<details ?open=${folded.some((name) => form[name] !== '')}>
      <summary>Working directory and file with variables</summary>
      ${folded.map((name) => [this.#field(name), name === 'cwd' ? directory : undefined])}
    </details>`;
  }

  #signInFields(): Content {
    const set = this.#shown.form.signIn.filter(({ value }) => value !== '').map(({ name }) => name);
    const others = set.filter((name) => !this.#signIn.has(name));
    const kept = html`<p class="hint">Kept as in the file, to change there: ${others.join(', ')}.</p>`;
    return html`<details id="sign-in" ?open=${set.length > 0}>
      <summary>Sign-in</summary>
      <p class="hint">Only if the documentation of the server tells you to enter something here.</p>
      ${Array.from(this.#signIn.values(), (field) => field.view())} ${others.length > 0 ? kept : undefined}
    </details>`;
  }

  #placeField(): Content {
    const { places, isNew } = this.#shown;
    const { problems, hints } = this.#view;
    const problem = problems.find(({ field }) => field === 'place')?.text ?? '';
    const hint = hints.find(({ field }) => field === 'place')?.text ?? '';
    const detail = places.find(({ place }) => place === this.#place)?.detail;
    const choose = ({ target }: Event): void => {
      this.#place = (target as HTMLSelectElement).value;
      this.#port.changed();
    };
    return html`<div class="field">
      <label for="field-place">Save in</label>
      <select
        id="field-place"
        aria-describedby="problem-place detail-place note-place"
        ?disabled=${!isNew}
        @change=${choose}
      >
        ${places.map(
          ({ place, label }) =>
            html`<option value=${place} .selected=${place === this.#place}>${label}</option>`,
        )}
      </select>
      <p class="hint" id="detail-place">${detail}</p>
      <p class="hint" id="note-place" ?hidden=${hint === ''}>${hint}</p>
      <p class="problem" id="problem-place" ?hidden=${problem === ''}>${problem}</p>
    </div>`;
  }

  #chat(): Content {
    return chatBox({ id: 'form', ...this.#view }, this.#inChat, (isChosen) => {
      this.#inChat = isChosen;
      this.#port.changed();
    });
  }

  #folders(): Content {
    const { folders, meaning, sharing } = this.#view;
    if (folders.length === 0) {
      return sharing
        ? html`<div>
            <p>${shownText(sharing)}</p>
            <p class="hint">${meaning}</p>
          </div>`
        : html`<p class="hint">No folder of the workspace can be shared with this server.</p>`;
    }
    const proposed = folders.filter(({ isProposed }) => isProposed).map(({ uri }) => uri);
    const offer = { id: 'form', folders, meaning };
    return folderBoxes(offer, 'Share with this server', this.#chosen ?? proposed, (chosen) => {
      this.#chosen = chosen;
      this.#port.changed();
    });
  }
}

function titledList(title: string, texts: readonly PanelText[]): Content {
  return texts.length > 0
    ? html`<h2>${title}</h2>
        <ul class="changes">
          ${texts.map((text) => html`<li>${shownText(text)}</li>`)}
        </ul>`
    : undefined;
}
