import type { JSONRPCMessage } from '@modelcontextprotocol/client';
import { isRecord } from '../../../base/record.ts';
import { plainBounds, samplingBounds } from '../../errors/bounds.ts';
import { isSoundMethod } from '../../results/soundResults.ts';
import { excessOf, type Weight } from '../../json/weight.ts';
import { refusedAnswer } from '../../json/receivedLine.ts';

/**
 * The message, as far as the SDK and what follows may go through it in one go: `method` is that of the request that
 * it answers. An answer that is more becomes an error; a request that is more has no parameters any more, which its
 * sender hears of; what else is more goes no further. `complain` hears of the latter two.
 */
export function boundedMessage(
  method: string | undefined,
  message: JSONRPCMessage,
  complain: (text: string) => void,
): JSONRPCMessage | undefined {
  const most = boundsOf(method, message);
  const excess = most && excessOf(message, most);
  if (excess === undefined) {
    return message;
  }
  if (!('method' in message)) {
    return message.id === undefined || excessOf(message.id, plainBounds) !== undefined
      ? undefined
      : refusedAnswer(message.id, excess);
  }
  complain(`A message of the server is left out: it ${excess}, which is more than is taken.`);
  const bare = { ...message, params: {} };
  return 'id' in message && excessOf(bare, plainBounds) === undefined ? bare : undefined;
}

/** How much such a message may be; undefined for results that `SoundResults` goes through in steps. */
function boundsOf(method: string | undefined, message: JSONRPCMessage): Weight | undefined {
  if ('method' in message) {
    return message.method === 'sampling/createMessage' ? samplingBounds : plainBounds;
  }
  if (!('result' in message) || method === undefined || !isSoundMethod(method)) {
    return plainBounds;
  }
  const { resultType } = isRecord(message.result) ? message.result : {};
  return (resultType ?? 'complete') === 'complete' ? undefined : samplingBounds;
}
