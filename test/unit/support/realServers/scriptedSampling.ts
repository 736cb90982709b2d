import type { CreateMessageRequestParams } from '@modelcontextprotocol/client';
import type { ConnectionSampling } from '../../../../src/host/connection/samplingSource.ts';
import { shown } from '../shownContent.ts';

/** A language model that says hello to whatever it is asked; what that is goes into `asked`. */
export function scriptedSampling(asked: unknown[]): ConnectionSampling {
  return {
    isOffered: () => true,
    createMessage: (_request, params) => {
      const { messages } = params as CreateMessageRequestParams;
      asked.push(...messages.map(({ content }) => shown(content as Parameters<typeof shown>[0])));
      return Promise.resolve({
        role: 'assistant',
        content: { type: 'text', text: 'Hello.' },
        model: 'Scripted',
        stopReason: 'endTurn',
      });
    },
  };
}
