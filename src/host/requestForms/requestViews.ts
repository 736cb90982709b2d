import { visibleParts, visibleText } from '../../base/text/visibleText.ts';
import { HostError } from '../errors/hostError.ts';
import { proseText } from '../questions/panelText.ts';
import type { RequestLook } from './requestFormPort.ts';
import type { RemedyName, RequestHead, RequestTarget, RunView } from './requestFormProtocol.ts';
import { requestWords } from './requestWords.ts';

/** What is above a form. */
export function headOf({ kind, name }: RequestTarget, look: RequestLook): RequestHead {
  const server = visibleText(look.server);
  const words = requestWords(kind);
  const noun = kind.charAt(0).toUpperCase() + kind.slice(1);
  if (look.kind === 'missing') {
    return { title: visibleParts(name), place: visibleParts(`A ${kind} of server '${server}'`), words };
  }
  const { title, description } = look.listed;
  return {
    title: visibleParts(title?.trim() || name),
    place: visibleParts(`${noun} '${name}' of server '${server}'`),
    ...(description !== undefined &&
      description.trim() !== '' && { description: proseText(description.trim()) }),
    words,
  };
}

/** A failure as a sentence, with what helps. */
export function failureView(message: string, error: unknown): RunView {
  return {
    kind: 'failed',
    message: visibleParts(/[.!?…]$/.test(message) ? message : `${message}.`),
    remedies: remediesFor(error),
  };
}

function remediesFor(error: unknown): readonly RemedyName[] {
  const { code, needs } = error instanceof HostError ? error : {};
  switch (code) {
    case 'heldBack':
      return ['reviewChange'];
    case 'signInRequired':
      return [needs === 'token' ? 'setToken' : 'signIn'];
    case 'notRunning':
      return ['startServer', 'showLog'];
    default:
      return ['showLog'];
  }
}
