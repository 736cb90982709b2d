import type { JSONRPCMessage } from '@modelcontextprotocol/client';
import { isRecord } from '../../../base/values/record.ts';
import { plainBounds, samplingBounds } from '../../json/bounds.ts';
import { isSoundMethod } from '../../results/soundMessages.ts';
import { excessOf, type Weight } from '../../json/weight.ts';
import { refusedAnswer, tooMuchText } from '../../json/receivedLine.ts';

/**
 * Limits the size of a message that the SDK reads in one go; `method` is that of the request that it answers. An answer
 * that is too large becomes an error, a request loses its parameters, so that the server gets an error, and anything
 * else is dropped. `complain` is called for the latter two.
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
  complain(tooMuchText(excess));
  const bare = { ...message, params: {} };
  return 'id' in message && excessOf(bare, plainBounds) === undefined ? bare : undefined;
}

/** The limits for this message; undefined for results that `SoundResults` reads in steps. */
function boundsOf(method: string | undefined, message: JSONRPCMessage): Weight | undefined {
  if ('method' in message) {
    return message.method === 'sampling/createMessage' ? samplingBounds : plainBounds;
  }
  if (!('result' in message) || method === undefined || !isSoundMethod(method)) {
    return plainBounds;
  }
  const { resultType, status } = isRecord(message.result) ? message.result : {};
  if (method === 'tasks/get' && status !== 'completed') {
    return samplingBounds;
  }
  return (resultType ?? 'complete') === 'complete' ? undefined : samplingBounds;
}
