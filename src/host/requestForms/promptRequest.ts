import type { GetPromptResult, Prompt } from '@modelcontextprotocol/client';
import { promptArguments } from '../completion/promptArguments.ts';
import type { Openable } from '../documents/contentSection.ts';
import { isUsable, promptDocument, promptNotes, type PromptDocument } from '../documents/promptDocument.ts';
import type { CompletingServer } from '../completion/argumentCompleter.ts';
import type { ActionView } from './requestFormProtocol.ts';
import type { ListedRequest, RequestEvents, RequestOutcome } from './requestFormPort.ts';
import type { SentArguments } from './sentArguments.ts';
import { promptView } from './resultView.ts';
import { takesTexts, textsIn } from './textArguments.ts';

/** What you can do with a prompt that has come. */
export type PromptAction = 'send' | 'copy' | 'insert';

/** What a form of a prompt does with its prompt. */
export interface PromptFormPort {
  /** @throws as `Gate.getPrompt`. */
  get(
    args: Readonly<Record<string, string>>,
    options: { readonly secrets: readonly string[] } & RequestEvents,
    signal: AbortSignal,
  ): Promise<GetPromptResult>;
  /** Whether there is a chat to which a text can be sent. */
  canSend(): Promise<boolean>;
  open(openable: Openable): void;
  use(document: PromptDocument, how: PromptAction | 'document'): void;
}

/** A prompt for its form: all of its arguments are texts (server/prompts). */
export function listedPrompt(
  prompt: Prompt,
  of: Pick<ListedRequest, 'server' | 'logger' | 'schemas'>,
  completing: CompletingServer,
): ListedRequest {
  return {
    ...of,
    listed: prompt,
    takes: takesTexts(prompt.name, promptArguments(prompt)),
    completing: { server: completing, ref: { type: 'ref/prompt', name: prompt.name } },
  };
}

/** Gets a prompt for its form. What can't be shown whole can only be opened as a document. */
export async function promptForForm(
  server: string,
  prompt: Prompt,
  { args, secrets, secretTexts }: SentArguments,
  port: PromptFormPort,
  events: RequestEvents,
  signal: AbortSignal,
): Promise<RequestOutcome> {
  const texts = textsIn(args);
  const result = await port.get(texts, { secrets: secretTexts, ...events }, signal);
  const canSend = await port.canSend();
  const { name, title, description } = prompt;
  const sent = promptArguments(prompt).map(
    ({ name: argument }) =>
      [
        argument,
        secrets.has(argument) && texts[argument] !== undefined ? '(not shown)' : texts[argument],
      ] as const,
  );
  const document = promptDocument({ server, name, title, description, args: sent }, result);
  const { view, openables } = promptView(result);
  const isWhole = isUsable(document.prompt) && view.leftOut === undefined;
  const send: ActionView = { action: 'send', label: 'Send to Chat' };
  return {
    view,
    openables,
    words: 'The prompt came',
    notes: promptNotes(document.prompt),
    actions: [
      ...(isWhole && canSend ? [send] : []),
      ...(isWhole ? textActions : []),
      { action: 'document', label: 'Open as Document' },
    ],
    open: (openable) => port.open(openable),
    use: (action) => {
      if (action !== 'missed') {
        port.use(document, action);
      }
    },
  };
}

const textActions: readonly ActionView[] = [
  { action: 'copy', label: 'Copy' },
  { action: 'insert', label: 'Insert into Editor' },
];
