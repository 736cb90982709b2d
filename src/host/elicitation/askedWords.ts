import type { RequestInFlight } from '../connection/requests/requestsInFlight.ts';
import type { DialogChoice, Dialogs } from '../questions/question.ts';

/** An answer that gives the server nothing; `never` declines this and every later request of the server. */
export interface Refusal {
  readonly action: 'decline' | 'cancel' | 'never';
}

interface Choice extends DialogChoice {
  readonly answer: Refusal;
}

/** Asks without the panel, where you can only refuse. False when you close the dialog. */
export async function refuseInDialogs(
  dialogs: Dialogs<never>,
  noun: string,
  end: (answer: Refusal) => void,
): Promise<boolean> {
  const chosen = await dialogs.show<Choice>({
    noun,
    choices: [
      { title: 'Decline', answer: { action: 'decline' } },
      { title: 'Cancel', answer: { action: 'cancel' } },
      { title: 'Never Ask', answer: { action: 'never' } },
    ],
    isForeign: true,
  });
  if (chosen) {
    end(chosen.answer);
  }
  return chosen !== undefined;
}

/** What a server was working on when it asked. */
export function whyText(requests: readonly RequestInFlight[]): string {
  const [only, ...others] = requests;
  if (!only) {
    return 'It is not handling a request of yours at the moment.';
  }
  if (others.length > 0) {
    const names = [...new Set(requests.map(({ target }) => `'${target}'`))];
    return `It asks while it handles one of these: ${names.join(', ')}.`;
  }
  switch (only.method) {
    case 'tools/call':
      return `It asks while it runs '${only.target}'.`;
    case 'resources/read':
      return `It asks while it reads the resource '${only.target}'.`;
    case 'prompts/get':
      return `It asks while it prepares the prompt '${only.target}'.`;
  }
}
