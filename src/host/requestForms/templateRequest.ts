import type { ResourceTemplateType } from '@modelcontextprotocol/client';
import { visibleText } from '../../base/text/visibleText.ts';
import { cutTo } from '../../base/text/words.ts';
import type { CompletingServer } from '../completion/argumentCompleter.ts';
import { messageOf } from '../errors/hostError.ts';
import type { Expansion, TemplateVariable, UriTemplate } from '../resources/uriTemplate.ts';
import type { ListedRequest, RequestOutcome } from './requestFormPort.ts';
import type { SentArguments } from './sentArguments.ts';
import { takesTexts, textsIn } from './textArguments.ts';

/** Characters of a URI in a sentence. */
const MAX_URI = 300;

/** A template for its form: a text for each variable (server/resources). */
export function listedTemplate(
  listed: ResourceTemplateType,
  template: UriTemplate,
  of: Pick<ListedRequest, 'server' | 'logger' | 'schemas'>,
  completing: CompletingServer,
): ListedRequest {
  const { variables } = template;
  const optional = variables.filter(({ isRequired }) => !isRequired).map(({ name }) => [name, '']);
  return {
    ...of,
    listed: { ...listed, title: listed.title?.trim() || listed.name },
    takes: takesTexts(
      template.text,
      variables.map((variable) => ({ ...variable, description: hintFor(variable) })),
    ),
    completing: { server: completing, ref: { type: 'ref/resource', uri: template.text } },
    preview: (texts) => template.preview(Object.fromEntries([...optional, ...texts])),
  };
}

/** The URI that what is entered gives. */
export function expansionOf(template: UriTemplate, { args }: Pick<SentArguments, 'args'>): Expansion {
  return template.expand(textsIn(args));
}

/** Why a resource was not opened, as a sentence. */
export function openFailure(server: string, expansion: Expansion, error: unknown): string {
  return expansion.kind === 'problem'
    ? `Server '${server}' can't be asked for it: ${expansion.message}`
    : `Server '${server}' could not read ${shortUri(expansion.uri)}: ${messageOf(error)}`;
}

/** A resource that was opened in a tab of its own: its form has nothing to show. */
export function openedOutcome(uri: string): RequestOutcome {
  return {
    view: undefined,
    words: `Opened ${shortUri(uri)}.`,
    notes: [],
    actions: [],
    openables: [],
    open: () => {},
    use: () => {},
  };
}

/** A URI on one line, of a long one the beginning. */
function shortUri(uri: string): string {
  return visibleText(cutTo(uri, MAX_URI));
}

/** How a variable is written, where that isn't plain. */
function hintFor({ isRequired, separator, prefix }: TemplateVariable): string | undefined {
  const several = {
    ',': 'Several values are separated by commas.',
    '/': "A path, with '/' between its parts.",
    '.': "Several values are separated by '.'.",
  };
  const hints = [
    ...(separator === undefined ? [] : [several[separator]]),
    ...(prefix === undefined ? [] : [`Its first ${prefix} characters are used.`]),
    ...(isRequired ? [] : ['If this is empty, the URI leaves it out.']),
  ];
  return hints.length === 0 ? undefined : hints.join(' ');
}
