import { isAbsolute } from 'node:path';
import { canonicalJson } from '../../base/values/canonicalJson.ts';
import type { Disposable } from '../../base/lifetime/disposable.ts';
import { visibleParts } from '../../base/text/visibleText.ts';
import { isEditable, pathWith, withFolderInPath } from '../../host/config/edit/changeServer.ts';
import { fileKindOf } from '../../host/config/edit/serversFile.ts';
import { definitionIn, withDefinition, withoutLaunch } from '../../host/config/edit/withDefinition.ts';
import { variableText } from '../../host/config/variables.ts';
import { takenNames, withServer } from '../../host/config/edit/withServer.ts';
import { serverFormOf, readForm, type ServerForm } from '../../host/config/form/serverForm.ts';
import {
  isInUserSettings,
  type AnyLaunch,
  type DefinitionOrigin,
  type ServerDefinition,
} from '../../host/config/serverDefinition.ts';
import { settingsNow } from '../workspace/configuration.ts';
import { askServer } from '../review/serverPanel.ts';
import { placeText } from '../messages/words.ts';
import { reportingError } from '../messages/notifications.ts';
import { checked, freeName, saveShown, type AddServerDependencies, type Placed } from './addServer.ts';
import { registerCommands } from '../commands/commands.ts';
import { onServer } from '../commands/onServer.ts';
import { editDefinitions } from './editDefinitions.ts';
import { openDefinition } from '../documents/openDefinition.ts';
import { fileText, namesTaken, saveTargets, type SaveTarget } from './saveTargets.ts';

/** Registers "Edit Server" and "Duplicate Server", which open the page of "Add Server" with a definition. */
export function registerEditServer(dependencies: AddServerDependencies): Disposable {
  const on = (
    placeholder: string,
    ask: (definition: ServerDefinition, dependencies: AddServerDependencies) => Promise<void>,
  ): ReturnType<typeof onServer> =>
    onServer(dependencies.host, {
      placeholder,
      accepts: ({ connection }) => isEditable(connection.definition.origin),
      run: ({ connection: { definition } }) =>
        reportingError(`Server '${definition.name}' could not be opened for editing`, () =>
          ask(definition, dependencies),
        ),
    });
  return registerCommands({
    editServer: on('Select a server to edit', editServer),
    duplicateServer: on('Select a server to duplicate', duplicateServer),
    usePath: async (id, folder) => {
      const { definition } = dependencies.host.server(id)?.connection ?? {};
      if (definition && isEditable(definition.origin)) {
        await reportingError(`Server '${definition.name}' could not be changed`, () =>
          usePath(folder, definition, dependencies),
        );
      }
    },
  });
}

/** Changes a definition in its place in its file. */
async function editServer(definition: ServerDefinition, dependencies: AddServerDependencies): Promise<void> {
  const { origin, name, inputs } = definition;
  const where = fileKindOf(origin);
  const target: SaveTarget = { origin, where, label: placeText(origin), detail: '' };
  const before = await writtenNow(definition);
  const frame = {
    title: visibleParts(`Edit the MCP Server '${name}'`),
    isNew: false,
    places: [{ place: origin.place, label: target.label, detail: '' }],
    inputs: [],
    notes: [],
    leave: 'Cancel',
  };
  const end = await askServer<Placed>(dependencies, `Edit ${name}`, frame, formAsWritten(name, definition), {
    check: async (form) => {
      const taken = await namesTaken(target);
      const servers = new Set([...taken.servers].filter((one) => one !== name));
      const reading = readForm({ ...form, name }, inputs, {
        where,
        scope: origin.scope,
        taken: { ...taken, servers },
      });
      return checked(form, reading, reading.draft, target, dependencies.host, definition);
    },
    save: (what) =>
      saveShown(what, dependencies, (text, kind, draft) => {
        if (canonicalJson(definitionIn(text, kind, name)) !== canonicalJson(before)) {
          throw new Error('its definition has changed since you opened this page. Open the page again.');
        }
        return withDefinition(text, kind, draft);
      }),
  });
  if (end === 'failed') {
    await openDefinition(origin, name);
  }
}

/**
 * Puts a folder first in the PATH of a server of yours. A server of the workspace stays as it is for everyone else: a copy
 * for your settings opens on the page, which says what is different.
 */
async function usePath(
  folder: string,
  definition: ServerDefinition,
  dependencies: AddServerDependencies,
): Promise<void> {
  const { origin, name } = definition;
  await (isInUserSettings(origin)
    ? editDefinitions(origin, dependencies.userSettings, (text) =>
        withFolderInPath(text, fileKindOf(origin), name, folder),
      )
    : duplicateServer(definition, dependencies, folder));
}

