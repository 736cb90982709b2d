import type { Prompt, Resource, ResourceTemplateType, Tool } from '@modelcontextprotocol/client';
import { picked } from '../../base/values/record.ts';
import { frozenDeep } from '../../base/values/frozenDeep.ts';
import type { ServerId } from '../config/serverDefinition.ts';
import type { IsExposed } from './exposure.ts';
import type { HostItem, HostTool } from '../tools/hostTool.ts';
import { embeddedIcons } from '../tools/passedOn.ts';
import type { ItemKind, Standing } from '../tools/pinnedItem.ts';
import { withoutComments } from './pins/comparedSchema.ts';
import { listedItem, type ListedItem, type ServerItems } from './pins/itemFingerprint.ts';
import { isAsPinned, renamesIn, type ItemPin, type Listing, type Pins } from './pins/pins.ts';
import type { ResourceHashes } from './pins/resourcePins.ts';
import { allChanges, changesOf, type ChangedResource, type ServerChanges } from './pins/serverChanges.ts';

/** The decisions by which a server's tools are shown. */
export interface ToolsContext {
  readonly serverId: ServerId;
  readonly isExposed: IsExposed;
  readonly isTrusted: boolean;
  /** Whether tools that came after the first list are held back until you have seen them. */
  readonly holdsNew: boolean;
  /** Whether nobody can call the tool, because the server doesn't run it in the way in which it can run. */
  readonly lacksTasks: (tool: Tool) => boolean;
}

const unseen: Standing = { kind: 'unseen' };
const known: Standing = { kind: 'known' };
const fresh: Standing = { kind: 'new' };
const added: Standing = { kind: 'added' };

/** The items of a server's lists by what identifies them, each once: of those that share it, the first counts. */
export type NamedItems = { readonly [K in ItemKind]: ReadonlyMap<string, ServerItems[K]> };

export function byKey<T>(items: readonly T[], keyOf: (item: T) => string): ReadonlyMap<string, T> {
  const named = new Map<string, T>();
  for (const item of items) {
    const key = keyOf(item);
    if (!named.has(key)) {
      named.set(key, item);
    }
  }
  return named;
}

/** One tool compared with its pin; `renamed` is the pin under its former name. */
export function hostTool(tool: Tool, context: ToolsContext, pin?: ItemPin, renamed?: ItemPin): HostTool {
  const { serverId, isTrusted, holdsNew } = context;
  // Callers get this very object, and the next one gets the same.
  return frozenDeep({
    serverId,
    tool,
    offered: offeredTool(tool, isTrusted, pin),
    standing: standingOf(listedItem('tools', tool), holdsNew, pin, renamed),
    isExposed: context.isExposed(tool.name),
    ...(context.lacksTasks(tool) && { lacksTasks: true as const }),
  });
}

/**
 * A tool as a model gets it: annotations only where they are trusted, no icon that would be fetched, no
 * `_meta`, the approved texts where they vary, and schemas as compared. That it can run as a task is left out, because
 * this host runs the task.
 */
function offeredTool(
  { _meta, annotations, icons, execution: _execution, ...rest }: Tool,
  isTrusted: boolean,
  pin: ItemPin | undefined,
): Tool {
  const { title: _title, description: _description, ...untitled } = rest;
  return {
    ...untitled,
    inputSchema: withoutComments(untitled.inputSchema),
    ...(untitled.outputSchema && { outputSchema: withoutComments(untitled.outputSchema) }),
    ...textsOf(rest, pin),
    ...(isTrusted && annotations && { annotations }),
    ...embeddedIcons(icons),
  };
}

/** One prompt compared with its pin, as `hostTool`. */
export function hostPrompt(prompt: Prompt, pin?: ItemPin): HostItem<Prompt> {
  return frozenDeep({
    offered: {
      ...picked(prompt, 'name', 'arguments'),
      ...textsOf(prompt, pin),
      ...embeddedIcons(prompt.icons),
    },
    standing: standingOf(listedItem('prompts', prompt), true, pin),
  });
}

/** One resource template compared with its pin, as `hostTool`. */
export function hostTemplate(template: ResourceTemplateType, pin?: ItemPin): HostItem<ResourceTemplateType> {
  return frozenDeep({
    offered: {
      ...picked(template, 'uriTemplate', 'name', 'mimeType'),
      ...textsOf(template, pin),
      ...soundAnnotations(template),
      ...embeddedIcons(template.icons),
    },
    standing: standingOf(listedItem('templates', template), true, pin),
  });
}

/** A resource as a model gets it: its URI alone where its texts are not as pinned. */
function offeredResource(resource: Resource, isAsPinned: boolean): Resource {
  const { uri, icons } = resource;
  return isAsPinned
    ? {
        ...picked(resource, 'uri', 'name', 'title', 'description', 'mimeType', 'size'),
        ...soundAnnotations(resource),
        ...embeddedIcons(icons),
      }
    : { uri, name: uri };
}

