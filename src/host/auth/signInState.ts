import type { HostError } from '../errors/hostError.ts';
import type { OpenBrowser } from './browserSignIn.ts';
import type { SignInPlan } from './signInPlan.ts';

/** Where one server's sign-in is. */
export type SignInState =
  /** Nothing is required of you, as far as this window knows. */
  | { readonly kind: 'none' }
  /** You have to sign in, or to grant more; MCP Host finds out how. */
  | { readonly kind: 'finding'; readonly reason: HostError }
  /** You can sign in as the plan says; without a plan, `reason` says why you can't. */
  | {
      readonly kind: 'required';
      readonly reason: HostError;
      readonly plan?: SignInPlan;
      /** You ended a sign-in whose issuer was to know MCP Host already: its page may have said that it doesn't. */
      readonly mayBeUnknown?: true;
    }
  /** MCP Host prepares the sign-in, or exchanges its answer. */
  | { readonly kind: 'working' }
  | ({ readonly kind: 'inBrowser'; readonly plan: SignInPlan } & OpenBrowser);

/** Whether you have to sign in, or to grant more, and have not begun to. */
export function isRequired({ kind }: SignInState): boolean {
  return kind === 'finding' || kind === 'required';
}