/**
 * Adds a copy of a definition under a free name, including what the page does not show.
 *
 * @param folder comes first in the PATH of the copy, which is proposed for your settings.
 */
async function duplicateServer(
  definition: ServerDefinition,
  dependencies: AddServerDependencies,
  folder?: string,
): Promise<void> {
  const { origin, name, inputs } = definition;
  const targets = saveTargets();
  const same = targets.find((one) => one.origin.place === origin.place);
  const first = (folder === undefined ? same : undefined) ?? targets[0];
  if (!first) {
    return;
  }
  const source = { origin };
  const { servers } = await namesTaken(first);
  const free = freeName({ name: folder !== undefined || servers.has(name) ? name : `${name}-copy` }, servers);
  const frame = {
    title: visibleParts(`Duplicate the MCP Server '${name}'`),
    isNew: true,
    places: targets.map((one) => ({ place: one.origin.place, label: one.label, detail: one.detail })),
    inputs: [],
    notes: folder === undefined ? [] : [visibleParts(differenceText(folder, origin))],
    leave: 'Cancel',
  };
  const written = formAsWritten(free, definition, first.origin.place);
  const form = folder === undefined ? written : forYourSettings(written, origin, folder);
  const end = await askServer<Placed>(dependencies, `Duplicate ${name}`, frame, form, {
    check: async (now) => {
      const target = targets.find((one) => one.origin.place === now.place) ?? first;
      const { where, origin: to } = target;
      const reading = readForm(now, inputs, { where, scope: to.scope, taken: await namesTaken(target) });
      return checked(now, reading, reading.draft, target, dependencies.host, definition);
    },
    save: async (what) => {
      const { target } = what.draft;
      const isSamePlace = target.origin.place === origin.place;
      const elsewhere = isSamePlace ? undefined : await fileText(source, dependencies.userSettings);
      await saveShown(what, dependencies, (text, kind, draft) => {
        const written = definitionIn(elsewhere ?? text, fileKindOf(origin), name) ?? {};
        const { disabled: _, ...others } = withoutLaunch(written);
        const declared = isSamePlace ? takenNames(text, kind).inputs : new Set<string>();
        const copy = { ...draft, inputs: draft.inputs.filter(({ id }) => !declared.has(id)) };
        return withServer(text, kind, copy, what.start ? others : { ...others, autoStart: false });
      });
    },
  });
  if (end === 'failed') {
    await openDefinition(origin, name);
  }
}

/** Everything as it is written: examples and secrets stay in a definition that exists. */
function formAsWritten(name: string, definition: ServerDefinition, place?: string): ServerForm {
  const form = serverFormOf(name, place ?? definition.origin.place, definition);
  const { env = {}, headers = {} }: AnyLaunch = definition;
  const written = { ...form, env: namedTexts(env), headers: namedTexts(headers) };
  const { secrets } = readForm(written, definition.inputs, {
    where: 'settings',
    scope: definition.origin.scope,
    taken: nothingTaken,
  });
  return { ...written, kept: Object.fromEntries(secrets.map(({ key }) => [key, false])) };
}

function differenceText(folder: string, origin: DefinitionOrigin): string {
  const [from, why] = [placeText(origin), 'because paths in your settings begin in your home directory'];
  return `Different from the definition in ${from}: PATH begins with ${folder}, and the working directory is written out, ${why}. The copy runs instead of that definition.`;
}

/** The same for your settings, with a folder first in its PATH. It starts where it would have started. */
function forYourSettings(form: ServerForm, { folder: own }: DefinitionOrigin, folder: string): ServerForm {
  const { value } = form.env.find(({ name }) => name === 'PATH') ?? {};
  const path = { name: 'PATH', value: pathWith(folder, value, 'settings') };
  const base = variableText({ kind: 'workspaceFolder', ...(own && { name: own.name }) }, 'settings');
  const { cwd } = form;
  const isWhole = isAbsolute(cwd) || cwd.startsWith('${');
  return {
    ...form,
    cwd: isWhole ? cwd : [base, cwd].filter(Boolean).join('/'),
    env: [...form.env.filter(({ name }) => name !== 'PATH'), path],
  };
}

const nothingTaken = { servers: new Set<string>(), inputs: new Set<string>() };

function namedTexts(record: Readonly<Record<string, string>>): ServerForm['env'] {
  return Object.entries(record).map(([name, value]) => ({ name, value }));
}

/** The definition that the page was made from, to see later whether it has changed. */
async function writtenNow({ origin, name }: ServerDefinition): Promise<unknown> {
  if (origin.format === 'mcpJson') {
    return definitionIn(await fileText({ origin }), 'mcpJson', name);
  }
  const { servers } = settingsNow(origin);
  return (servers as Readonly<Record<string, unknown>> | undefined)?.[name];
}
