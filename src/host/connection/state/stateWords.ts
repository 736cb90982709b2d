import { secondsText } from '../../../base/secondsText.ts';
import type { ConnectionState } from './connectionState.ts';

/** What the log says of a state; undefined for a failure, which is written down with its reason when it happens. */
export function stateWords(state: ConnectionState): string | undefined {
  switch (state.kind) {
    case 'disabled':
      return 'Disabled.';
    case 'restricted':
      return 'Not started, because the workspace is not trusted.';
    case 'awaitingApproval':
      return 'Waiting for your decision.';
    case 'denied':
      return 'Not allowed.';
    case 'stopped':
      return 'Stopped.';
    case 'starting':
      return 'Starting.';
    case 'authorizing':
      return 'Signing in.';
    case 'running':
      return `Running, revision ${state.revision}.`;
    case 'backingOff':
      return `Waiting ${secondsText(state.until - Date.now())} before the next try.`;
    case 'failed':
      return undefined;
    case 'stopping':
      return 'Stopping.';
  }
}
