import type { ArgumentCompleter } from '../../host/completion/argumentCompleter.ts';
import type { TemplateValues, TemplateVariable, UriTemplate } from '../../host/resources/uriTemplate.ts';
import { inQuickInput } from '../messages/plainText.ts';
import { askCompleting } from '../quickInput/askCompleting.ts';

export interface VariablesRequest {
  readonly title: string;
  readonly template: UriTemplate;
  readonly completer: ArgumentCompleter;
  /** The server's description of the template. */
  readonly description: string | undefined;
  /** What was entered for this template before; what you enter is added. */
  readonly remembered: Map<string, string>;
}

/** Characters of a URI in a line of a quick input. */
const MAX_SHOWN = 300;

/** Asks for a template's variables step by step; undefined when you cancel. */
export async function askVariables(request: VariablesRequest): Promise<TemplateValues | undefined> {
  const { title, template, remembered } = request;
  const { variables } = template;
  const entered = new Map<string, string>();
  for (let index = 0; ;) {
    const variable = variables[index];
    if (!variable) {
      return Object.fromEntries(entered);
    }
    const { name } = variable;
    const answer = await askCompleting(
      {
        title,
        step: index + 1,
        totalSteps: variables.length,
        canGoBack: index > 0,
        buttons: [],
        problem: undefined,
      },
      optionsOf(variable, request, entered),
    );
    switch (answer.kind) {
      case 'accepted':
        entered.set(name, answer.value);
        remembered.set(name, answer.value);
        index += 1;
        break;
      case 'back':
        remembered.set(name, answer.typed);
        index -= 1;
        break;
      case 'pressed':
      case 'cancelled':
        return undefined;
    }
    // Later variables are not part of the URI until they are answered again.
    variables.slice(index).forEach((later) => entered.delete(later.name));
  }
}

function optionsOf(
  variable: TemplateVariable,
  { template, completer, description, remembered }: VariablesRequest,
  entered: ReadonlyMap<string, string>,
): Parameters<typeof askCompleting>[1] {
  const { name, isRequired } = variable;
  const before = Object.fromEntries(entered);
  const context = Object.fromEntries([...entered].filter(([, value]) => value !== ''));
  const subject = inQuickInput(name, 60);
  const values = (typed: string): TemplateValues => ({
    ...before,
    ...(typed !== '' && Object.fromEntries([[name, typed]])),
  });
  return {
    value: remembered.get(name) ?? '',
    prompt: subject,
    promptFor: (typed) =>
      `${subject}${isRequired ? '' : ' (optional)'} → ${shown(template.preview(values(typed)))}`,
    placeholder: placeholderOf(variable, subject),
    isPassword: false,
    check: (typed) => {
      if (typed === '' && isRequired) {
        return `'${subject}' is required`;
      }
      const expansion = template.expand(values(typed));
      return expansion.kind === 'problem' ? inQuickInput(expansion.message) : undefined;
    },
    suggest: completer.suggestFor(name, context),
    ...(description !== undefined && { hint: inQuickInput(description, 200) }),
  };
}

/** A URI grows at its end. */
function shown(uri: string): string {
  return inQuickInput(uri.length > MAX_SHOWN ? `…${uri.slice(1 - MAX_SHOWN)}` : uri);
}

function placeholderOf({ isRequired, separator, prefix }: TemplateVariable, subject: string): string {
  const several = {
    ',': ', several ones separated by commas',
    '/': ", a path with '/' between its parts",
    '.': ", several ones separated by '.'",
  };
  const what = `${subject}${separator === undefined ? '' : several[separator]}`;
  const limit = prefix === undefined ? '' : `; its first ${prefix} characters are used`;
  return isRequired ? what + limit : `${what}${limit} (optional: leave it empty to leave it out)`;
}
