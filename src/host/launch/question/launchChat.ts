import type { UnknownRecord } from '../../../base/values/record.ts';
import type { ServerDefinition, ServerId } from '../../config/serverDefinition.ts';

/** What the question about a launch says about chat: it has one box, which is never selected in advance. */
export interface ChatOffer {
  /** You made the server available to chat before, so there is no box: the answer doesn't change that. */
  readonly isGranted: boolean;
  /** What selecting the box means, or that there is nothing to select, in sentences. */
  readonly meaning: string;
}

/** Which servers are available to chat, as far as the question about a launch decides it. */
export interface LaunchChat {
  /** Undefined for a server that chat can't get. */
  offerFor(definition: ServerDefinition): ChatOffer | undefined;
  /** @throws what the file system says when it can't be kept. */
  grant(id: ServerId, label: string): Promise<void>;
}

/** Whether an answer makes the server available to chat; undefined where it isn't an answer to this offer. */
export function readInChat(
  offer: ChatOffer | undefined,
  { inChat = false }: UnknownRecord,
): boolean | undefined {
  return typeof inChat === 'boolean' && (!inChat || hasChatBox(offer)) ? inChat : undefined;
}

/** Whether there is a box. */
export function hasChatBox(offer: ChatOffer | undefined): boolean {
  return offer?.isGranted === false;
}

/** The offer in a text without a box. */
export function chatLines(offer: ChatOffer | undefined): readonly string[] {
  if (!offer) {
    return [];
  }
  const { isGranted, meaning } = offer;
  return ['', isGranted ? meaning : `Not used in chat, unless you choose that. ${meaning}`];
}