/** The approved texts where they vary. */
function textsOf(
  item: Pick<Tool, 'title' | 'description'>,
  pin: ItemPin | undefined,
): Pick<Tool, 'title' | 'description'> {
  return picked(pin?.varies ? pin.item : item, 'title', 'description');
}

/** Words, numbers and times, but no text of the server's choice. */
function soundAnnotations({ annotations }: Pick<Resource, 'annotations'>): Pick<Resource, 'annotations'> {
  return annotations ? { annotations: picked(annotations, 'audience', 'priority', 'lastModified') } : {};
}

function standingOf(
  listed: ListedItem | undefined,
  holdsNew: boolean,
  pin?: ItemPin,
  renamed?: ItemPin,
): Standing {
  if (listed && pin) {
    // Never approved, whether or not it has changed since.
    if (pin.isNew && holdsNew) {
      return added;
    }
    if (isAsPinned(listed, pin)) {
      return pin.isNew ? fresh : known;
    }
    return { kind: 'changed', before: pin.item };
  }
  return listed && renamed
    ? { kind: 'changed', before: renamed.item, renamedFrom: renamed.item.name }
    : unseen;
}

/** What one server lists, compared with what is pinned. */
export interface ServerView {
  readonly tools: readonly HostTool[];
  readonly named: ReadonlyMap<string, HostTool>;
  readonly prompts: ReadonlyMap<string, HostItem<Prompt>>;
  readonly templates: ReadonlyMap<string, HostItem<ResourceTemplateType>>;
  readonly resources: readonly Resource[];
  readonly changes: ServerChanges | undefined;
}

/** What a view is made of. */
export interface ViewSource {
  readonly named: NamedItems;
  /** By `resourceKey`. */
  readonly resources: ReadonlyMap<string, Resource>;
  readonly listing: Listing;
  readonly pins: Pins;
}

/** @param before the view of before: its lists for which `isSame` stay the same objects. */
export function serverView(
  { named, resources: listed, listing, pins }: ViewSource,
  context: ToolsContext,
  before?: ServerView,
  isSame: (list: ItemKind | 'resources') => boolean = () => false,
): ServerView {
  const renames = renamesIn(listing.tools ?? new Map(), pins);
  const tools =
    before && isSame('tools')
      ? before.tools
      : Object.freeze(
          [...named.tools.values()].map((tool) =>
            hostTool(tool, context, pins.tools?.get(tool.name), renames.get(tool.name)),
          ),
        );
  const prompts =
    before && isSame('prompts')
      ? before.prompts
      : mapped(named.prompts, (prompt, key) => hostPrompt(prompt, pins.prompts?.get(key)));
  const templates =
    before && isSame('templates')
      ? before.templates
      : mapped(named.templates, (template, key) => hostTemplate(template, pins.templates?.get(key)));
  const resources =
    before && isSame('resources')
      ? before.resources
      : [...listed].map(([key, resource]) =>
          offeredResource(resource, listing.resources?.get(key) === pins.resources?.get(key)),
        );
  const changes = allChanges(
    context.serverId,
    {
      tools: changesOf(
        tools.map(({ tool, standing }) => [tool.name, standing]),
        listing.tools,
        pins.tools,
      ),
      prompts: changesOf(standingsOf(prompts), listing.prompts, pins.prompts),
      templates: changesOf(standingsOf(templates), listing.templates, pins.templates),
      resources: changedResources(listed, listing.resources, pins.resources),
    },
    listing,
    pins,
  );
  return {
    tools,
    named: new Map(tools.map((one) => [one.tool.name, one])),
    prompts,
    templates,
    resources,
    changes: frozenDeep(changes),
  };
}

function mapped<T, R>(
  items: ReadonlyMap<string, T>,
  make: (item: T, key: string) => R,
): ReadonlyMap<string, R> {
  return new Map([...items].map(([key, item]) => [key, make(item, key)]));
}

function standingsOf(
  items: ReadonlyMap<string, HostItem<unknown>>,
): readonly (readonly [string, Standing])[] {
  return [...items].map(([key, { standing }]) => [key, standing]);
}

function changedResources(
  named: ReadonlyMap<string, Resource>,
  listed: ResourceHashes | undefined,
  pinned: ResourceHashes | undefined,
): readonly ChangedResource[] {
  return [...(listed ?? [])].flatMap(([key, now]) => {
    const [before, resource] = [pinned?.get(key), named.get(key)];
    if (!resource || before === undefined || before === now) {
      return [];
    }
    const { uri, name, title, description, mimeType } = resource;
    return { uri, key, before, now, texts: { name, title, description, mimeType } };
  });
}
