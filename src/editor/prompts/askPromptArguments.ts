import { ArgumentCompleter } from '../../host/completion/argumentCompleter.ts';
import type { ServerConnection } from '../../host/connection/serverConnection.ts';
import {
  argumentsToSend,
  problemOfArgument,
  type PromptArgumentStep,
} from '../../host/completion/promptArguments.ts';
import { inQuickInput } from '../messages/plainText.ts';
import { askCompleting } from '../quickInput/askCompleting.ts';

export interface PromptArgumentsRequest {
  readonly title: string;
  readonly connection: ServerConnection;
  readonly promptName: string;
  readonly steps: readonly PromptArgumentStep[];
  /** The values by argument: what the boxes start with, and what you enter. */
  readonly entered: Map<string, string>;
  readonly canGoBack: boolean;
}

/** Asks for a prompt's arguments step by step, into `entered`. You can go back and forth. */
export async function askPromptArguments(
  request: PromptArgumentsRequest,
): Promise<'done' | 'back' | 'cancelled'> {
  const { title, connection, promptName, steps, entered, canGoBack } = request;
  const completer = new ArgumentCompleter(connection, { type: 'ref/prompt', name: promptName });
  for (let index = 0; ;) {
    const step = steps[index];
    if (!step) {
      return 'done';
    }
    const answers = argumentsToSend(steps.slice(0, index), entered);
    const answer = await askCompleting(
      {
        title: inQuickInput(title),
        step: index + 1,
        totalSteps: steps.length,
        canGoBack: index > 0 || canGoBack,
        buttons: [],
        problem: undefined,
      },
      {
        value: entered.get(step.name) ?? '',
        prompt: `${inQuickInput(step.title ?? step.name, 80)} (${step.isRequired ? 'required' : 'optional'})`,
        ...(step.description && { hint: inQuickInput(step.description, 200) }),
        placeholder: step.isRequired ? 'Required' : 'Optional: can stay empty',
        isPassword: false,
        check: (typed) => problemOfArgument(step, typed),
        suggest: completer.suggestFor(step.name, answers),
      },
    );
    switch (answer.kind) {
      case 'accepted':
        entered.set(step.name, answer.value);
        index += 1;
        break;
      case 'back':
        if (index === 0) {
          return 'back';
        }
        index -= 1;
        break;
      case 'cancelled':
      case 'pressed':
        return 'cancelled';
    }
  }
}
