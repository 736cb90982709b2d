import type * as vscode from 'vscode';
import { toDisposable } from '../../base/lifetime/disposable.ts';
import {
  FormSession,
  type FormCheck,
  type FormFrame,
  type FormToSave,
} from '../../host/review/formSession.ts';
import type { RulesSource } from '../../host/config/serverRules.ts';
import type { ServerForm } from '../../host/config/form/serverForm.ts';
import { messageOf } from '../../host/errors/hostError.ts';
import { signInCheck } from '../../host/auth/signInCheck.ts';
import { PagePanel } from './pagePanel.ts';

/** How the page was left; `failed` when it did not come up. */
export type FormEnd = 'saved' | 'left' | 'closed' | 'failed';

export interface FormPorts<Draft> {
  readonly check: (form: ServerForm) => Promise<FormCheck<Draft>>;
  readonly save: (what: FormToSave<Draft>) => Promise<void>;
}

/** Shows a server on a page of its own until it is saved or the page is left. */
export async function askServer<Draft>(
  { extensionUri, rules }: { readonly extensionUri: vscode.Uri; readonly rules: RulesSource },
  tabTitle: string,
  frame: FormFrame,
  form: ServerForm,
  { check, save }: FormPorts<Draft>,
): Promise<FormEnd> {
  const { promise, resolve } = Promise.withResolvers<FormEnd>();
  const panel = new PagePanel(extensionUri, 'server', tabTitle);
  panel.add(toDisposable(() => resolve('closed')));
  const session = new FormSession<Draft>(frame, form, {
    post: (message) => panel.post(message),
    check,
    checkSignIn: (asked) => signInCheck(asked, rules.now),
    save: async (what) => {
      await save(what);
      resolve('saved');
    },
    cancel: () => resolve('left'),
    failed: () => resolve('failed'),
    messageOf,
  });
  panel.load(session);
  try {
    return await promise;
  } finally {
    panel.dispose();
  }
}
