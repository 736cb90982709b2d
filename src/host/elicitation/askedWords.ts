import type { RequestInFlight } from '../connection/requests/requestsInFlight.ts';
import { NO_REQUEST, workText } from '../connection/requests/workText.ts';
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
export function askedWhile(requests: readonly RequestInFlight[]): string {
  const work = workText(requests, ({ target }) => `'${target}'`);
  return work === undefined ? NO_REQUEST : `It asks while it ${work}.`;
}
