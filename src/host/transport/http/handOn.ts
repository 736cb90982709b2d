import type { JSONRPCMessage } from '@modelcontextprotocol/client';
import { Slices } from '../../../base/time/slices.ts';
import { cutTo } from '../../../base/text/words.ts';
import { textBounds } from '../../json/bounds.ts';
import { MESSAGE_WORK, readReceived, tooMuchText, type Received } from '../../json/receivedLine.ts';
import type { ServerEvent } from './eventParser.ts';
import type { HttpLife } from './httpLife.ts';

/**
 * Gives the messages in an event to the transport, one by one, so that an invalid one in a batch doesn't affect the others
 * (2025-03-26, basic: clients MUST receive batches). `heard` is called before, with each message.
 */
export async function handOnEvent(
  { type, data }: ServerEvent,
  life: HttpLife,
  heard: (message: JSONRPCMessage) => void,
): Promise<void> {
  if (type === undefined && data !== undefined) {
    await handOn(readReceived(data), life, heard);
  }
}

/** As `handOnEvent`, for messages that are being read. */
export async function handOn(
  received: Iterable<Received | number>,
  life: HttpLife,
  heard: (message: JSONRPCMessage) => void,
): Promise<void> {
  const slices = new Slices();
  for (const one of received) {
    if (typeof one === 'number') {
      slices.spend(one);
    } else {
      slices.spend(MESSAGE_WORK);
      switch (one.kind) {
        case 'message':
          heard(one.message);
          await life.hand(one.message);
          break;
        case 'noise':
          life.complain(`The server sent an invalid message: ${cutTo(one.text, textBounds.sentence)}`);
          break;
        case 'tooMuch':
          life.complain(tooMuchText(one.reason));
          break;
      }
    }
    if (slices.isUsedUp) {
      await slices.rest();
    }
  }
}
