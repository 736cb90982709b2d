import type { RequestKind, RequestTarget, RequestWords } from './requestFormProtocol.ts';

const ofTools: RequestWords = {
  send: 'Run',
  keys: 'runs the tool.',
  noArguments: 'This tool takes no arguments.',
  reset: 'Use Defaults',
  proposed: 'Filled in as you last ran it.',
  stillRunning: 'The tool is still running.',
  again: 'The result has just come. Select "Run" again to run the tool once more.',
  noContent: 'The tool returned no content.',
};

const ofPrompts: RequestWords = {
  send: 'Get Prompt',
  keys: 'gets the prompt. Nothing is sent to a language model.',
  noArguments: 'This prompt takes no arguments.',
  reset: 'Clear',
  proposed: 'Filled in as you last used it.',
  stillRunning: 'The server is still preparing the prompt.',
  again: 'The prompt has just come. Select "Get Prompt" again to get it once more.',
  noContent: 'The prompt has no messages.',
};

const ofTemplates: RequestWords = {
  send: 'Open',
  keys: 'opens the resource.',
  noArguments: 'This template takes no values.',
  reset: 'Clear',
  proposed: 'Filled in as you last used it.',
  stillRunning: 'The resource is still being read.',
  again: 'The resource has just been opened. Select "Open" again to open it once more.',
  noContent: 'The resource is empty.',
  preview: 'URI',
};

/** The words of the forms of one kind. */
export function requestWords(kind: RequestKind): RequestWords {
  switch (kind) {
    case 'tool':
      return ofTools;
    case 'prompt':
      return ofPrompts;
    case 'template':
      return ofTemplates;
  }
}

/** The message when a request ends while its page is hidden, and the label of the button that shows the page. */
export function finishedWords(
  { kind, name }: Pick<RequestTarget, 'kind' | 'name'>,
  server: string,
  hasFailed: boolean,
): { readonly sentence: string; readonly show: string } {
  const of = `'${name}' of server '${server}'`;
  switch (kind) {
    case 'tool':
      return hasFailed
        ? { sentence: `Tool ${of} failed.`, show: 'Show Reason' }
        : { sentence: `Tool ${of} has finished.`, show: 'Show Result' };
    case 'prompt':
      return hasFailed
        ? { sentence: `Prompt ${of} could not be used.`, show: 'Show Reason' }
        : { sentence: `Prompt ${of} is ready.`, show: 'Show Prompt' };
    case 'template':
      return hasFailed
        ? { sentence: `Template ${of} could not be opened.`, show: 'Show Reason' }
        : { sentence: `Template ${of} was opened.`, show: 'Show Form' };
  }
}
