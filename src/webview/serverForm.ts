import { render } from 'lit';
import type { PanelText } from '../host/questions/panelText.ts';
import type { FormView, ShowForm } from '../host/review/formProtocol.ts';
import type { NamedText, ServerForm } from '../host/config/form/serverForm.ts';
import { element, hide, note, shownText } from './dom.ts';
import { chatBox } from './chatChoice.ts';
import { folderBoxes } from './folderChoice.ts';
import { sharingOf } from './launchCard.ts';
import { TextField } from './textField.ts';
import { TextRows } from './textRows.ts';

/** What the form needs of the page around it. */
export interface FormPort {
  /** Something was changed. */
  changed(): void;
  say(words: string): void;
  /** Asks the server of the form as it stands whether it requires you to sign in. */
  checkSignIn(): void;
}

type Single = 'name' | 'command' | 'url' | 'cwd' | 'envFile' | 'token' | 'tokenHeader';

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
  readonly node: HTMLElement;
  readonly #shown: ShowForm;
  readonly #port: FormPort;
  readonly #single: ReadonlyMap<Single, TextField>;
  readonly #args: TextRows;
  readonly #named: TextRows;
  readonly #signIn: ReadonlyMap<string, TextField>;
  readonly #values: readonly (readonly [id: string, field: TextField])[];
  readonly #place = element('select', {
    id: 'field-place',
    'aria-describedby': 'problem-place detail-place note-place',
  });
  readonly #placeDetail = element('p', { class: 'hint', id: 'detail-place' });
  readonly #placeNote = element('p', { class: 'hint', id: 'note-place' });
  readonly #placeProblem = element('p', { class: 'problem', id: 'problem-place' });
  readonly #directory = element('p', { class: 'hint' });
  readonly #signInSection = element('details');
  /** Whether the server requires you to sign in. */
  readonly #account = element('p', { class: 'hint', role: 'status' });
  readonly #folders = element('div');
  readonly #chat = element('div');
  readonly #warnings = element('div', { class: 'notes', role: 'group', 'aria-label': 'Warnings' });
  readonly #tells = element('div');
  #kept: Readonly<Record<string, boolean>>;
  #chosen: readonly string[] | undefined;
  #inChat: boolean;
  /** What was drawn last of the parts that are drawn as a whole. */
  #drawn = '';

  constructor(shown: ShowForm, port: FormPort) {
    const { form, inputs, isNew } = shown;
    this.#shown = shown;
    this.#port = port;
    this.#kept = form.kept;
    this.#chosen = form.folders;
    this.#inChat = form.inChat === true;
    const isProcess = form.type === 'stdio';
    const valueOf = (id: Single): string => {
      const { name: tokenHeader = '', value: token = '' } = form.token ?? {};
      return id === 'token' ? token : id === 'tokenHeader' ? tokenHeader : form[id];
    };
    const field = (id: Single, label: string, hint?: string): readonly [Single, TextField] => [
      id,
      new TextField(
        { id, label, value: valueOf(id), ...(hint !== undefined && { hint }), changed: () => port.changed() },
        this.#keep,
      ),
    ];
    this.#single = new Map<Single, TextField>([
      field('name', 'Name'),
      ...(isProcess
        ? [
            field('command', 'Command', 'The program that starts the server. No shell is involved.'),
            field('cwd', 'Working directory'),
            field('envFile', 'File with environment variables'),
          ]
        : [
            field(
              'url',
              'Address',
              isNew ? 'If the server requires an account, you sign in after you save it.' : undefined,
            ),
            ...(isNew
              ? [
                  field(
                    'token',
                    'Token',
                    'Such as an API key, if the server wants one. Kept encrypted, never in the file.',
                  ),
                  field('tokenHeader', 'Header of the token', 'Empty for "Authorization: Bearer".'),
                ]
              : []),
          ]),
    ]);
    this.#single.get('token')?.mask();
    const rows = { changed: () => port.changed(), keep: this.#keep, say: (words: string) => port.say(words) };
    this.#args = new TextRows(
      {
        ...rows,
        part: 'args',
        title: 'Arguments',
        one: 'Argument',
        hint: 'One each, without quotes. Enter adds one, Alt+Up and Alt+Down move it.',
        isNamed: false,
      },
      form.args.map((value) => ({ name: '', value })),
    );
    this.#named = new TextRows(
      {
        ...rows,
        part: isProcess ? 'env' : 'headers',
        title: isProcess ? 'Environment variables' : 'Headers',
        one: isProcess ? 'Variable' : 'Header',
        hint: isProcess
          ? 'Only these, and a few that every program needs, reach the server.'
          : 'Sent with every request.',
        isNamed: true,
      },
      isProcess ? form.env : form.headers,
    );
    this.#values = inputs.map(({ id, label, isPassword }) => {
      const value = form.values.find(({ name }) => name === id)?.value ?? '';
      const words = label.map(({ text }) => text).join('');
      const made = new TextField(
        { id: `values.${id}`, label: words, value, changed: () => port.changed() },
        this.#keep,
      );
      if (isPassword) {
        made.mask();
      }
      return [id, made] as const;
    });
    this.#signIn = new Map(
      signInFields.map(([name, label, hint]) => {
        const value = form.signIn.find((one) => one.name === name)?.value ?? '';
        const options = { id: `signIn.${name}`, label, value, changed: () => port.changed() };
        return [
          name,
          new TextField({ ...options, ...(hint !== undefined && { hint }) }, this.#keep),
        ] as const;
      }),
    );
    this.#single.get('name')?.area.toggleAttribute('readonly', !isNew);
    if (isNew) {
      this.#single.get('url')?.node.append(...this.#accountCheck());
    }
    this.node = element('div', { class: 'form' }, ...this.#sections(isProcess));
  }

  /** The form as it stands. */
  get form(): ServerForm {
    const text = (id: Single): string => this.#single.get(id)?.value ?? '';
    const { type, env, headers, signIn } = this.#shown.form;
    const named = this.#named.texts;
    const values = this.#values.map(([name, field]): NamedText => ({ name, value: field.value }));
    return {
      type,
      name: text('name'),
      place: this.#place.value,
      kept: this.#kept,
      values,
      command: text('command'),
      cwd: text('cwd'),
      envFile: text('envFile'),
      url: text('url'),
      signIn: signIn.map(({ name, value }) => ({ name, value: this.#signIn.get(name)?.value ?? value })),
      args: this.#args.texts.map(({ value }) => value),
      env: type === 'stdio' ? named : env,
      headers: type === 'stdio' ? headers : named,
      ...(this.#single.has('token') && { token: { name: text('tokenHeader'), value: text('token') } }),
      ...(this.#chosen && { folders: this.#chosen }),
      ...(this.#inChat && { inChat: true }),
    };
  }

  /** Says what the host says of the form; true when something may have moved. */
  take(view: FormView): boolean {
    const { problems, hints, unseen, secrets } = view;
    const moved = this.#fields.map((field) => field.say(problems, hints, unseen, secrets));
    const problem = problems.find(({ field }) => field === 'place')?.text ?? '';
    this.#placeProblem.textContent = problem;
    hide(this.#placeProblem, problem === '');
    const note = hints.find(({ field }) => field === 'place')?.text ?? '';
    this.#placeNote.textContent = note;
    hide(this.#placeNote, note === '');
    const drawn = JSON.stringify([
      view.warnings,
      view.variables,
      view.tells,
      view.folders,
      view.sharing,
      view.chat,
      view.workingDirectory,
    ]);
    if (drawn !== this.#drawn) {
      this.#drawn = drawn;
      this.#draw(view);
      return true;
    }
    return moved.includes(true);
  }

  /** Says whether the server requires you to sign in; nothing if that is not known of the form as it stands. */
  saySignIn(words: string): void {
    this.#account.textContent = words;
  }

  /** Goes to the first field with a problem; false when there is none. */
  goToProblem({ problems }: FormView): boolean {
    if (problems.some(({ field }) => field.startsWith('signIn.'))) {
      this.#signInSection.open = true;
    }
    const fields = [
      ...this.#fields.map(({ id, area }) => ({ id, area })),
      { id: 'place', area: this.#place },
    ];
    const first = fields.find(({ id }) => problems.some(({ field }) => field === id));
    first?.area.focus();
    return first !== undefined;
  }

  goToName(): void {
    const area = this.#single.get('name')?.area;
    area?.focus();
    area?.select();
  }

  get #fields(): readonly TextField[] {
    return [
      ...this.#single.values(),
      ...this.#args.fields,
      ...this.#named.fields,
      ...this.#signIn.values(),
      ...this.#values.map(([, field]) => field),
    ];
  }

  #showPlaceDetail(): void {
    const chosen = this.#shown.places.find(({ place }) => place === this.#place.value);
    this.#placeDetail.textContent = chosen?.detail ?? '';
  }

  readonly #keep = (key: string, isKept: boolean): void => {
    this.#kept = { ...this.#kept, [key]: isKept };
    this.#port.changed();
  };

  #sections(isProcess: boolean): readonly Node[] {
    const { places, form, isNew, notes } = this.#shown;
    const node = (id: Single): Node => this.#single.get(id)?.node ?? element('div');
    this.#place.append(
      ...places.map(({ place, label }) => {
        const option = element('option', { value: place }, label);
        option.selected = place === form.place;
        return option;
      }),
    );
    this.#place.disabled = !isNew;
    this.#showPlaceDetail();
    this.#place.addEventListener('change', () => {
      this.#showPlaceDetail();
      this.#port.changed();
    });
    const more = element(
      'details',
      form.cwd !== '' || form.envFile !== '' ? { open: '' } : {},
      element('summary', {}, 'Working directory and file with variables'),
      node('cwd'),
      this.#directory,
      node('envFile'),
    );
    const values = element(
      'fieldset',
      {},
      element('legend', {}, 'Values that are asked for'),
      element(
        'p',
        { class: 'hint' },
        'Kept on this machine, never in the file. What stays empty is asked for at the first start.',
      ),
      ...this.#values.map(([, field]) => field.node),
    );
    return [
      ...notes.map((text) => note('changed', shownText(text))),
      node('name'),
      ...(isProcess
        ? [node('command'), this.#args.node]
        : [node('url'), ...(isNew ? [node('token'), node('tokenHeader')] : [])]),
      this.#named.node,
      ...(this.#values.length > 0 ? [values] : []),
      ...(isProcess ? [more] : [this.#fillSignIn()]),
      element(
        'div',
        { class: 'field' },
        element('label', { for: 'field-place' }, 'Save in'),
        this.#place,
        this.#placeDetail,
        this.#placeNote,
        this.#placeProblem,
      ),
      this.#folders,
      this.#chat,
      this.#tells,
      this.#warnings,
    ];
  }

  #accountCheck(): readonly Node[] {
    const label = 'Ask Whether the Server Requires an Account';
    const check = element('button', { class: 'fold', type: 'button' }, label);
    check.addEventListener('click', () => {
      this.saySignIn('Asking the server…');
      this.#port.checkSignIn();
    });
    return [check, this.#account];
  }

  #fillSignIn(): Node {
    const { signIn } = this.#shown.form;
    const set = signIn.filter(({ value }) => value !== '').map(({ name }) => name);
    const others = set.filter((name) => !this.#signIn.has(name));
    this.#signInSection.open = set.length > 0;
    this.#signInSection.append(
      element('summary', {}, 'Sign-in'),
      element(
        'p',
        { class: 'hint' },
        'Only if the documentation of the server tells you to enter something here.',
      ),
      ...[...this.#signIn.values()].map(({ node }) => node),
      ...(others.length > 0
        ? [element('p', { class: 'hint' }, `Kept as in the file, to change there: ${others.join(', ')}.`)]
        : []),
    );
    return this.#signInSection;
  }

  #draw(view: FormView): void {
    const { warnings, notes, variables, tells, workingDirectory } = view;
    this.#warnings.replaceChildren(
      ...warnings.map((text) => note('warning', ['Warning: ', ...shownText(text)])),
      ...notes.map((text) => element('p', { class: 'hint' }, ...shownText(text))),
    );
    this.#directory.replaceChildren('It runs in ', element('code', {}, ...shownText(workingDirectory)));
    this.#tells.replaceChildren(
      ...titledList('Its variables stand for', variables),
      ...titledList('The launch also reveals', tells),
    );
    render(
      chatBox({ id: 'form', ...view }, this.#inChat, (isChosen) => {
        this.#inChat = isChosen;
        this.#port.changed();
        this.#draw(view);
      }),
      this.#chat,
    );
    this.#drawFolders(view);
  }

  #drawFolders(view: FormView): void {
    const { folders, meaning } = view;
    const proposed = folders.filter(({ isProposed }) => isProposed).map(({ uri }) => uri);
    const keep = (chosen: readonly string[]): void => {
      this.#chosen = chosen;
      this.#port.changed();
      this.#drawFolders(view);
    };
    render(
      folders.length === 0
        ? sharingOf(view)
        : folderBoxes(
            { id: 'form', folders, meaning },
            'Share with this server',
            this.#chosen ?? proposed,
            keep,
          ),
      this.#folders,
    );
  }
}

function titledList(title: string, texts: readonly PanelText[]): readonly Node[] {
  const items = texts.map((text) => element('li', {}, ...shownText(text)));
  return texts.length === 0 ? [] : [element('h2', {}, title), element('ul', { class: 'changes' }, ...items)];
}
