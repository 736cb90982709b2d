export const callSpans = ['once', 'session', 'workspace', 'always'] as const;
/** For this request, until the window closes, in this workspace, or everywhere. */
export type CallSpan = (typeof callSpans)[number];

/** What the person said to a request; `scope` is this tool or prompt, or all that the server has of the kind. */
export type CallAnswer =
  | { readonly answer: 'run'; readonly span: CallSpan; readonly scope: 'one' | 'server' }
  | { readonly answer: 'refuse'; readonly span: 'once' | 'always'; readonly scope: 'one' | 'server' };
