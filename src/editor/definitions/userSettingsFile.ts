import * as vscode from 'vscode';
import { isAppliedFile } from '../../host/config/edit/appliedSettings.ts';
import { settingNodes, settingsIn } from '../../host/config/edit/withServer.ts';
import type { DefinitionOrigin } from '../../host/config/serverDefinition.ts';
import { settingsNow, userSettingsPlace } from '../workspace/configuration.ts';
import { isTakenUp } from './isTakenUp.ts';

const origin: DefinitionOrigin = { scope: 'user', format: 'settings', place: userSettingsPlace };

/** How editors address the files of the user: the editor itself, and code-server, without an authority. */
const schemes = ['vscode-userdata', 'vscode-remote'];
/** More profiles than a user has. */
const MAX_PROFILES = 50;

/** A file that may be that of the user's settings. */
interface SettingsFile {
  readonly uri: vscode.Uri;
  readonly text: string;
  /** The editor has shown it as that file, in this profile. */
  readonly isKnown: boolean;
}

/** A change of the settings that is done, and saved unless they had unsaved changes. */
export interface Edited {
  readonly text: string;
  readonly isSaved: boolean;
}

export type TextChange = (text: string) => string | Promise<string>;

/**
 * The file of the user's settings, changed without showing it: the editor's command shows it over the whole window. No
 * stable API gives its path. A guess counts only if all that is in the file is what the editor has applied; and an edit that
 * the editor doesn't apply is taken back.
 */
export class UserSettingsFile {
  readonly #globalStorage: vscode.Uri;
  readonly #state: vscode.Memento;

  /** `globalStorage` is a folder below that of the user; `state` belongs to one profile, as the settings do. */
  constructor(globalStorage: vscode.Uri, state: vscode.Memento) {
    this.#globalStorage = globalStorage;
    this.#state = state;
  }

  /** The text; undefined if the file isn't known. */
  async text(): Promise<string | undefined> {
    return theOne(await this.#files())?.text;
  }

  /** Remembers where the editor's command has found the file. */
  async remember({ path }: vscode.Uri): Promise<void> {
    if (this.#state.get(keyOfPath()) !== path) {
      await this.#state.update(keyOfPath(), path);
    }
  }

  /**
   * Changes and saves the settings; undefined if that is not possible here, and nothing has changed then.
   *
   * @throws what `change` throws.
   */
  async edit(change: TextChange): Promise<Edited | undefined> {
    const files = await this.#files();
    const file = theOne(files);
    if (file) {
      const edited = await replace(file, change);
      if (edited) {
        return edited;
      }
    }
    return hasValue(settingsNow(origin)) || files.some(mayHaveValue) ? undefined : setValues(change);
  }

  /** The one that the editor has shown in this profile; otherwise those of all profiles. */
  async #files(): Promise<readonly SettingsFile[]> {
    const path = this.#state.get<string>(keyOfPath());
    const known = path === undefined ? [] : await filesAt([path], true);
    if (known.length > 0) {
      return known;
    }
    const user = vscode.Uri.joinPath(this.#globalStorage, '..', '..');
    const profiles = vscode.Uri.joinPath(user, 'profiles');
    const folders = [
      '/User',
      user.path,
      ...(await namesIn(profiles)).map((name) => `${profiles.path}/${name}`),
    ];
    return filesAt(
      folders.map((folder) => `${folder}/settings.json`),
      false,
    );
  }
}

/** The remembered path holds for this kind of remote: elsewhere the same profile may be in another place. */
function keyOfPath(): string {
  return `userSettings.path ${vscode.env.appHost} ${vscode.env.remoteName ?? ''}`;
}

async function filesAt(paths: readonly string[], isKnown: boolean): Promise<readonly SettingsFile[]> {
  const uris = paths.flatMap((path) => schemes.map((scheme) => vscode.Uri.from({ scheme, path })));
  const files = await Promise.all(
    uris.map(async (uri) => {
      const text = await textAt(uri);
      return text === undefined ? [] : [{ uri, text, isKnown }];
    }),
  );
  return files.flat();
}

/** The one file that has what the editor has applied. */
function theOne(files: readonly SettingsFile[]): SettingsFile | undefined {
  const configuration = vscode.workspace.getConfiguration();
  const [file, ...others] = files.filter(({ text, isKnown }) => {
    // A remote window leaves out settings of this machine.
    const canLack = isKnown && vscode.env.remoteName !== undefined;
    return isAppliedFile(text, (name) => configuration.inspect(name)?.globalValue, canLack);
  });
  return others.length === 0 ? file : undefined;
}

/** The editor may not have applied yet what another window has written. */
function mayHaveValue({ text }: SettingsFile): boolean {
  try {
    return hasValue(settingNodes(text, 'settings'));
  } catch {
    return true; // not valid JSON
  }
}

function hasValue({ servers, inputs }: { readonly servers: unknown; readonly inputs: unknown }): boolean {
  return servers !== undefined || inputs !== undefined;
}

async function textAt(uri: vscode.Uri): Promise<string | undefined> {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(
      await vscode.workspace.fs.readFile(uri),
    );
  } catch {
    return undefined;
  }
}

async function namesIn(folder: vscode.Uri): Promise<readonly string[]> {
  const read = async (scheme: string): Promise<readonly (readonly [string, vscode.FileType])[]> =>
    vscode.workspace.fs.readDirectory(folder.with({ scheme, authority: '' })).then(undefined, () => []);
  const entries = (await Promise.all(schemes.map(read))).flat();
  return [...new Set(entries.map(([name]) => name))].slice(0, MAX_PROFILES);
}

/** Sets the values by the editor, where there are none: nothing of ours can be lost. */
async function setValues(change: TextChange): Promise<Edited | undefined> {
  const text = await change('');
  const { servers, inputs } = settingsIn(text, 'settings');
  const configuration = vscode.workspace.getConfiguration('mcpHost');
  try {
    for (const [name, value] of Object.entries({ inputs, servers })) {
      if (value !== undefined) {
        await configuration.update(name, value, vscode.ConfigurationTarget.Global);
      }
    }
  } catch {
    // The file has unsaved changes or a mistake: where it is shown, the editor can report that.
    return undefined;
  }
  return { text, isSaved: true };
}

async function replace({ uri, text: before }: SettingsFile, change: TextChange): Promise<Edited | undefined> {
  // A document that is open might have unsaved changes, or not follow its file.
  const isOpen = (): boolean => vscode.workspace.textDocuments.some((one) => one.uri.path === uri.path);
  if (isOpen()) {
    return undefined;
  }
  const text = await change(before);
  if ((await textAt(uri)) !== before || isOpen()) {
    throw new Error('The file has just changed. Try again.');
  }
  await write(uri, text);
  if (await isTakenUp(origin, text)) {
    return { text, isSaved: true };
  }
  if ((await textAt(uri)) === text) {
    await write(uri, before);
  }
  return undefined;
}

/** Not by a document: an extension's edits of one reach another address of it than the one that the editor reads. */
async function write(uri: vscode.Uri, text: string): Promise<void> {
  await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode(text));
}
